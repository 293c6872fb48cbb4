import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

export interface KnownProduct {
  sku: string;
  name?: string | undefined;
  image?: string | null | undefined;
}

/**
 * Makes sure that products exist, and fills in names and pictures that are still empty. What somebody entered is never
 * overwritten. Rows that change nothing are not rewritten. A SKU that differs from a product's by case or blanks only
 * becomes a spelling of it, not a second product.
 */
export async function learnProducts(ctx: Ctx, products: readonly KnownProduct[]): Promise<void> {
  const bySku = new Map(products.filter((one) => one.sku !== '').map((one) => [one.sku.slice(0, 100), one]));
  if (bySku.size === 0) return;
  const rows = JSON.stringify(
    [...bySku].map(([sku, one]) => ({ sku, name: one.name ?? '', image: one.image ?? null })),
  );
  const given = sql`jsonb_to_recordset(${rows}::jsonb) AS r(sku text, name text, image text)`;
  await sql`
    UPDATE product.local_product AS p
       SET name = CASE WHEN p.name = '' THEN left(r.name, 200) ELSE p.name END, image = coalesce(p.image, r.image)
      FROM ${given}
     WHERE p.company_id = ${ctx.companyId} AND p.sku = r.sku
       AND ((p.name = '' AND r.name <> '') OR (p.image IS NULL AND r.image IS NOT NULL))`.execute(ctx.db);
  for (const spelling of [false, true]) {
    const { rows: left } = await sql<{ sku: string }>`
      INSERT INTO product.local_product (company_id, sku, name, image, is_spelling)
      SELECT ${ctx.companyId}, r.sku, left(r.name, 200), r.image, ${spelling} FROM ${given}
       WHERE NOT EXISTS (SELECT FROM product.local_product AS p WHERE p.company_id = ${ctx.companyId} AND p.sku = r.sku)
       ORDER BY r.sku
      ON CONFLICT DO NOTHING
      RETURNING sku`.execute(ctx.db);
    if (left.length === bySku.size) return;
  }
}

/**
 * What is sold becomes a product of its own name, so that costs can be entered from the first day on; but only as long as the
 * company pairs nothing itself. Who pairs has codes of its own: there a listing without a pairing waits in the list of pairings,
 * and a second product of its name would take its costs and conflict with its other sites.
 */
export async function learnSold(ctx: Ctx, sold: readonly KnownProduct[]): Promise<void> {
  if (sold.length === 0) return;
  const pairs = await ctx.db
    .selectFrom('product.sku_match')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .limit(1)
    .executeTakeFirst();
  if (!pairs) await learnProducts(ctx, sold);
}
