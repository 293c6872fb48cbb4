import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { poolStockSelect } from '#modules/inventory/server/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { poolPartsSelect } from '#modules/product/server/index.ts';
import { openPricesSelect } from '#modules/purchase/server/index.ts';
import { sentToAmazonSelect } from '#modules/shipping/server/index.ts';
import { expectedAtSelect, layersAtSelect, placesSelect } from '#modules/warehouse/server/index.ts';
import { percentSql } from './percent.ts';

const IDS = MARKETPLACES.map((one) => one.id);
const STOCKS = IDS.map(stockOf);

/** Makes a table of this transaction, and has the planner know it. */
async function keep(ctx: Ctx, name: string, rows: RawBuilder<unknown>): Promise<void> {
  const table = sql.table(`pg_temp.${name}`);
  await sql`DROP TABLE IF EXISTS ${table}`.execute(ctx.db);
  await sql`CREATE TEMP TABLE ${sql.table(name)} ON COMMIT DROP AS ${rows}`.execute(ctx.db);
  await sql`ANALYZE ${table}`.execute(ctx.db);
}

/** Warehouses; those that stand for a stock at Amazon's with its account and pool: see fbaCode(). */
const places = (ctx: Ctx) => sql`
  SELECT w.id, w.kind, w.quality, a.id AS account_id, CASE WHEN a.id IS NOT NULL THEN substr(w.code, 18) END AS pool
    FROM (${placesSelect(ctx)}) AS w
    LEFT JOIN marketplace.seller_account AS a ON a.company_id = ${ctx.companyId} AND w.kind = 'FBA'
     AND substr(w.code, 5, 12) = right(a.id::text, 12)`;

/**
 * Pieces at Amazon's and on their way there or back, in products. What our own ship orders have on their way stands in the
 * stock ledger: of what Amazon says is coming only what goes beyond that is added.
 */
const atAmazon = (ctx: Ctx, day: string, live: boolean) => sql`
  WITH sent AS (
    SELECT s.account_id, p.stock AS pool, s.msku AS seller_sku, sum(s.qty)::int AS qty
      FROM (${sentToAmazonSelect(ctx)}) AS s
      JOIN unnest(${IDS}::text[], ${STOCKS}::text[]) AS p (site, stock) ON p.site = s.marketplace_id GROUP BY 1, 2, 3)
  SELECT s.account_id, s.pool, s.seller_sku, s.kind, s.disposition, coalesce(m.product_id, p.id) AS product_id,
         (greatest(0, s.qty - CASE WHEN s.kind = 'INBOUND' THEN coalesce(t.qty, 0) ELSE 0 END) * coalesce(m.qty, 1))::int AS qty
    FROM (${poolStockSelect(ctx, live ? null : day, day)}) AS s
    LEFT JOIN sent AS t ON t.account_id = s.account_id AND t.pool = s.pool AND t.seller_sku = s.seller_sku
    LEFT JOIN (${poolPartsSelect(ctx, day, IDS, STOCKS)}) AS m
      ON m.account_id = s.account_id AND m.pool = s.pool AND m.seller_sku = s.seller_sku
    LEFT JOIN product.local_product AS p ON m.product_id IS NULL AND p.company_id = ${ctx.companyId}
     AND p.sku_key = lower(btrim(s.seller_sku)) AND NOT p.is_spelling`;

/**
 * What pieces of a product in a stock at Amazon's cost: the newest that arrived there are those that are left, priced by their
 * layers; pieces beyond all layers by the purchase cost that held on the day.
 */
