import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

export interface KnownProduct {
  sku: string;
  name?: string | undefined;
  image?: string | null | undefined;
}

/**
 * Makes sure that products exist, and fills in names and pictures that are still empty. What somebody entered is never
 * overwritten. Rows that change nothing are not rewritten.
 */
export async function learnProducts(ctx: Ctx, products: readonly KnownProduct[]): Promise<void> {
  const bySku = new Map(products.filter((one) => one.sku !== '').map((one) => [one.sku.slice(0, 100), one]));
  if (bySku.size === 0) return;
  const rows = [...bySku].map(([sku, one]) => ({ sku, name: one.name ?? '', image: one.image ?? null }));
  await sql`
    INSERT INTO product.local_product AS p (company_id, sku, name, image)
    SELECT ${ctx.companyId}, r.sku, left(r.name, 200), r.image
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(sku text, name text, image text)
     ORDER BY r.sku
    ON CONFLICT (company_id, sku) DO UPDATE
       SET name = CASE WHEN p.name = '' THEN excluded.name ELSE p.name END,
           image = coalesce(p.image, excluded.image)
     WHERE (p.name = '' AND excluded.name <> '') OR (p.image IS NULL AND excluded.image IS NOT NULL)`.execute(ctx.db);
}
