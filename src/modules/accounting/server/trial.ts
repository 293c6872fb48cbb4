import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { BalanceRow, BalanceTotals } from '../contract/ledger.ts';
import type { Subject } from './subjects.ts';

/** What came together on a subject in CNY, as decimal text; `opening` is debits less credits. */
export interface Amounts {
  opening: string;
  debit: string;
  credit: string;
  yearDebit: string;
  yearCredit: string;
}
export const NOTHING: Amounts = { opening: '0', debit: '0', credit: '0', yearDebit: '0', yearCredit: '0' };

function plus(a: Amounts, b: Amounts): Amounts {
  return {
    opening: sum([a.opening, b.opening]),
    debit: sum([a.debit, b.debit]),
    credit: sum([a.credit, b.credit]),
    yearDebit: sum([a.yearDebit, b.yearDebit]),
    yearCredit: sum([a.yearCredit, b.yearCredit]),
  };
}

/** Amounts by code: what stands on leaves counts for everything whose code theirs begins with. */
export function rolledUp(subjects: readonly Subject[], leaves: ReadonlyMap<string, Amounts>): Map<string, Amounts> {
  const sums = new Map<string, Amounts>();
  for (const { id, code } of subjects) {
    const amounts = leaves.get(id);
    if (!amounts) continue;
    for (let length = 4; length <= code.length; length += 2) {
      const above = code.slice(0, length);
      sums.set(above, plus(sums.get(above) ?? NOTHING, amounts));
    }
  }
  return sums;
}

const onDebit = (balance: Decimal) => round(Decimal.max(balance, 0), 2);
const onCredit = (balance: Decimal) => round(Decimal.max(balance.negated(), 0), 2);

/** A row of the trial balance: balances stand on the side where they are. */
export function rowOf({ id, code, name }: Subject, amounts: Amounts): BalanceRow {
  const opening = new Decimal(amounts.opening);
  const closing = opening.plus(amounts.debit).minus(amounts.credit);
  return {
    id,
    code,
    name,
    level: code.length / 2 - 1,
    openingDebit: onDebit(opening),
    openingCredit: onCredit(opening),
    debit: round(amounts.debit, 2),
    credit: round(amounts.credit, 2),
    yearDebit: round(amounts.yearDebit, 2),
    yearCredit: round(amounts.yearCredit, 2),
    closingDebit: onDebit(closing),
    closingCredit: onCredit(closing),
  };
}

/** Sums of rows of one level. */
export function totalsOf(rows: readonly BalanceRow[]): BalanceTotals {
  const of = (key: keyof BalanceTotals) => round(sum(rows.map((row) => row[key])), 2);
  return {
    openingDebit: of('openingDebit'),
    openingCredit: of('openingCredit'),
    debit: of('debit'),
    credit: of('credit'),
    yearDebit: of('yearDebit'),
    yearCredit: of('yearCredit'),
    closingDebit: of('closingDebit'),
    closingCredit: of('closingCredit'),
  };
}

/** On which side debits less credits lie, as books call it. */
export const sideOf = (balance: Decimal): string => (balance.isZero() ? '平' : balance.gt(0) ? '借' : '贷');
