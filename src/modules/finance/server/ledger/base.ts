import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import { minus } from '../../contract/fields.ts';
import type { Line } from './types.ts';

/** What an amount is worth in CNY at a rate (CNY for one unit), to the cent. */
export const worthAt = (amount: string, rate: string): string => round(new Decimal(amount).times(rate), 2);

/** What is open of an item, and what that is booked with in CNY; both without a sign. */
interface Booked {
  open: string;
  base: string | null;
}

/**
 * What of the CNY value of an open item goes with a part of its amount: in proportion, and with the last part all that is
 * left, so that nothing of it is lost. Undefined for items without a value.
 */
export function baseOf({ open, base }: Booked, part: string): string | undefined {
  if (base === null) return undefined;
  if (new Decimal(part).eq(open)) return base;
  return round(new Decimal(base).times(part).div(open), 2);
}

/** What a line counts for in CNY; undefined where that is not known. Where currencies meet nothing counts. */
export function lineValue({ book, currency, amount, base }: Line): string | undefined {
  if (book === 'EXCHANGE') return '0';
  return currency === 'CNY' ? amount : base;
}

/** Lines in other currencies without a value get that of a rate; amounts where currencies meet have none. */
export const valuedAt = (lines: readonly Line[], rate: string): Line[] =>
  lines.map((line) => (lineValue(line) === undefined ? { ...line, base: worthAt(line.amount, rate) } : line));

/** What all lines come to in CNY; those without a value count for nothing. */
export const restOf = (lines: readonly Line[]): string => sum(lines.map((line) => lineValue(line) ?? '0'));

/**
 * Closes a posting in CNY. What an item was booked with and what is paid for it differ by what the rate did meanwhile: that
 * is the realised exchange gain or loss (汇兑损益), a loss with + as every cost has. Its counterpart stands where currencies
 * meet, so that what is left there of both is the amount at the rate that was booked.
 */
export function closed(lines: readonly Line[]): Line[] {
  const rest = restOf(lines);
  if (new Decimal(rest).isZero()) return [...lines];
  return [
    ...lines,
    { book: 'GAIN', currency: 'CNY', amount: minus(rest), purpose: 'GAIN' },
    { book: 'EXCHANGE', currency: 'CNY', amount: rest, purpose: 'GAIN' },
  ];
}

/** What lines of a posting say was gained (+) or lost (−) by the rate, in CNY. */
export const gainOf = (lines: readonly Line[]): string =>
  sum(lines.filter((line) => line.book === 'GAIN').map((line) => minus(line.amount)));
