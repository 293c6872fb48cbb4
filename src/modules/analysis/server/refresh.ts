import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { rankStandsSelect } from '#modules/listing/server/index.ts';
import { listingProfit } from '#modules/profit/server/index.ts';
import { salesSitesSelect } from '#modules/sales/server/index.ts';
import { MADE } from './columns.ts';
import { factParts } from './facts.ts';
import { averageSql, type Weights } from './rules.ts';
import { weightsOf } from './weights.ts';

const DAY_MS = 86_400_000;
/** Facts are read this far back: thirty days of sales, and the reports may lag behind. */
const READ_DAYS = 45;
/** Days of profit; the last is the newest up to which orders have been read. */
const PROFIT_DAYS = 30;
/** A rank that was read longer ago than so many days is not shown as the present one. */
const RANK_DAYS = 7;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

const NAMES = Object.keys(MADE);
const COLUMNS = sql.raw(NAMES.join(', '));
const VALUES = sql.raw(NAMES.map((name) => `${MADE[name]} AS ${name}`).join(',\n           '));
const ASSIGNED = sql.raw(NAMES.map((name) => `${name} = excluded.${name}`).join(', '));
const OLD = sql.raw(NAMES.map((name) => `k.${name}`).join(', '));
const NEW = sql.raw(NAMES.map((name) => `excluded.${name}`).join(', '));

/** First day of the profit that ends with a day, both YYYY-MM-DD. */
export const profitFrom = (today: string): string => dayOf(Date.parse(today) - (PROFIT_DAYS - 1) * DAY_MS);

/** Listings `d` with their averages, and with those of the sites that they share a stock with. */
function listed(ctx: Ctx, { accountId, skus }: Touched, weights: Weights, today: string): RawBuilder<unknown> {
  const known = (column: string) => sql.raw(`CASE WHEN t.known THEN coalesce(s.${column}, 0) END AS ${column}`);
  const average = averageSql(
    {
      units30: sql.raw('e.units30'),
      units15: sql.raw('e.units15'),
      units7: sql.raw('e.units7'),
      openDays: sql.raw('e.today - (e.opened_at AT TIME ZONE e.zone)::date'),
      stock30: sql.raw('e.days30'),
      stock15: sql.raw('e.days15'),
      stock7: sql.raw('e.days7'),
    },
    weights,
  );
  return sql`
    each AS (
      SELECT l.listing_id, l.marketplace_id, l.seller_sku, l.asin, l.parent_asin, l.name, l.image, l.search, l.state,
             l.fulfilled_by, l.price, l.currency, l.quantity, l.opened_at, c.owner_id, coalesce(c.hidden, false) AS hidden,
             coalesce(c.remark, '') AS remark, coalesce(c.tag_ids, '{}') AS tag_ids, t.zone, t.today,
             coalesce(t.known, false) AS known, t.traffic_to, t.ads_to, ${today}::date AS profit_to,
             CASE l.fulfilled_by WHEN 'AMAZON' THEN coalesce(t.stock, l.marketplace_id) ELSE l.marketplace_id END AS pool,
             ${sql.join(['units7', 'units15', 'units30', 'orders30', 'sales7', 'sales30'].map(known))},
             y.days7, y.days15, y.days30
        FROM listing.product AS l
        LEFT JOIN site AS t ON t.marketplace_id = l.marketplace_id
        LEFT JOIN sold AS s ON s.marketplace_id = l.marketplace_id AND s.seller_sku = l.seller_sku
        LEFT JOIN stocked AS y ON y.marketplace_id = l.marketplace_id AND y.seller_sku = l.seller_sku
        LEFT JOIN analysis.listing_care AS c ON c.company_id = ${ctx.companyId} AND c.account_id = ${accountId}
         AND c.marketplace_id = l.marketplace_id AND c.seller_sku = l.seller_sku
       WHERE l.company_id = ${ctx.companyId} AND l.account_id = ${accountId}
         ${skus ? sql`AND l.seller_sku = ANY (${skus}::text[])` : sql``}),
    paced AS MATERIALIZED (SELECT e.*, ${average} AS avg_daily FROM each AS e),
    d AS MATERIALIZED (
      SELECT p.*, sum(p.avg_daily) OVER g AS pool_daily,
             greatest(1, (count(*) FILTER (WHERE p.state <> 'GONE') OVER g))::int AS pool_sites,
             p.marketplace_id = first_value(p.marketplace_id) OVER (
               g ORDER BY p.state = 'GONE', p.avg_daily DESC NULLS LAST, p.marketplace_id) AS leads
        FROM paced AS p
      WINDOW g AS (PARTITION BY p.pool, p.fulfilled_by = 'AMAZON', p.seller_sku))`;
}

