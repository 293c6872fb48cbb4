import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { atSites } from '#modules/listing/server/index.ts';
import type { SalesFilter } from '../contract/fields.ts';

/** Condition on rows `alias` with account_id and marketplace_id: they are of the filter's sites. */
export function siteCondition(alias: string, { sites }: SalesFilter): RawBuilder<boolean> {
  return sites?.length ? atSites(alias, sites) : sql<boolean>`true`;
}

/** Condition on rows `s` of any source: site, way of fulfilment and kind of buyer. */
export function sourceCondition(filter: SalesFilter): RawBuilder<boolean> {
  const all: RawBuilder<unknown>[] = [siteCondition('s', filter)];
  if (filter.fulfilledBy) all.push(sql`s.fulfilled_by = ${filter.fulfilledBy}`);
  if (filter.buyer) all.push(sql`s.is_business = ${filter.buyer === 'business'}`);
  return sql<boolean>`${sql.join(all, sql` AND `)}`;
}

/** Whether the filter asks for something that only SKUs have. */
export function asksGoods({ keyword, owners, brands, categories, parents }: SalesFilter): boolean {
  return Boolean(keyword?.trim()) || [owners, brands, categories, parents].some((ids) => (ids?.length ?? 0) > 0);
}

/**
 * Conditions on goods: a row `f` with its listing `p`, who cares for it `c`, and brand and category of what it stands for, `b`.
 */
export function goodsConditions(ctx: Ctx, filter: SalesFilter): RawBuilder<unknown>[] {
  const { keyword, owners, brands, categories, parents } = filter;
  const all: RawBuilder<unknown>[] = [];
  if (keyword?.trim()) {
    const like = containingLower(keyword);
    all.push(sql`(p.search LIKE ${like} OR lower(f.seller_sku) LIKE ${like})`);
  }
  if (owners?.length) all.push(sql`c.owner_id = ANY (${owners}::uuid[])`);
  if (parents?.length)
    all.push(sql`coalesce(nullif(p.parent_asin, ''), p.asin, nullif(f.asin, '')) = ANY (${parents}::text[])`);
  if (brands?.length) all.push(sql`b.brand = ANY (${brands}::text[])`);
  if (categories?.length) {
    all.push(sql`b.category IN (SELECT x.id::text FROM product.category AS x
      WHERE x.company_id = ${ctx.companyId} AND (x.id = ANY (${categories}::uuid[]) OR x.parent_id = ANY (${categories}::uuid[])))`);
  }
  return all;
}
