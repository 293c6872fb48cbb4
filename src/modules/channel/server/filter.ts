import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { containing } from '#kit/server/list/words.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { PLATFORMS, type Platform, type SalesFilter } from '../contract/fields.ts';

/** Conditions on products by what they are; undefined where the filter has none. */
function productCondition(ctx: Ctx, filter: SalesFilter): RawBuilder<unknown> | undefined {
  const { keyword, skus, brands, categories, owners } = filter;
  const all: RawBuilder<unknown>[] = [];
  if (keyword?.trim()) {
    const like = containing(keyword.trim());
    all.push(sql`(p.sku ILIKE ${like} OR p.name ILIKE ${like})`);
  }
  if (skus?.length) all.push(sql`p.sku_key = ANY (${skus.map((sku) => sku.trim().toLowerCase())}::text[])`);
  if (brands?.length) all.push(sql`p.brand_id = ANY (${brands}::uuid[])`);
  if (categories?.length) all.push(sql`p.category_id = ANY (${categories}::uuid[])`);
  if (owners?.length) all.push(sql`p.owner_id = ANY (${owners}::uuid[])`);
  if (all.length === 0) return undefined;
  return sql`(SELECT p.id FROM product.local_product AS p WHERE p.company_id = ${ctx.companyId} AND ${sql.join(all, sql` AND `)})`;
}

/** Which columns tell platform, shop, country and product of the rows that are filtered. */
export interface Places {
  platform: string;
  shop: string;
  country: string;
  product: string;
}

/** Conditions of a filter on rows, each with AND before it. */
export function narrowed(ctx: Ctx, filter: SalesFilter, places: Places): RawBuilder<unknown> {
  const { platforms, shops, countries } = filter;
  const products = productCondition(ctx, filter);
  return sql.join(
    [
      platforms?.length ? sql`AND ${sql.ref(places.platform)} = ANY (${platforms}::text[])` : sql``,
      shops?.length ? sql`AND ${sql.ref(places.shop)} = ANY (${shops}::uuid[])` : sql``,
      countries?.length ? sql`AND ${sql.ref(places.country)} = ANY (${countries}::text[])` : sql``,
      products ? sql`AND ${sql.ref(places.product)} IN ${products}` : sql``,
    ],
    sql` `,
  );
}

const DEFAULT_DAYS = 30;
const MAX_DAYS = 1_100;

/** The period of a filter, the last thirty days up to today where it has none. @throws 400 upside down or too long */
export function periodOf(ctx: Ctx, date: { from?: string | undefined; to?: string | undefined } | undefined) {
  const to = date?.to ?? ctx.clock.today();
  const from = date?.from ?? dayAfter(to, 1 - DEFAULT_DAYS);
  if (from > to) throw refused('开始日期不能晚于结束日期', 'B1411');
  if (dayAfter(from, MAX_DAYS) < to) throw refused('日期范围不能超过三年', 'B1412');
  return { from, to };
}

export interface Shop {
  id: string;
  platform: Platform;
  name: string;
}

/** Every shop that sells, at Amazon the seller accounts, by id. */
export async function shopsOf(ctx: Ctx): Promise<Map<string, Shop>> {
  const amazon = await storeNames(ctx);
  const others = await ctx.db
    .selectFrom('channel.shop')
    .select(['id', 'platform', 'name'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('platform')
    .orderBy('name')
    .execute();
  return new Map([
    ...[...amazon].map(([id, name]) => [id, { id, platform: 'AMAZON' as const, name }] as const),
    ...others.map(({ id, platform, name }) => [id, { id, platform: platformOf(platform), name }] as const),
  ]);
}

/** A stored platform; one that is not offered any more is another one. */
export const platformOf = (code: string): Platform => (Object.hasOwn(PLATFORMS, code) ? (code as Platform) : 'OTHER');

/** "13.0000" as people write it: "13". */
export const plainUnits = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);
