import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { StockDay } from '../../contract/inventory.ts';
import { newestRecords } from './records.ts';

const RECORDS = 200;

/**
 * Stock at the end of each day of the company, oldest first. Past days come from the snapshots, and what the snapshots have
 * not followed yet from the entries, so the last day is the stock of now.
 */
async function daysOf(ctx: Ctx, product: string, warehouse: string | null, days: number): Promise<StockDay[]> {
  const { rows } = await sql<StockDay>`
    WITH span AS (SELECT warehouse.today() - ${days - 1}::int AS first, warehouse.today() AS last),
    fresh AS (
      SELECT e.business_date, e.status, e.qty
        FROM warehouse.stock_posting AS p
        JOIN warehouse.stock_entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id
       WHERE p.company_id = ${ctx.companyId} AND e.product_id = ${product} AND e.status NOT IN ('OUTSIDE', 'EXPECTED')
         AND (${warehouse}::uuid IS NULL OR e.warehouse_id = ${warehouse}::uuid)
         AND p.xid >= coalesce((SELECT upto FROM warehouse.snapshot_progress WHERE company_id = ${ctx.companyId}), '0'::xid8)
    ), cell AS (
      SELECT DISTINCT warehouse_id, status FROM warehouse.daily_snapshot
       WHERE company_id = ${ctx.companyId} AND product_id = ${product}
         AND (${warehouse}::uuid IS NULL OR warehouse_id = ${warehouse}::uuid) AND status <> 'EXPECTED'
    ), closing AS (
      SELECT g.day::date AS day, c.status, s.qty
        FROM span, generate_series(span.first, span.last, interval '1 day') AS g(day)
        CROSS JOIN cell AS c
        CROSS JOIN LATERAL (SELECT d.qty FROM warehouse.daily_snapshot AS d
           WHERE d.company_id = ${ctx.companyId} AND d.warehouse_id = c.warehouse_id AND d.product_id = ${product}
             AND d.status = c.status AND d.business_date <= g.day::date ORDER BY d.business_date DESC LIMIT 1) AS s
      UNION ALL
      SELECT g.day::date, f.status, f.qty
        FROM span, generate_series(span.first, span.last, interval '1 day') AS g(day)
        JOIN fresh AS f ON f.business_date <= g.day::date
    )
    SELECT g.day::date AS day,
           coalesce(sum(c.qty) FILTER (WHERE c.status = 'AVAILABLE'), 0) AS available,
           coalesce(sum(c.qty) FILTER (WHERE c.status = 'RESERVED'), 0) AS reserved,
           coalesce(sum(c.qty) FILTER (WHERE c.status = 'IN_TRANSIT'), 0) AS "inTransit",
           coalesce(sum(c.qty) FILTER (WHERE c.status IN ('QUARANTINE', 'PROCESSING', 'DEFECTIVE')), 0) AS other,
           coalesce(sum(c.qty), 0) AS total
      FROM span, generate_series(span.first, span.last, interval '1 day') AS g(day)
      LEFT JOIN closing AS c ON c.day = g.day::date
     GROUP BY 1 ORDER BY 1`.execute(ctx.db);
  return rows;
}

/** One product through its last days, with the documents that moved it. @throws 404 for a product of nobody's */
export async function timeline(ctx: Ctx, input: { productId: string; warehouseId?: string | undefined; days: number }) {
  const { productId, warehouseId, days } = input;
  const product = await ctx.db
    .selectFrom('product.local_product')
    .select(['sku', 'name', 'image'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', productId)
    .executeTakeFirst();
  if (!product) throw notFound('产品不存在或已删除');
  const series = await daysOf(ctx, productId, warehouseId ?? null, days);
  const records = await newestRecords(
    ctx,
    { sku: product.sku, ...(warehouseId ? { warehouses: [warehouseId] } : {}), period: { from: series[0]?.day } },
    RECORDS,
  );
  return {
    product: { name: product.name || product.sku, code: product.sku, image: product.image },
    days: series,
    // Amounts are left to the list, which knows who may see them.
    records: records.map((row) => ({ ...row, unitCost: null, amount: null })),
  };
}
