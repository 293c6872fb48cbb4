import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { indexTemporary } from '#kit/server/db/statistics.ts';

/** Days before an order's own that its prices are compared with. */
const PRICE_DAYS = 30;
/** A price that fewer pieces were sold at is no usual one. */
const LEAST_UNITS = 5;

/**
 * Notes what a piece of the SKUs of the watched orders usually cost before the days of the orders, as pg_temp.usual_price
 * (account_id, marketplace_id, seller_sku, local_date, currency, price): their sales over pieces. The days are read in one
 * range by index, however many SKUs were sold.
 */
export async function noteUsualPrices(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.usual_price, pg_temp.watched_sku`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE watched_sku ON COMMIT DROP AS
    SELECT DISTINCT l.account_id, l.marketplace_id, l.seller_sku, l.currency, l.local_date,
           l.local_date - ${sql.lit(PRICE_DAYS)}::int AS since
      FROM pg_temp.watched AS w
      JOIN "order".amazon_order_line AS l
        ON l.company_id = w.company_id AND l.selling_partner_id = w.selling_partner_id
       AND l.amazon_order_id = w.amazon_order_id`.execute(ctx.db);
  await indexTemporary(ctx, 'watched_sku', 'account_id, marketplace_id, seller_sku');
  const { rows } = await sql<{ from: string | null; to: string | null; accounts: string[] | null }>`
    SELECT min(since) AS from, max(local_date) AS to, array_agg(DISTINCT account_id)::text[] AS accounts
      FROM pg_temp.watched_sku`.execute(ctx.db);
  const [span] = rows;
  await sql`
    CREATE TEMP TABLE usual_price ON COMMIT DROP AS
    SELECT k.account_id, k.marketplace_id, k.seller_sku, k.local_date, k.currency,
           sum(s.product_sales) / nullif(sum(s.units - s.unpriced_units), 0) AS price
      FROM sales.sku_day AS s
      JOIN pg_temp.watched_sku AS k
        ON k.account_id = s.account_id AND k.marketplace_id = s.marketplace_id AND k.seller_sku = s.seller_sku
       AND k.currency = s.currency AND s.local_date >= k.since AND s.local_date < k.local_date
     WHERE s.company_id = ${ctx.companyId} AND s.account_id = ANY (${span?.accounts ?? []}::uuid[])
       AND s.local_date >= ${span?.from ?? null}::date AND s.local_date < ${span?.to ?? null}::date
     GROUP BY 1, 2, 3, 4, 5
    HAVING sum(s.units - s.unpriced_units) >= ${sql.lit(LEAST_UNITS)}`.execute(ctx.db);
  await indexTemporary(ctx, 'usual_price', 'account_id, marketplace_id, seller_sku, local_date');
}
