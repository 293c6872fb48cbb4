import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { PromotionKind } from '../../contract/promotions.ts';
import type { Days } from '../engine/series.ts';
import type { Events } from '../engine/uplift.ts';
import { HORIZON } from '../figures.ts';
import { daysBetween, type Stock } from '../stocks.ts';

/** Numbers of the kinds for models. Where two promotions meet on a day, the day is of the kind with the higher one. */
const NUMBER: Readonly<Record<PromotionKind, number>> = { coupon: 1, price: 2, offsite: 3, deal: 4, prime: 5 };

/** A promotion of a stock's site; days are YYYY-MM-DD, both included; without SKUs it is of all. */
export interface Planned {
  kind: PromotionKind;
  from: string;
  to: string;
  skus: string[];
  expected: string | null;
}

/** Promotions of a stock's sites between its first day and the last that is forecast. */
export async function promotionsOf(ctx: Ctx, { accountId, sites, from, cutoff }: Stock): Promise<Planned[]> {
  const { rows } = await sql<Planned>`
    SELECT kind, from_day::text AS from, to_day::text AS to, skus, expected::text AS expected
      FROM forecast.promotion
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ANY (${sites}::text[])
       AND to_day >= ${from}::date AND from_day <= ${cutoff}::date + ${HORIZON}::int
     ORDER BY id`.execute(ctx.db);
  return rows.toSorted((a, b) => NUMBER[a.kind] - NUMBER[b.kind]);
}

/** The promotions of a SKU by day from the first of its stock to the last that is forecast; undefined where it has none. */
export function eventsOf(
  promotions: readonly Planned[],
  { from, cutoff }: Pick<Stock, 'from' | 'cutoff'>,
  sku: string,
): { events: Events; expected: Days } | undefined {
  const own = promotions.filter(({ skus }) => skus.length === 0 || skus.includes(sku));
  if (own.length === 0) return undefined;
  const length = daysBetween(from, cutoff) + 1 + HORIZON;
  const events = new Uint8Array(length);
  const expected = new Float64Array(length).fill(Number.NaN);
  for (const one of own) {
    const [first, last] = [daysBetween(from, one.from), daysBetween(from, one.to) + 1];
    events.fill(NUMBER[one.kind], Math.max(0, first), Math.max(0, last));
    expected.fill(one.expected === null ? Number.NaN : Number(one.expected), Math.max(0, first), Math.max(0, last));
  }
  return { events, expected };
}
