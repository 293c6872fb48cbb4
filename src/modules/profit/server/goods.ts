import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { standsFor } from '#modules/product/server/index.ts';
import type { Goods } from '../contract/report.ts';

/** Who knows which member answers for a listing today. */
export interface ListingOwners {
  /** SELECT of (account_id, marketplace_id, seller_sku, owner_id). */
  select: (ctx: Ctx) => RawBuilder<unknown>;
}

export const listingOwners = extensionPoint<ListingOwners>('profit.listingOwners');

/** Brand and category of what listings stand for, as `b`; a set of several products has them where they are the same. */
function productsOf(ctx: Ctx): RawBuilder<unknown> {
  const same = (column: string) =>
    sql.raw(
      `CASE WHEN count(DISTINCT l.${column}) = 1 AND count(l.${column}) = count(*) THEN min(l.${column}::text) END AS ${column}`,
    );
  const stood = standsFor(ctx, sql`(SELECT DISTINCT account_id, marketplace_id, seller_sku AS msku FROM f)`);
  return sql`
    LEFT JOIN (
      SELECT w.account_id, w.marketplace_id, w.msku, ${same('brand_id')}, ${same('category_id')}
        FROM (${stood}) AS w
        JOIN product.local_product AS l ON l.company_id = ${ctx.companyId} AND l.id = ANY (w.product_ids)
       GROUP BY 1, 2, 3) AS b
      ON b.account_id = f.account_id AND b.marketplace_id = f.marketplace_id AND b.msku = f.seller_sku`;
}

function ownersOf(ctx: Ctx): RawBuilder<unknown> {
  const [owners] = extensionsOf(ctx.runtime.modules, listingOwners);
  if (!owners) return sql`CROSS JOIN (SELECT NULL::uuid AS owner_id) AS c`;
  return sql`LEFT JOIN (${owners.select(ctx)}) AS c
    ON c.account_id = f.account_id AND c.marketplace_id = f.marketplace_id AND c.seller_sku = f.seller_sku`;
}

interface GoodsKey {
  key: string;
  joins: (ctx: Ctx) => RawBuilder<unknown>;
}

const listed = (ctx: Ctx) => sql`LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}`;

/** What rows `f` are put together by, as sales reports do. */
const KEYS: Record<Goods, GoodsKey> = {
  asin: { key: 'p.asin', joins: listed },
  parent: { key: "coalesce(nullif(p.parent_asin, ''), p.asin)", joins: listed },
  brand: { key: 'b.brand_id', joins: productsOf },
  category: { key: 'b.category_id', joins: productsOf },
  owner: { key: 'c.owner_id::text', joins: ownersOf },
};

/**
 * SELECT of rows (account_id, marketplace_id, seller_sku, …) with `goods_key`: the ASIN, family, brand, category or owner that each
 * belongs to today, '' where it has none. Every row has exactly one, so that what adds up adds up to the same over each.
 */
export function withGoods(ctx: Ctx, by: Goods, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  const { key, joins } = KEYS[by];
  return sql`
    WITH f AS MATERIALIZED (SELECT * FROM (${rows}) AS r)
    SELECT f.*, coalesce(${sql.raw(key)}, '') AS goods_key FROM f ${joins(ctx)}`;
}

/** What a row is called where it belongs to nothing. */
const NONE: Record<Goods, string> = {
  asin: '没有ASIN',
  parent: '没有ASIN',
  brand: '未设置品牌',
  category: '未设置品类',
  owner: '未设置负责人',
};

async function knownNames(ctx: Ctx, by: Goods): Promise<ReadonlyMap<string, string>> {
  if (by === 'owner') return new Map([...(await chartOf(ctx)).members].map(([id, { name }]) => [id, name]));
  if (by !== 'brand' && by !== 'category') return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM ${sql.table(`product.${by}`)} WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Names of the keys of a goods dimension; an ASIN is its own. */
export async function goodsNames(ctx: Ctx, by: Goods): Promise<(key: string) => string> {
  const names = await knownNames(ctx, by);
  return (key) => (key === '' ? NONE[by] : (names.get(key) ?? key));
}
