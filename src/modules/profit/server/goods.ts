import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { type ListingKey, ofListing } from '#modules/listing/server/index.ts';
import { standsFor } from '#modules/product/server/index.ts';
import type { Goods } from '../contract/report.ts';

/** Who knows which member answered for a listing when. */
export interface ListingOwners {
  /** SELECT of (account_id, marketplace_id, seller_sku, owner_id, from_day, until_day), the last of them a day after the span. */
  spans: (ctx: Ctx) => RawBuilder<unknown>;
  /** SELECT of (account_id, marketplace_id, seller_sku): listings that changed hands on a day after `from` and until `to`. */
  moved: (ctx: Ctx, from: string, to: string) => RawBuilder<unknown>;
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

const ownersKnown = (ctx: Ctx): ListingOwners | undefined => extensionsOf(ctx.runtime.modules, listingOwners)[0];

/** Who answered for a row on its day, or at the end of what is looked at where it stands for all days: then nobody else did. */
function ownersOf(ctx: Ctx, to: string): RawBuilder<unknown> {
  const owners = ownersKnown(ctx);
  if (!owners) return sql`CROSS JOIN (SELECT NULL::uuid AS owner_id) AS c`;
  return sql`LEFT JOIN (${owners.spans(ctx)}) AS c
    ON c.account_id = f.account_id AND c.marketplace_id = f.marketplace_id AND c.seller_sku = f.seller_sku
   AND coalesce(f.day, ${to}::date) >= c.from_day AND coalesce(f.day, ${to}::date) < c.until_day`;
}

/** Listings that changed hands within a period, so that its first day has another owner than its last. */
export async function movedListings(ctx: Ctx, { from, to }: { from: string; to: string }): Promise<ListingKey[]> {
  const owners = ownersKnown(ctx);
  if (!owners) return [];
  const { rows } = await sql<ListingKey>`
    SELECT m.account_id AS "accountId", m.marketplace_id AS "marketplaceId", m.seller_sku AS "sellerSku"
      FROM (${owners.moved(ctx, from, to)}) AS m`.execute(ctx.db);
  return rows;
}

/** Days of a listing, the last of them a day after the span; null where it never ends, or began. */
export interface ListingSpan extends ListingKey {
  since?: string | null;
  until?: string | null;
}

/** Of rows (account_id, marketplace_id, seller_sku) the days on which a member answered for them, '' for nobody. */
export async function spansOfOwner(ctx: Ctx, rows: RawBuilder<unknown>, owner: string): Promise<ListingSpan[]> {
  const owners = ownersKnown(ctx);
  const spans = owners
    ? owners.spans(ctx)
    : sql`SELECT NULL::uuid AS account_id, '' AS marketplace_id, '' AS seller_sku, NULL::uuid AS owner_id,
                 NULL::date AS from_day, NULL::date AS until_day`;
  const found = await sql<ListingSpan>`
    SELECT f.account_id AS "accountId", f.marketplace_id AS "marketplaceId", f.seller_sku AS "sellerSku",
           nullif(c.from_day, '0001-01-01')::text AS since, nullif(c.until_day, '9999-12-31')::text AS until
      FROM (${rows}) AS f
      LEFT JOIN (${spans}) AS c ON c.account_id = f.account_id AND c.marketplace_id = f.marketplace_id AND c.seller_sku = f.seller_sku
     WHERE coalesce(c.owner_id::text, '') = ${owner} AND coalesce(c.from_day < c.until_day, true)`.execute(ctx.db);
  return found.rows;
}

interface GoodsKey {
  key: string;
  joins: (ctx: Ctx, to: string) => RawBuilder<unknown>;
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
 * SELECT of rows (account_id, marketplace_id, seller_sku, …) with `goods_key`: the ASIN, family, brand or category that each
 * belongs to today, or who answered for it on its `day`, on the day `to` where it has none; '' where it belongs to nothing. Every
 * row has exactly one, so that what adds up adds up to the same over each.
 */
export function withGoods(ctx: Ctx, by: Goods, rows: RawBuilder<unknown>, to: string): RawBuilder<unknown> {
  const { key, joins } = KEYS[by];
  return sql`
    WITH f AS MATERIALIZED (SELECT * FROM (${rows}) AS r)
    SELECT f.*, coalesce(${sql.raw(key)}, '') AS goods_key FROM f ${joins(ctx, to)}`;
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
