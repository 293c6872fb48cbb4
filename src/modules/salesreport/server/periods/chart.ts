import type { Period } from '#kit/contract/compare.ts';
import { Decimal, round } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import type { SalesChart } from '../../contract/summary.ts';
import { partialAt, type SumsPlan, soldOf, wholeOf } from './sums.ts';

/** Everything of a plan by period, beside what each is held against; what is not full, or not known, counts in no mean. */
export async function chartOf(ctx: Ctx, plan: SumsPlan, before: Period | null): Promise<SalesChart> {
  const { rows } = await wholeOf(ctx, plan);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  const amounts = can(ctx, AMOUNTS);
  const points = plan.places.map(({ title, from, to, partial }, place) => {
    const row = byPlace.get(place);
    const sold = row && soldOf(row, partialAt(plan, place));
    const begun = before !== null && from < plan.today;
    return {
      title,
      from,
      to,
      partial,
      units: sold?.units ?? null,
      orders: sold?.orders ?? null,
      netSales: amounts ? (sold?.netSales ?? null) : null,
      unitsBefore: begun ? Number(row?.units_before ?? 0) : null,
      ordersBefore: begun && sold?.orders != null ? Number(row?.orders_before ?? 0) : null,
    };
  });
  const mean = (pick: (point: (typeof points)[number]) => number | null): string | null => {
    const values = points
      .filter(({ partial, from }) => !partial && plan.since !== null && from >= plan.since)
      .flatMap((point) => pick(point) ?? []);
    return values.length === 0 ? null : round(Decimal.sum(...values).div(values.length), 2);
  };
  const { currency, converted, missing } = plan.exchange;
  return {
    period: plan.period,
    before,
    since: plan.since,
    currency,
    converted,
    missingRates: amounts ? missing : [],
    points,
    meanUnits: mean(({ units }) => units),
    meanOrders: mean(({ orders }) => orders),
  };
}
