import { Decimal } from 'decimal.js';

Decimal.set({ precision: 40, rounding: Decimal.ROUND_HALF_UP });

export { allocate } from './allocate.ts';
export { Decimal };

/** Decimal places in which a currency is shown and settled; lines may carry more. */
export function currencyScale(currency: string): number {
  return ['JPY', 'KRW', 'VND', 'CLP'].includes(currency) ? 0 : 2;
}

/** Sum of decimal texts, exact. */
export function sum(values: Iterable<string>): string {
  let total = new Decimal(0);
  for (const value of values) total = total.plus(value);
  return total.toFixed();
}

/** Half-up at `scale` places; the only rounding rule of the product. */
export function round(value: string | Decimal, scale: number): string {
  return new Decimal(value).toFixed(scale, Decimal.ROUND_HALF_UP);
}

/** The shortest text of a decimal, without an exponent or trailing zeros: "12.5000" is "12.5". */
export function plainDecimal(value: string): string {
  return new Decimal(value).toFixed();
}

/** a ÷ b at full precision, or null where b is zero: "not applicable" is not 0. */
export function ratio(a: string | number, b: string | number): string | null {
  const divisor = new Decimal(b);
  return divisor.isZero() ? null : new Decimal(a).div(divisor).toFixed(10).replace(/0+$/, '').replace(/\.$/, '');
}
