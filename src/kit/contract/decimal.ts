import { Decimal } from 'decimal.js';

Decimal.set({ precision: 40, rounding: Decimal.ROUND_HALF_UP });

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

/**
 * Splits `total` over `weights` without losing a unit: exact shares are cut to `scale`, the left-over units go one by
 * one to the largest fractional parts, ties to the smaller key. The sign is put back at the end; parts always add up.
 * Returns undefined where all weights are zero: the caller must fall back to another key.
 */
export function allocate(
  total: string,
  weights: ReadonlyMap<string, string>,
  scale: number,
): Map<string, string> | undefined {
  const base = sum(weights.values());
  if (new Decimal(base).lte(0)) return undefined;
  const unit = new Decimal(10).pow(-scale);
  const sign = new Decimal(total).isNegative() ? -1 : 1;
  const amount = new Decimal(total).abs();
  const parts = [...weights].map(([key, weight]) => {
    const exact = amount.times(weight).div(base);
    const floor = exact.toDecimalPlaces(scale, Decimal.ROUND_FLOOR);
    return { key, floor, rest: exact.minus(floor) };
  });
  const floors = parts.reduce((acc, part) => acc.plus(part.floor), new Decimal(0));
  let units = amount.minus(floors).div(unit).toNumber();
  const byRest = [...parts].sort((a, b) => b.rest.comparedTo(a.rest) || (a.key < b.key ? -1 : 1));
  for (const part of byRest) {
    if (units < 1) break;
    part.floor = part.floor.plus(unit);
    units -= 1;
  }
  return new Map(parts.map((part) => [part.key, part.floor.times(sign).toFixed(scale)]));
}
