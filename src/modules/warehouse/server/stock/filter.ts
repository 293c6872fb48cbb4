import { type RawBuilder, sql } from 'kysely';

/** Text as a LIKE pattern that finds it anywhere. */
export const containing = (text: string): string => `%${text.replace(/[%_\\]/g, '\\$&')}%`;

/** Whether the product `p` has a text in its SKU or name. */
export function productHas(keyword: string): RawBuilder<boolean> {
  const like = containing(keyword);
  return sql<boolean>`(p.sku ILIKE ${like} OR p.name ILIKE ${like})`;
}

/** Whether the product `p` is the one of an SKU, whatever its case. */
export function skuIs(sku: string): RawBuilder<boolean> {
  return sql<boolean>`lower(p.sku) = ${sku.trim().toLowerCase()}`;
}
