import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { stockAsOf } from '#modules/inventory/server/index.ts';
import { unitsSelect } from '#modules/sales/server/index.ts';
import type { HomeFilter, stock } from '../contract.ts';
import { sitesOf } from './setup.ts';

/** Days of cover, in classes. The first three agree with the tabs of the stock list. */
const BARS = [
  ['out', '断货'],
  ['low', '<14'],
  ['d30', '14–30'],
  ['d60', '31–60'],
  ['d90', '61–90'],
  ['d180', '91–180'],
  ['more', '>180'],
] as const;

/** Pieces for sale soon over the daily average of the last 30 days, as the stock list counts it. */
const COVER = `(s.fulfillable + coalesce(s.reserved_transfer, 0) + coalesce(s.reserved_processing, 0)) * 30.0
               / nullif(u.units, 0)`;

const CLASS = `CASE WHEN s.fulfillable = 0 THEN 'out' WHEN coalesce(u.units, 0) = 0 THEN 'still'
  WHEN round(${COVER}, 1) < 14 THEN 'low' WHEN ${COVER} <= 30 THEN 'd30' WHEN ${COVER} <= 60 THEN 'd60'
  WHEN ${COVER} <= 90 THEN 'd90' WHEN ${COVER} <= 180 THEN 'd180' ELSE 'more' END`;

/** Stock at Amazon now: pieces, SKUs that ran or run out, and SKUs by days of cover. The period does not matter. */
export async function stockOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof stock>> {
  if (!can(ctx, 'amz:inventory:view')) return null;
  const sites = await sitesOf(ctx, filter);
  const all = filter.accountIds.length === 0 && filter.marketplaceIds.length === 0;
  if (sites.length === 0 && !all)
    return { fulfillable: 0, inbound: 0, out: 0, low: 0, bars: [], still: 0, excess: 0, asOf: null };
  const chosen = all ? sql`true` : sql`(s.marketplace_id || '-' || s.account_id) = ANY (${sites}::text[])`;
  const { rows } = await sql<{ key: string; skus: number; fulfillable: number; inbound: number }>`
    WITH u AS MATERIALIZED (${unitsSelect(ctx, 30)})
    SELECT ${sql.raw(CLASS)} AS key, count(*)::int AS skus, sum(s.fulfillable)::int AS fulfillable,
           sum(s.inbound)::int AS inbound
      FROM inventory.fba_stock AS s
      LEFT JOIN u
        ON u.account_id = s.account_id AND u.marketplace_id = s.marketplace_id AND u.seller_sku = s.seller_sku
     WHERE s.company_id = ${ctx.companyId} AND ${chosen} GROUP BY 1`.execute(ctx.db);
  const skusOf = (key: string) => rows.find((row) => row.key === key)?.skus ?? 0;
  const sum = (field: 'fulfillable' | 'inbound') => rows.reduce((total, row) => total + row[field], 0);
  return {
    fulfillable: sum('fulfillable'),
    inbound: sum('inbound'),
    out: skusOf('out'),
    low: skusOf('low'),
    bars: BARS.map(([key, name]) => ({ key, name, skus: skusOf(key) })),
    still: skusOf('still'),
    excess: skusOf('more') + skusOf('still'),
    asOf: await stockAsOf(ctx),
  };
}
