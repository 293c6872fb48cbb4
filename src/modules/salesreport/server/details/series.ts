import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { stockDaysSelect } from '#modules/inventory/server/index.ts';
import type { DetailFilter, detailSeries } from '../../contract/details.ts';
import { keyed } from '../facts.ts';
import { together } from '../sources.ts';
import { type Plan, planned, planOf } from './plan.ts';

/** Days on which a SKU at Amazon's had no piece to sell, as far as its stock was read. */
async function daysOut(ctx: Ctx, { by, period }: Plan, key: string): Promise<string[]> {
  const [accountId = '', marketplaceId = '', ...sku] = key.split('|');
  if (by !== 'msku' || sku.length === 0) return [];
  const { rows } = await sql<{ day: string }>`
    SELECT d.day FROM (${stockDaysSelect(ctx, { accountId, from: period.from, skus: [sku.join('|')] })}) AS d
     WHERE d.marketplace_id = ${marketplaceId} AND d.day <= ${period.to}::date AND d.fulfillable = 0`.execute(ctx.db);
  return rows.map(({ day }) => day);
}

/** One row of the pivot by period, the oldest first, beside what it is held against. */
export async function seriesOf(ctx: Ctx, filter: DetailFilter, key: string): Promise<Reply<typeof detailSeries>> {
  const plan = await planOf(ctx, filter);
  const reading = planned(ctx, plan, plan.by, plan.by === 'msku' ? [key] : undefined);
  const { rows } = await sql<{ place: number; earlier: boolean; value: string | number | null }>`
    SELECT k.place, k.side = 'before' AS earlier, ${together(reading)} AS value FROM (${keyed(ctx, reading)}) AS k
     WHERE k.key = ${key} GROUP BY 1, 2`.execute(ctx.db);
  const out = await daysOut(ctx, plan, key);
  const at = (place: number, earlier: boolean) => {
    const value = rows.find((row) => row.place === place && row.earlier === earlier)?.value ?? 0;
    return plan.kind === 'money' ? new Decimal(value).toFixed() : Number(value);
  };
  return {
    points: plan.places.map((column, place) => ({
      ...column,
      now: at(place, false),
      before: plan.before && column.from < plan.today ? at(place, true) : null,
      out: out.some((day) => day >= column.from && day <= column.to),
    })),
    kind: plan.kind,
    currency: plan.exchange?.currency ?? null,
  };
}