const prices = (ctx: Ctx, day: string) => sql`
  WITH need AS (
    SELECT account_id, pool, product_id, sum(qty)::int AS qty FROM pg_temp.worth_amazon
     WHERE product_id IS NOT NULL AND qty > 0 GROUP BY 1, 2, 3),
  laid AS (
    SELECT n.account_id, n.pool, n.product_id, l.qty, l.amount, l.first_leg, l.duty, l.other,
           greatest(0, least(l.qty, n.qty - (sum(l.qty) OVER upto - l.qty))) AS take
      FROM need AS n
      JOIN pg_temp.worth_place AS w ON w.account_id = n.account_id AND w.pool = n.pool
      JOIN pg_temp.worth_layer AS l ON l.warehouse_id = w.id AND l.product_id = n.product_id AND NOT l.in_transit
    WINDOW upto AS (PARTITION BY n.account_id, n.pool, n.product_id ORDER BY l.original_date DESC, l.layer_id DESC)),
  covered AS (
    SELECT account_id, pool, product_id, sum(take)::int AS qty, sum(round(amount * take / qty, 4)) AS amount,
           sum(round(first_leg * take / qty, 4)) AS first_leg, sum(round(duty * take / qty, 4)) AS duty,
           sum(round(other * take / qty, 4)) AS other
      FROM laid WHERE take > 0 GROUP BY 1, 2, 3)
  SELECT n.account_id, n.pool, n.product_id, n.qty, coalesce(c.qty, 0) AS covered,
         CASE WHEN k.unit_cost IS NULL THEN n.qty - coalesce(c.qty, 0) ELSE 0 END AS uncosted,
         coalesce(c.amount - c.first_leg - c.duty - c.other, 0)
           + round((n.qty - coalesce(c.qty, 0)) * coalesce(k.unit_cost, 0), 4) AS purchase,
         coalesce(c.first_leg, 0) AS first_leg, coalesce(c.duty, 0) AS duty, coalesce(c.other, 0) AS other,
         CASE WHEN c.qty >= n.qty THEN 'LAYER' WHEN c.qty > 0 THEN CASE WHEN k.unit_cost IS NULL THEN 'LAYER' ELSE 'MIXED' END
              WHEN k.unit_cost IS NULL THEN 'NONE' ELSE 'COST' END AS source
    FROM need AS n
    LEFT JOIN covered AS c ON c.account_id = n.account_id AND c.pool = n.pool AND c.product_id = n.product_id
    LEFT JOIN LATERAL (
      SELECT u.unit_cost FROM product.local_product AS p
        JOIN product.local_product AS s ON s.company_id = p.company_id AND s.sku_key = p.sku_key
        JOIN product.sku_cost AS u ON u.company_id = s.company_id AND u.sku = s.sku AND u.valid_from <= ${day}::date
       WHERE p.company_id = ${ctx.companyId} AND p.id = n.product_id AND coalesce(c.qty, 0) < n.qty
       ORDER BY u.valid_from DESC, s.is_spelling LIMIT 1) AS k ON true`;

/** Part of a sum that falls to a row, so that the rows of a product add up to it exactly: by pieces, the rest to the last. */
const part = (column: string) =>
  sql`round(p.${sql.ref(column)} * u.upto / p.qty, 4) - round(p.${sql.ref(column)} * (u.upto - u.qty) / p.qty, 4)`;

const amazonLines = () => sql`
  SELECT CASE u.kind WHEN 'REMOVAL' THEN 'REMOVAL' ELSE 'FBA_' || u.kind END AS stage, NULL::uuid AS warehouse_id,
         u.account_id, u.pool, u.seller_sku, u.product_id, u.disposition, coalesce(p.source, 'NONE') AS source, u.qty,
         CASE WHEN p.qty IS NULL THEN u.qty
              ELSE (p.uncosted::bigint * u.upto / p.qty - p.uncosted::bigint * (u.upto - u.qty) / p.qty)::int END AS uncosted,
         coalesce(${part('purchase')}, 0) AS purchase, coalesce(${part('first_leg')}, 0) AS first_leg,
         coalesce(${part('duty')}, 0) AS duty, coalesce(${part('other')}, 0) AS other
    FROM (SELECT a.*, sum(a.qty) OVER (PARTITION BY a.account_id, a.pool, a.product_id
                   ORDER BY a.seller_sku, a.kind, a.disposition) AS upto
            FROM pg_temp.worth_amazon AS a WHERE a.qty > 0) AS u
    LEFT JOIN pg_temp.worth_price AS p ON p.account_id = u.account_id AND p.pool = u.pool AND p.product_id = u.product_id`;

