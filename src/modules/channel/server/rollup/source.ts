import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { leavesOnDaysSelect, partsOnDaysSelect } from '#modules/product/server/index.ts';

const IDS = MARKETPLACES.map((one) => one.id);
const COUNTRIES = MARKETPLACES.map((one) => one.country);

/** Amazon's marketplaces as `c` (id, country). */
export const sites = () => sql`unnest(${IDS}::text[], ${COUNTRIES}::text[]) AS c (id, country)`;

/** What was sold under the SKUs of pg_temp.channel_scope by day: Amazon's by its rollup, the others' by their lines. */
const source = ({ companyId }: Ctx) => sql`
  SELECT s.account_id AS shop_id, c.country, s.seller_sku AS platform_sku, s.local_date AS day, s.currency,
         'AMAZON' AS platform, s.marketplace_id, sum(s.units)::numeric AS units, sum(s.product_sales - s.discount) AS sales,
         NULL::numeric AS ship_fee, NULL::numeric AS commission
    FROM pg_temp.channel_scope AS k
    JOIN marketplace.seller_marketplace AS m ON m.company_id = ${companyId} AND m.account_id = k.shop_id
    JOIN ${sites()} ON c.id = m.marketplace_id
    JOIN sales.sku_day AS s ON s.company_id = ${companyId} AND s.account_id = k.shop_id AND s.marketplace_id = m.marketplace_id
     AND s.seller_sku = k.platform_sku AND s.local_date BETWEEN k.from_day AND k.to_day
   GROUP BY s.account_id, c.country, s.seller_sku, s.local_date, s.currency, s.marketplace_id
  HAVING sum(s.units) <> 0 OR sum(s.product_sales - s.discount) <> 0
  UNION ALL
  SELECT l.shop_id, o.country, l.platform_sku, o.day, l.currency, h.platform, NULL, sum(l.qty)::numeric, sum(l.sales),
         sum(l.ship_fee), sum(l.commission)
    FROM pg_temp.channel_scope AS k
    JOIN channel.shop AS h ON h.company_id = ${companyId} AND h.id = k.shop_id
    JOIN channel.platform_line AS l ON l.company_id = ${companyId} AND l.shop_id = k.shop_id AND l.platform_sku = k.platform_sku
    JOIN channel.platform_order AS o ON o.company_id = ${companyId} AND o.shop_id = l.shop_id AND o.order_no = l.order_no
     AND o.day BETWEEN k.from_day AND k.to_day
   GROUP BY l.shop_id, o.country, l.platform_sku, o.day, l.currency, h.platform`;

/** The same with the products that each SKU stood for on its day, one row each. */
const parted = (ctx: Ctx) => sql`
  SELECT s.*, p.product_id, p.qty
    FROM pg_temp.channel_source AS s
    JOIN (${partsOnDaysSelect(ctx, sql`pg_temp.channel_asked`)}) AS p ON p.account_id = s.shop_id AND p.marketplace_id = s.marketplace_id
     AND p.seller_sku = s.platform_sku AND p.day = s.day
   WHERE s.platform = 'AMAZON'
  UNION ALL
  SELECT s.*, b.product_id, b.units
    FROM pg_temp.channel_source AS s
   CROSS JOIN LATERAL (
     SELECT b.product_id, b.units FROM channel.sku_binding AS b
      WHERE b.company_id = ${ctx.companyId} AND b.shop_id = s.shop_id AND b.platform_sku = s.platform_sku AND b.valid_from <= s.day
      ORDER BY b.valid_from DESC LIMIT 1) AS b
   WHERE s.platform <> 'AMAZON'`;

/** Purchase cost in CNY of one piece of a product on a day, as LATERAL. */
const costOn = ({ companyId }: Ctx, product: string, day: string) => sql`LATERAL (
  SELECT c.unit_cost FROM product.local_product AS p
    JOIN product.sku_cost AS c ON c.company_id = p.company_id AND c.sku = p.sku
   WHERE p.company_id = ${companyId} AND p.id = ${sql.ref(product)} AND c.valid_from <= ${sql.ref(day)}
   ORDER BY c.valid_from DESC LIMIT 1)`;

