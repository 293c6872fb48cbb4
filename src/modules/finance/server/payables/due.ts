import { Decimal } from '#kit/contract/decimal.ts';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DueDay } from '../../contract/due.ts';
import { allFreeDebts } from './free.ts';

interface Sums {
  open: Decimal;
  free: Decimal;
  count: number;
}

const last = '9999-12-31';

/** What is to be paid by when: all open debts by due day and currency, and what of them is asked for. */
export async function duePlan(ctx: Ctx): Promise<{ today: string; days: DueDay[] }> {
  const today = ctx.clock.today();
  const byDay = new Map<string, Sums>();
  for (const { dueOn, currency, open, free } of await allFreeDebts(ctx)) {
    const key = `${dueOn ?? last} ${currency}`;
    const sums = byDay.get(key) ?? { open: new Decimal(0), free: new Decimal(0), count: 0 };
    byDay.set(key, { open: sums.open.plus(open), free: sums.free.plus(free), count: sums.count + 1 });
  }
  const keys = [...byDay.keys()].sort();
  const rates = await ratesOn(ctx, [...new Set(keys.map((key) => key.slice(11)))], today);
  const days = keys.flatMap((key): DueDay[] => {
    const sums = byDay.get(key);
    if (!sums) return [];
    const { open, free, count } = sums;
    const [day = '', currency = ''] = key.split(' ');
    const rate = rates.get(currency);
    return [
      {
        day: day === last ? null : day,
        currency,
        open: open.toFixed(),
        count,
        asked: open.minus(free).toFixed(),
        worth: rate === undefined ? null : open.times(rate).toFixed(2),
      },
    ];
  });
  return { today, days };
}
