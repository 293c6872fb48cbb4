/** Currencies that a report can be read in, as a choice. */
export const CURRENCIES = [
  { value: 'CNY', label: '人民币' },
  { value: 'USD', label: '美元' },
  { value: 'ORIGINAL', label: '原币' },
];
