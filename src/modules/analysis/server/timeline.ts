import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { stockDaysSelect } from '#modules/inventory/server/index.ts';
import { type ListingEvent, listingEvents } from '#modules/listing/server/index.ts';
import type { listingTimeline } from '../contract/trend.ts';
import type { DbRow } from './relation.ts';
import { rowOf, zoneOf } from './trend.ts';

const DAY_MS = 86_400_000;
const MOST = 500;

/** Days on which a stock at Amazon's ran out or came back, at the end of the day of the site. */
async function stockEvents(ctx: Ctx, row: DbRow, from: string): Promise<ListingEvent[]> {
  const of = { accountId: row.account_id, from: from.slice(0, 10), skus: [row.seller_sku ?? ''] };
  const { rows } = await sql<ListingEvent>`
    SELECT (day + 1)::timestamp AT TIME ZONE ${zoneOf(row)} AS at, 'stock' AS kind, '' AS by,
           CASE WHEN fulfillable = 0 THEN 'FBA 可售库存为 0，断货' ELSE 'FBA 恢复可售，' || fulfillable || ' 件' END AS text
      FROM (SELECT day, fulfillable, lag(fulfillable) OVER (ORDER BY day) AS before
              FROM (${stockDaysSelect(ctx, of)}) AS d WHERE marketplace_id = ${row.marketplace_id}) AS days
     WHERE before IS NOT NULL AND (before = 0) <> (fulfillable = 0)`.execute(ctx.db);
  return rows;
}

/** What happened to a listing in so many days, newest first. @throws 404 for anybody else's */
export async function timelineOf(ctx: Ctx, id: string, days: number): Promise<z.output<typeof listingTimeline.reply>> {
  const row = await rowOf(ctx, id);
  // By the days of the facts, as the trend: a marketplace that is read late has its past all the same.
  const from = new Date(Date.parse(row.sales_to ?? ctx.clock.today()) - days * DAY_MS).toISOString();
  const key = {
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    sellerSku: row.seller_sku ?? '',
    asin: row.asin,
  };
  const events = await stockEvents(ctx, row, from);
  for (const one of extensionsOf(ctx.runtime.modules, listingEvents)) events.push(...(await one.of(ctx, key, from)));
  return { events: events.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, MOST) };
}
