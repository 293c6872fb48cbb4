import { Decimal, sum } from '#kit/contract/decimal.ts';

/** Amounts of a line as they are typed: CNY as decimal text, '' is none. */
export interface Sides {
  debit: string;
  credit: string;
}

/** An amount as it counts; what is no number yet counts for nothing. */
export const zero = (amount: string): string => (/^-?\d+(\.\d+)?$/.test(amount) ? amount : '0');

/** Sum of the debits. */
export const debitsOf = (lines: readonly Sides[]): string => sum(lines.map(({ debit }) => zero(debit)));

/** Sum of the credits. */
export const creditsOf = (lines: readonly Sides[]): string => sum(lines.map(({ credit }) => zero(credit)));

/** Debits less credits: 0 where lines are in balance. */
export const differenceOf = (lines: readonly Sides[]): string =>
  new Decimal(debitsOf(lines)).minus(creditsOf(lines)).toFixed();

/** What a line must hold to bring the others into balance; on the other side where it would be less than nothing. */
export function balancing(others: readonly Sides[], side: keyof Sides): Sides {
  const rest = new Decimal(differenceOf(others));
  const wanted = side === 'debit' ? rest.negated() : rest;
  if (wanted.isZero()) return { debit: '', credit: '' };
  const text = wanted.abs().toFixed(2);
  const onDebit = (side === 'debit') === wanted.gt(0);
  return onDebit ? { debit: text, credit: '' } : { debit: '', credit: text };
}
