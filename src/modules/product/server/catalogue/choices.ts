import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { containing, literal } from '#kit/server/list/words.ts';
import { supplierChoices } from '#modules/supplier/server/index.ts';
import type { Structure } from '../../contract/fields.ts';
import { tagNames } from './list.ts';
import { people } from './people.ts';

interface Option {
  id: string;
  name: string;
}

async function named(ctx: Ctx, table: 'product.brand' | 'product.model', column: 'name' | 'spu'): Promise<Option[]> {
  const { rows } = await sql<Option>`
    SELECT id, ${sql.ref(column)} AS name FROM ${sql.table(table)}
     WHERE company_id = ${ctx.companyId} ORDER BY 2 LIMIT 5000`.execute(ctx.db);
  return rows;
}

async function categories(ctx: Ctx): Promise<Option[]> {
  const { rows } = await sql<Option>`
    SELECT c.id, CASE WHEN f.id IS NULL THEN c.name ELSE f.name || ' / ' || c.name END AS name
      FROM product.category AS c
      LEFT JOIN product.category AS f ON f.company_id = c.company_id AND f.id = c.parent_id
     WHERE c.company_id = ${ctx.companyId}
     ORDER BY coalesce(f.sort, c.sort), coalesce(f.name, c.name), c.level, c.sort, c.name LIMIT 5000`.execute(ctx.db);
  return rows;
}

/** What filters and forms of products offer. */
export async function choicesOf(ctx: Ctx) {
  return {
    brands: await named(ctx, 'product.brand', 'name'),
    categories: await categories(ctx),
    models: await named(ctx, 'product.model', 'spu'),
    people: await people(ctx),
    suppliers: (await supplierChoices(ctx)).map(({ id, name }) => ({ id, name })),
    tags: [...(await tagNames(ctx))].map(([id, { name }]) => ({ id, name })),
  };
}

/** Products by the beginning of SKU or barcode or by words of the name, those in use only. */
export async function find(
  ctx: Ctx,
  { text, kinds, limit }: { text: string; kinds?: readonly string[] | undefined; limit: number },
) {
  const begin = `${literal(text.toLowerCase())}%`;
  const { rows } = await sql<{ id: string; sku: string; name: string; image: string | null; structure: Structure }>`
    SELECT id, sku, name, image, structure FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND NOT is_spelling AND lifecycle <> 'offline'
       AND (${kinds ?? null}::text[] IS NULL OR kind = ANY (${kinds ?? null}::text[]))
       AND (sku_key LIKE ${begin} OR barcode LIKE ${begin} OR name ILIKE ${containing(text)})
     ORDER BY sku_key LIKE ${begin} DESC, sku_key LIMIT ${limit}`.execute(ctx.db);
  return rows;
}
