import { sql } from 'kysely';
import type { Product } from '#kit/contract/field.ts';
import type { Ctx } from '#kit/server/context.ts';

export interface LocalProduct {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  kind: string;
  structure: string;
  lifecycle: string;
  unit: string;
  barcode: string | null;
  qcLevel: string;
  /** As lists show it. */
  cell: Product;
}

/** Products by id, in one query; an id that is not there is absent. */
export async function localProducts(ctx: Ctx, ids: readonly string[]): Promise<Map<string, LocalProduct>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('product.local_product')
    .select(['id', 'sku', 'name', 'image', 'kind', 'structure', 'lifecycle', 'unit', 'barcode', 'qc_level as qcLevel'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', sql<string>`ANY (${[...new Set(ids)]}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { ...row, cell: { name: row.name || row.sku, code: row.sku, image: row.image } }]),
  );
}

/** Ids by SKU, whatever its case; the keys of the answer are the SKUs as given. */
export async function productIdsBySku(ctx: Ctx, skus: readonly string[]): Promise<Map<string, string>> {
  if (skus.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('product.local_product')
    .select(['id', 'sku_key'])
    .where('company_id', '=', ctx.companyId)
    .where('is_spelling', '=', false)
    .where('sku_key', 'in', [...new Set(skus.map((sku) => sku.trim().toLowerCase()))])
    .execute();
  const byKey = new Map(rows.map((row) => [row.sku_key, row.id]));
  return new Map(
    skus.flatMap((sku) => {
      const id = byKey.get(sku.trim().toLowerCase());
      return id === undefined ? [] : [[sku, id] as const];
    }),
  );
}

/** How many products the company has, archived ones included. */
export async function productCount(ctx: Pick<Ctx, 'db' | 'companyId'>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM product.local_product WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}
