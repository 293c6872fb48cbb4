/**
 * Rates that hold until the company enters its own: CNY for one unit. Round figures, only there so that a first look
 * has something to convert with; the report says where it uses them.
 */
export const PRESET_RATES: Readonly<Record<string, string>> = {
  CNY: '1',
  USD: '7.1000',
  EUR: '7.8000',
  GBP: '9.2000',
  JPY: '0.0480',
  CAD: '5.1000',
  MXN: '0.3800',
  AUD: '4.6000',
  SGD: '5.4000',
  SEK: '0.6900',
  PLN: '1.8000',
  AED: '1.9300',
  SAR: '1.8900',
};

export const BOOK_CURRENCY = 'CNY';
