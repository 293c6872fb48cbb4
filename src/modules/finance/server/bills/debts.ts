import { Decimal } from '#kit/contract/decimal.ts';
import type { FreeDebt } from '../payables/free.ts';

/** Lines of a request: the debts of the order that it pays by name, and in advance what is not owed yet. */
export function requestLines(title: string, amount: string, debts: readonly FreeDebt[]) {
  let left = new Decimal(amount);
  const named = debts.flatMap((debt) => {
    const part = Decimal.min(left, debt.free);
    if (part.lte(0)) return [];
    left = left.minus(part);
    return [{ title: `${title} ${debt.title}`.slice(0, 100), amount: part.toFixed(), payableId: debt.id }];
  });
  return left.isZero() ? named : [...named, { title, amount: left.toFixed() }];
}
