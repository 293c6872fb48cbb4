import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { SalesVelocity } from '#modules/inventory/server/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { ordersAsOf, ordersReadUpToSelect } from '#modules/order/server/index.ts';

/** A SKU of a store. */
export interface SkuKey {
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
}

/** Key of a SKU in the answers of this module. */
export function skuKey(key: SkuKey): string {
  return `${key.accountId}|${key.marketplaceId}|${key.sellerSku}`;
}

interface UnitsRow {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  units: number;
}

const ZONES = MARKETPLACES.map((one) => one.id);
const ZONE_NAMES = MARKETPLACES.map((one) => one.timeZone);

/**
 * The sites with their present day, and with the days before it that count. Both ends are computed first: row-level security
 * lets an index be read by plain columns only, and a difference of dates would have the whole history read.
 */
function soldSince(
  ctx: Pick<Ctx, 'companyId'>,
  days: number,
  sums: RawBuilder<unknown>,
  skus?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // Of all SKUs the days are found by their index, for which both ends stand beside the site's own.
  const only = skus
    ? sql`AND s.seller_sku IN (${skus})`
    : sql`AND s.local_date >= (SELECT min(since) FROM site) AND s.local_date < (SELECT max(today) FROM site)`;
  return sql`
    WITH site AS MATERIALIZED (
      SELECT m.account_id, m.marketplace_id, t.today, t.today - ${days}::int AS since
        FROM marketplace.seller_marketplace AS m
        LEFT JOIN unnest(${ZONES}::text[], ${ZONE_NAMES}::text[]) AS z (id, zone) ON z.id = m.marketplace_id
        LEFT JOIN (${ordersReadUpToSelect(ctx)}) AS c ON c.account_id = m.account_id
        CROSS JOIN LATERAL (
          SELECT (coalesce(c.read_to, kit.now()) AT TIME ZONE coalesce(z.zone, 'UTC'))::date AS today) AS t
       WHERE m.company_id = ${ctx.companyId})
    SELECT s.account_id, s.marketplace_id, s.seller_sku, ${sums}
      FROM site AS d
      JOIN sales.sku_day AS s ON s.company_id = ${ctx.companyId} AND s.account_id = d.account_id
       AND s.marketplace_id = d.marketplace_id AND s.local_date >= d.since AND s.local_date < d.today ${only}
     GROUP BY s.account_id, s.marketplace_id, s.seller_sku`;
}

/**
 * SELECT of units per (account_id, marketplace_id, seller_sku) over the last `days` whole days of the marketplace,
 * ending with the day before its present one. The present day is that up to which the account's orders have been read,
 * in marketplace time, so a feed that stands still does not thin the average; without a feed it is today.
 */
export function unitsSelect(
  ctx: Pick<Ctx, 'companyId'>,
  days: number,
  skus?: RawBuilder<unknown>,
): RawBuilder<UnitsRow> {
  return soldSince(ctx, days, sql`sum(s.units)::int AS units`, skus) as RawBuilder<UnitsRow>;
}

/** Units of a SKU in its last 7, 14 and 30 whole marketplace days. */
export interface PaceRow {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  units7: number;
  units14: number;
  units30: number;
}

/**
 * The same over 7, 14 and 30 days at once: the SKU's days are read once.
 * @param skus a SELECT of the SKUs that are asked for, where not all are
 */
export function paceSelect(ctx: Pick<Ctx, 'companyId'>, skus?: RawBuilder<unknown>): RawBuilder<PaceRow> {
  const sums = sql`coalesce(sum(s.units) FILTER (WHERE s.local_date >= d.today - 7), 0)::int AS units7,
           coalesce(sum(s.units) FILTER (WHERE s.local_date >= d.today - 14), 0)::int AS units14,
           sum(s.units)::int AS units30`;
  return soldSince(ctx, 30, sums, skus) as RawBuilder<PaceRow>;
}

/** Units of the last 30 days under the name that stock lists ask for. */
export const salesOf30Days: SalesVelocity = {
  units30: (ctx, skus) =>
    sql`SELECT account_id, marketplace_id, seller_sku, units AS units30 FROM (${unitsSelect(ctx, 30, skus)}) AS sold`,
};

/** Units of the given SKUs over the last `days` whole marketplace days, by skuKey; a SKU that sold nothing has 0. */
export async function unitsOfDays(
  ctx: Pick<Ctx, 'db' | 'companyId'>,
  keys: readonly SkuKey[],
  days: number,
): Promise<Map<string, number>> {
  const units = new Map(keys.map((key) => [skuKey(key), 0]));
  if (keys.length === 0) return units;
  const { rows } = await sql<UnitsRow>`
    SELECT u.* FROM (${unitsSelect(ctx, days)}) AS u
     WHERE (u.account_id, u.marketplace_id, u.seller_sku) IN (
       SELECT * FROM unnest(${keys.map((k) => k.accountId)}::uuid[], ${keys.map((k) => k.marketplaceId)}::text[],
                            ${keys.map((k) => k.sellerSku)}::text[]))`.execute(ctx.db);
  for (const row of rows) {
    const { account_id: accountId, marketplace_id: marketplaceId, seller_sku: sellerSku } = row;
    units.set(skuKey({ accountId, marketplaceId, sellerSku }), row.units);
  }
  return units;
}

/**
 * How fresh the sales figures are: the older of the last look at the orders of the accounts (all where none is named)
 * and the oldest mark that is not folded yet. Null before the first look.
 */
export async function salesAsOf(
  ctx: Pick<Ctx, 'db' | 'companyId'>,
  accountIds?: readonly string[],
): Promise<string | null> {
  const only = accountIds?.length ? sql`AND account_id = ANY (${accountIds}::uuid[])` : sql``;
  const { rows } = await sql<{ at: string | null }>`
    SELECT min(at) AS at FROM sales.dirty WHERE company_id = ${ctx.companyId} ${only}`.execute(ctx.db);
  const known = [await ordersAsOf(ctx, accountIds), rows[0]?.at ?? null].filter((at) => at !== null);
  return known.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}
