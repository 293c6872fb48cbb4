import { allocate, Decimal, sum } from '#kit/contract/decimal.ts';
import { minus } from '../../contract/fields.ts';
import { restOf, valuedAt, worthAt } from '../ledger/base.ts';
import type { Line, NewItem } from '../ledger/types.ts';

/** New debts, what of them is settled at once, and the deposits that settle it. */
export interface Raising {
  items: readonly NewItem[];
  settled: readonly Line[];
  deposits: readonly Line[];
}

/**
 * What new debts in another currency are booked with: what deposits pay of them with what was paid for those, the rest at
 * the rate of the day (CNY for one unit). So the goods cost what was paid, and using a deposit gains and loses nothing.
 */
export function bookDebts({ items, settled, deposits }: Raising, rate: string): Raising {
  const used = valuedAt(deposits, rate);
  const key = (index: number) => String(index).padStart(4, '0');
  const shares = allocate(minus(restOf(used)), new Map(settled.map((line, index) => [key(index), line.amount])), 2);
  const paid = settled.map((line, index): Line => ({ ...line, base: shares?.get(key(index)) ?? '0' }));
  const debts = items.map((item): NewItem => {
    const own = paid.filter((line) => line.item === item.id);
    const open = new Decimal(item.amount).minus(sum(own.map((line) => line.amount))).toFixed();
    return { ...item, rate, base: sum([...own.map((line) => line.base ?? '0'), worthAt(open, rate)]) };
  });
  return { items: debts, settled: paid, deposits: used };
}

/** The lines that raise debts, and goods for all that the other lines leave. */
export function raisingLines({ items, settled, deposits }: Raising, currency: string, amount: string): Line[] {
  const raised = items.map(
    (item): Line => ({
      book: 'PAYABLE',
      item: item.id,
      currency,
      amount: minus(item.amount),
      base: item.base && minus(item.base),
      purpose: 'RAISE',
    }),
  );
  const others = [...settled, ...deposits];
  const base = currency === 'CNY' ? undefined : minus(restOf([...raised, ...others]));
  return [...raised, { book: 'GOODS', currency, amount, base, purpose: 'RAISE' }, ...others];
}
