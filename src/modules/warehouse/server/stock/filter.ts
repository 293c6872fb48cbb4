import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { containing } from '#kit/server/list/words.ts';

/** Whether the product `p` has a text in its SKU or name. */
export function productHas(keyword: string): RawBuilder<boolean> {
  const like = containing(keyword);
  return sql<boolean>`(p.sku ILIKE ${like} OR p.name ILIKE ${like})`;
}

/**
 * Whether `column`, a product's id, is the one of an SKU, whatever its case. The id is looked up first: where the list is
 * ordered by an index, the planner would else read all of it in that order until it meets the product.
 */
export function skuIs(ctx: Ctx, column: string, sku: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = ANY (ARRAY(SELECT x.id FROM product.local_product AS x
    WHERE x.company_id = ${ctx.companyId} AND lower(x.sku) = ${sku.trim().toLowerCase()}))`;
}
