import { currencyScale, Decimal, round } from './decimal.ts';

/** Symbols as the specification gives them; other currencies show their code. */
export const CURRENCY_SYMBOLS: Record<string, string> = {
  USD: '$',
  GBP: '£',
  EUR: '€',
  JPY: '¥',
  CNY: '¥',
  RMB: '¥',
  CAD: 'C$',
  INR: '₹',
  AUD: 'A$',
  MXN: 'Mex$',
  SEK: 'Kr',
  PLN: 'zł',
};

/** What stands for a value that does not apply (division by zero, no base). */
export const NOT_APPLICABLE = '—';
const MINUS = '−';

function grouped(digits: string): string {
  const [whole = '0', fraction] = digits.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

export interface MoneyParts {
  negative: boolean;
  symbol: string;
  digits: string;
}

/** Sign, symbol and digits of an amount, rounded half-up to the places of its currency. */
export function moneyParts(amount: string, currency: string): MoneyParts {
  const rounded = round(amount, currencyScale(currency));
  const negative = new Decimal(rounded).isNegative() && !new Decimal(rounded).isZero();
  const symbol = CURRENCY_SYMBOLS[currency] ?? `${currency} `;
  return { negative, symbol, digits: grouped(rounded.replace('-', '')) };
}

/** "−$1,281.65": minus sign before the symbol, no brackets. */
export function formatMoney(amount: string | null | undefined, currency: string): string {
  if (amount === null || amount === undefined) return NOT_APPLICABLE;
  const { negative, symbol, digits } = moneyParts(amount, currency);
  return `${negative ? MINUS : ''}${symbol}${digits}`;
}

/** An amount with every place it has, and at least those of its currency: unit prices on paper are never rounded. */
export function formatExactMoney(amount: string, currency: string): string {
  const value = new Decimal(amount);
  const digits = value.abs().toFixed(Math.max(value.decimalPlaces(), currencyScale(currency)));
  const symbol = CURRENCY_SYMBOLS[currency] ?? `${currency} `;
  return `${value.isNegative() && !value.isZero() ? MINUS : ''}${symbol}${grouped(digits)}`;
}

/** Whole number with thousands separators. */
export function formatInteger(value: number | string | null | undefined): string {
  if (value === null || value === undefined) return NOT_APPLICABLE;
  const text = String(value);
  return text.startsWith('-') ? MINUS + grouped(text.slice(1)) : grouped(text);
}

/** Ratio text "0.2015" to "20.15%". */
export function formatPercent(value: string | number | null | undefined, places = 2): string {
  if (value === null || value === undefined) return NOT_APPLICABLE;
  const share = new Decimal(value).times(100).toDecimalPlaces(places, Decimal.ROUND_HALF_UP);
  const digits = share.abs().toFixed(places);
  return `${share.isNegative() && !share.isZero() ? MINUS : ''}${digits}%`;
}

/** Axis and card short form: full below 100,000, then 万, 亿 with one decimal. */
export function formatShort(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e8) return `${formatInteger((value / 1e8).toFixed(1))}亿`;
  if (size >= 1e5) return `${formatInteger((value / 1e4).toFixed(1))}万`;
  return formatInteger(Number.isInteger(value) ? value : value.toFixed(2));
}

const WAN = 10_000;

/** As much of an amount as fits on a day of a calendar: "¥8,200", "−$2.7万". */
export function formatShortMoney(amount: string, currency: string): string {
  const value = new Decimal(amount);
  const size = value.abs();
  const text = size.lt(WAN) ? grouped(size.toFixed(0)) : `${size.div(WAN).toFixed(1)}万`;
  return `${value.lt(0) && !/^0(\.0)?$/.test(text) ? MINUS : ''}${moneyParts(amount, currency).symbol}${text}`;
}

/** Size of a file in the unit that suits it: "812 B", "24.5 KB", "3.1 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${kilo.toFixed(1)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}