/** What each product cost on each day; a bundle without a cost of its own what its parts cost, if that is known of all. */
const costs = (ctx: Ctx) => sql`
  SELECT a.product_id, a.day, coalesce(own.unit_cost, made.unit_cost) AS unit_cost, made.product_id IS NOT NULL AS is_bundle
    FROM pg_temp.channel_pair AS a
    LEFT JOIN ${costOn(ctx, 'a.product_id', 'a.day')} AS own ON true
    LEFT JOIN (SELECT l.product_id, l.day, CASE WHEN count(*) = count(o.unit_cost) THEN sum(l.qty * o.unit_cost) END AS unit_cost
                 FROM pg_temp.channel_leaf AS l LEFT JOIN ${costOn(ctx, 'l.part_id', 'l.day')} AS o ON true
                GROUP BY l.product_id, l.day) AS made ON made.product_id = a.product_id AND made.day = a.day`;

const KEY = sql.raw('g.shop_id, g.country, g.platform_sku, g.day, g.currency');
/** A product's share of an amount: what all up to it have together less what those before it have, so that shares add up. */
const share = (amount: string) =>
  sql.raw(
    `round(g.${amount} * g.upto / g.whole, 4) - round(g.${amount} * (g.upto - g.weight) / g.whole, 4) AS ${amount}`,
  );

/** Rows of channel.sold_day, without company, out of the steps before. */
const rows = sql`
  WITH weighed AS (
    SELECT p.*, c.unit_cost, c.is_bundle,
           p.qty * CASE WHEN count(nullif(c.unit_cost, 0)) OVER w = count(*) OVER w THEN c.unit_cost ELSE 1 END AS weight
      FROM pg_temp.channel_part AS p JOIN pg_temp.channel_cost AS c ON c.product_id = p.product_id AND c.day = p.day
    WINDOW w AS (PARTITION BY p.shop_id, p.country, p.platform_sku, p.day, p.currency)),
  summed AS (
    SELECT g.*, sum(g.weight) OVER (PARTITION BY ${KEY} ORDER BY g.product_id) AS upto,
           sum(g.weight) OVER (PARTITION BY ${KEY}) AS whole
      FROM weighed AS g)
  SELECT ${KEY}, g.product_id, 'sold' AS via, g.platform, round(g.units * g.qty, 4) AS units, g.is_bundle, ${share('sales')},
         ${share('ship_fee')}, ${share('commission')}, round(g.units * g.qty * g.unit_cost, 4) AS cost
    FROM summed AS g
  UNION ALL
  SELECT ${KEY}, l.part_id, 'part', min(g.platform), round(sum(g.units * g.qty * l.qty), 4), false, 0, NULL, NULL, NULL
    FROM pg_temp.channel_part AS g JOIN pg_temp.channel_leaf AS l ON l.product_id = g.product_id AND l.day = g.day
   GROUP BY ${KEY}, l.part_id`;

/** Makes a temporary table and has its rows counted, so that what joins it is planned by how many there are. */
async function staged(ctx: Ctx, table: string, rows: RawBuilder<unknown>): Promise<void> {
  const name = sql.table(`pg_temp.${table}`);
  await sql`DROP TABLE IF EXISTS ${name}`.execute(ctx.db);
  await sql`CREATE TEMP TABLE ${sql.table(table)} ON COMMIT DROP AS ${rows}`.execute(ctx.db);
  await sql`ANALYZE ${name}`.execute(ctx.db);
}

/**
 * Makes pg_temp.channel_fresh: the rows of channel.sold_day, without company, for the SKUs and days of pg_temp.channel_scope, all that
 * there is to say of them. A SKU of several products shares its money by what they cost, by pieces where that is not known of
 * all. It goes step by step, each counted: one statement would be planned by what is known of tables that were filled just now,
 * which is nothing.
 */
export async function makeFresh(ctx: Ctx): Promise<void> {
  await staged(ctx, 'channel_source', source(ctx));
  await staged(
    ctx,
    'channel_asked',
    sql`SELECT DISTINCT shop_id AS account_id, marketplace_id, platform_sku AS seller_sku, day FROM pg_temp.channel_source
         WHERE platform = 'AMAZON'`,
  );
  await staged(ctx, 'channel_part', parted(ctx));
  await staged(ctx, 'channel_pair', sql`SELECT DISTINCT product_id, day FROM pg_temp.channel_part`);
  await staged(ctx, 'channel_leaf', leavesOnDaysSelect(ctx, sql`pg_temp.channel_pair`));
  await staged(ctx, 'channel_cost', costs(ctx));
  await staged(ctx, 'channel_fresh', rows);
}
