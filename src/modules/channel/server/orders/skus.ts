import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** The binding `b` that held for a SKU on the day of its order `o`, as LATERAL; of its line `l`. */
export const boundThen = (ctx: Ctx) => sql`LATERAL (
  SELECT b.product_id, b.units FROM channel.sku_binding AS b
   WHERE b.company_id = ${ctx.companyId} AND b.shop_id = l.shop_id AND b.platform_sku = l.platform_sku AND b.valid_from <= o.day
   ORDER BY b.valid_from DESC LIMIT 1)`;

/**
 * Counts the lines of SKUs anew after lines or bindings of them changed, by their index.
 * @param table a temporary table with the columns shop_id and platform_sku
 */
export async function recountSkus(ctx: Ctx, table: string): Promise<void> {
  const { companyId } = ctx;
  await sql`
    WITH asked AS MATERIALIZED (SELECT DISTINCT shop_id, platform_sku FROM ${sql.table(`pg_temp.${table}`)}),
    counted AS MATERIALIZED (
      SELECT l.shop_id, l.platform_sku, count(*)::int AS lines,
             (count(*) FILTER (WHERE b.product_id IS NULL))::int AS open_lines,
             coalesce(sum(l.qty) FILTER (WHERE b.product_id IS NULL), 0)::int AS open_units, min(o.day) AS first_day, max(o.day) AS last_day
        FROM asked AS a
        JOIN channel.platform_line AS l ON l.company_id = ${companyId} AND l.shop_id = a.shop_id AND l.platform_sku = a.platform_sku
        JOIN channel.platform_order AS o ON o.company_id = ${companyId} AND o.shop_id = l.shop_id AND o.order_no = l.order_no
        LEFT JOIN ${boundThen(ctx)} AS b ON true
       GROUP BY l.shop_id, l.platform_sku),
    gone AS (
      DELETE FROM channel.platform_sku AS s USING asked AS a
       WHERE s.company_id = ${companyId} AND s.shop_id = a.shop_id AND s.platform_sku = a.platform_sku
         AND NOT EXISTS (SELECT FROM counted AS c WHERE c.shop_id = a.shop_id AND c.platform_sku = a.platform_sku))
    INSERT INTO channel.platform_sku (company_id, shop_id, platform_sku, lines, open_lines, open_units, first_day, last_day)
    SELECT ${companyId}::uuid, c.* FROM counted AS c
    ON CONFLICT (company_id, shop_id, platform_sku) DO UPDATE
       SET lines = excluded.lines, open_lines = excluded.open_lines, open_units = excluded.open_units,
           first_day = excluded.first_day, last_day = excluded.last_day`.execute(ctx.db);
}