/** Whose rows shall be made anew: some SKUs of an account in all of its marketplaces, or all of them. */
export interface Touched {
  accountId: string;
  skus?: readonly string[] | undefined;
}

/** The account's stores as the profit report names them, and the newest day up to which its orders have been read. */
async function presentOf(ctx: Ctx, accountId: string): Promise<{ stores: string[]; today: string }> {
  const { rows } = await sql<{ marketplace_id: string; today: string }>`
    SELECT marketplace_id, today FROM (${salesSitesSelect(ctx, accountId)}) AS s`.execute(ctx.db);
  const newest = rows
    .map((row) => row.today)
    .sort()
    .at(-1);
  return { stores: rows.map((row) => `${row.marketplace_id}-${accountId}`), today: newest ?? ctx.clock.today() };
}

async function merge(ctx: Ctx, of: Touched): Promise<number> {
  const { accountId, skus } = of;
  const { stores, today } = await presentOf(ctx, accountId);
  const from = dayOf(Date.parse(today) - READ_DAYS * DAY_MS);
  const profit = await listingProfit(ctx, {
    from: profitFrom(today),
    to: today,
    stores,
    skus,
  });
  const ranks = rankStandsSelect(ctx, { accountId, since: dayOf(Date.parse(today) - RANK_DAYS * DAY_MS), skus });
  const { numAffectedRows } = await sql`
    WITH ${factParts(ctx, { accountId, from, skus })},
    ranked AS MATERIALIZED (${ranks}),
    money AS MATERIALIZED (${profit}),
    ${listed(ctx, of, await weightsOf(ctx), today)}
    INSERT INTO analysis.listing_metric AS k
      (company_id, account_id, marketplace_id, seller_sku, as_of, ${COLUMNS})
    SELECT ${ctx.companyId}::uuid, ${accountId}::uuid, d.marketplace_id, d.seller_sku, kit.now(), ${VALUES}
      FROM d
     CROSS JOIN returns AS r
      LEFT JOIN returned AS b ON b.marketplace_id = d.marketplace_id AND b.seller_sku = d.seller_sku
      LEFT JOIN seen AS v ON v.marketplace_id = d.marketplace_id AND v.seller_sku = d.seller_sku
      LEFT JOIN advertised AS a ON a.marketplace_id = d.marketplace_id AND a.seller_sku = d.seller_sku
      LEFT JOIN lying AS f ON f.pool = d.pool AND f.seller_sku = d.seller_sku AND d.fulfilled_by <> 'MERCHANT'
      LEFT JOIN ranked AS o ON o.marketplace_id = d.marketplace_id AND o.asin = d.asin
      LEFT JOIN money AS m ON m.store_key = d.marketplace_id || '-' || ${accountId}::text AND m.sku = d.seller_sku
       AND m.currency = d.currency
    ON CONFLICT (company_id, account_id, marketplace_id, seller_sku) DO UPDATE SET as_of = excluded.as_of, ${ASSIGNED}
     WHERE (${OLD}) IS DISTINCT FROM (${NEW})`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

/** Takes rows away whose listing is gone, as with an upload that was undone. */
async function clear(ctx: Ctx, { accountId, skus }: Touched): Promise<void> {
  await sql`
    DELETE FROM analysis.listing_metric AS k
     WHERE k.company_id = ${ctx.companyId} AND k.account_id = ${accountId}
       ${skus ? sql`AND k.seller_sku = ANY (${skus}::text[])` : sql``}
       AND NOT EXISTS (SELECT FROM listing.product AS p
                        WHERE p.company_id = k.company_id AND p.account_id = k.account_id
                          AND p.marketplace_id = k.marketplace_id AND p.seller_sku = k.seller_sku)`.execute(ctx.db);
}

/**
 * Makes rows of the wall anew from the facts, by one statement in the caller's transaction; rows that come out the same are
 * left alone. Returns how many were written. One account is made by one at a time.
 */
export async function refresh(ctx: Ctx, of: Touched): Promise<number> {
  const key = `analysis:${ctx.companyId}:${of.accountId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  await clear(ctx, of);
  return merge(ctx, of);
}
