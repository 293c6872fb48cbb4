import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/**
 * What may stand on the label of a product, by its id: SKU, barcode, and the platform SKUs that stand for one piece of it
 * today and of nothing else.
 */
export async function codesOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; codes: string[] }>`
    SELECT p.id, array_remove(ARRAY[p.sku, p.barcode], NULL) || coalesce((
             SELECT array_agg(DISTINCT m.msku) FROM product.sku_match_line AS n
               JOIN product.sku_match AS m ON m.company_id = n.company_id AND m.id = n.match_id
              WHERE n.company_id = p.company_id AND n.product_id = p.id AND n.qty = 1 AND m.period @> ${ctx.clock.today()}::date
                AND NOT EXISTS (SELECT FROM product.sku_match_line AS o WHERE o.company_id = n.company_id
                      AND o.match_id = n.match_id AND o.product_id <> n.product_id)), '{}') AS codes
      FROM product.local_product AS p
     WHERE p.company_id = ${ctx.companyId} AND p.id = ANY (${[...new Set(ids)]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.codes]));
}

/** Id of the product that a label means: by SKU, then barcode, then platform SKU; undefined where it means none, or two. */
export async function productByCode(ctx: Ctx, code: string): Promise<string | undefined> {
  const text = code.trim();
  const { rows } = await sql<{ id: string }>`
    WITH found AS (
      SELECT p.id, CASE WHEN p.sku_key = ${text.toLowerCase()} THEN 1 ELSE 2 END AS rank FROM product.local_product AS p
       WHERE p.company_id = ${ctx.companyId} AND NOT p.is_spelling AND (p.sku_key = ${text.toLowerCase()} OR p.barcode = ${text})
      UNION
      SELECT n.product_id, 3 FROM product.sku_match AS m
        JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id
       WHERE m.company_id = ${ctx.companyId} AND m.msku = ${text} AND m.period @> ${ctx.clock.today()}::date
    )
    SELECT DISTINCT id FROM found WHERE rank = (SELECT min(rank) FROM found) LIMIT 2`.execute(ctx.db);
  return rows.length === 1 ? rows[0]?.id : undefined;
}