/** What the stock ledger alone knows: own warehouses and all that is on its way to a warehouse or to Amazon's. */
const ownLines = () => sql`
  SELECT CASE WHEN w.kind = 'TRANSIT' OR (l.in_transit AND w.kind <> 'LOCAL') THEN 'FIRST_LEG'
              WHEN l.in_transit THEN 'TRANSFER' WHEN w.kind = 'LOCAL' THEN 'LOCAL' WHEN w.kind = 'AWD' THEN 'AWD'
              ELSE 'OVERSEAS' END AS stage,
         CASE WHEN w.account_id IS NULL THEN w.id END AS warehouse_id, w.account_id, w.pool, '' AS seller_sku, l.product_id,
         CASE WHEN w.quality = 'DEFECTIVE' AND NOT l.in_transit THEN 'LOCAL_DEFECT' ELSE '' END AS disposition,
         CASE WHEN sum(l.amount) = 0 THEN 'NONE' ELSE 'LAYER' END AS source, sum(l.qty)::int AS qty,
         CASE WHEN sum(l.amount) = 0 THEN sum(l.qty)::int ELSE 0 END AS uncosted,
         sum(l.amount - l.first_leg - l.duty - l.other) AS purchase, sum(l.first_leg) AS first_leg, sum(l.duty) AS duty,
         sum(l.other) AS other
    FROM pg_temp.worth_layer AS l JOIN pg_temp.worth_place AS w ON w.id = l.warehouse_id
   WHERE w.kind <> 'FBA' OR l.in_transit GROUP BY 1, 2, 3, 4, l.product_id, 7`;

const orderedLines = (ctx: Ctx, day: string) => sql`
  SELECT 'ORDERED', e.warehouse_id, NULL::uuid, NULL, '', e.product_id, '',
         CASE WHEN p.unit IS NULL THEN 'NONE' ELSE 'ORDER' END, e.qty, CASE WHEN p.unit IS NULL THEN e.qty ELSE 0 END,
         coalesce(round(e.qty * p.unit, 4), 0), 0, 0, 0
    FROM (${expectedAtSelect(ctx, day)}) AS e
    LEFT JOIN (${openPricesSelect(ctx)}) AS p ON p.product_id = e.product_id AND p.warehouse_id = e.warehouse_id`;

/**
 * Makes the table `worth_now` of the transaction: what everything was worth at the end of a day of the company, a row per
 * stage, place, SKU, product and disposition; CNY. `live`: the day is today, and Amazon's stock is what it is now.
 */
export async function gatherLines(ctx: Ctx, day: string, live: boolean): Promise<void> {
  await keep(ctx, 'worth_place', places(ctx));
  await keep(ctx, 'worth_layer', layersAtSelect(ctx, day));
  await keep(ctx, 'worth_amazon', atAmazon(ctx, day, live));
  await keep(ctx, 'worth_price', prices(ctx, day));
  await keep(
    ctx,
    'worth_now',
    sql`
    SELECT md5(concat_ws('|', x.stage, x.warehouse_id, x.account_id, x.pool, x.seller_sku, x.product_id, x.disposition))::uuid AS key,
           x.*, round((x.purchase + x.first_leg + x.duty + x.other) * coalesce(r.percent, 0) / 100, 4) AS reserve
      FROM (${amazonLines()} UNION ALL ${ownLines()} UNION ALL ${orderedLines(ctx, day)}) AS x
      LEFT JOIN (${percentSql(ctx, day)}) AS r ON r.disposition = x.disposition`,
  );
}
