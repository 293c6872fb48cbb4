import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { careSelect } from '#modules/analysis/server/index.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { standsFor } from '#modules/product/server/index.ts';
import type { Dimension, SalesFilter } from '../contract/fields.ts';
import type { DayMap } from './days.ts';
import type { Exchange } from './exchange.ts';
import { goodsConditions, sourceCondition } from './filter.ts';

/** 'all': one row for everything. */
export type Split = Dimension | 'all';

/** What is read: rows of a source by what they are split by, at the places and on the sides of a map of days. */
export interface Reading {
  by: Split;
  filter: SalesFilter;
  map: DayMap;
  /** SELECT with the columns of SoldKey and those of the values. */
  source: RawBuilder<unknown>;
  /** Name to SQL over a row `s`: sums, or what distinct orders are counted by. */
  values: Readonly<Record<string, { of: string; money?: boolean }>>;
  /** Rows are order lines: they are left as they are, for orders do not add up over them. */
  lines?: boolean;
  /** Needed for values that are money. */
  exchange?: Exchange | undefined;
  /** "account|marketplace|SKU" of the only SKUs that are read. */
  skus?: readonly string[] | undefined;
}

/** SQL of the key of a row `f` with its listing `p`, its keeper `c`, what it stands for `w`, and brand and category of that, `b`. */
const KEYS: Record<Split, string> = {
  all: "''",
  msku: "f.account_id || '|' || f.marketplace_id || '|' || f.seller_sku",
  asin: "coalesce(nullif(f.asin, ''), p.asin)",
  parent: "coalesce(nullif(p.parent_asin, ''), p.asin, nullif(f.asin, ''))",
  local: "array_to_string(w.product_ids, '+')",
  brand: 'b.brand',
  category: 'b.category',
  owner: 'c.owner_id::text',
  store: 'f.account_id::text',
  site: 'f.marketplace_id',
};

/** A SKU as one text, by which a page's rows are read again; by bytes, for nobody sees the order. */
export const SKU = sql<string>`(k.account_id || '|' || k.marketplace_id || '|' || k.seller_sku) COLLATE "C"`;

/** What has to be joined to `f` to split it and to filter goods. */
function joinsOf(ctx: Ctx, { by, filter }: Reading): RawBuilder<unknown> {
  const { keyword, owners, brands, categories, parents } = filter;
  const joins: RawBuilder<unknown>[] = [];
  if (by === 'asin' || by === 'parent' || keyword?.trim() || parents?.length) {
    joins.push(sql`LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}`);
  }
  if (by === 'owner' || owners?.length) {
    joins.push(sql`LEFT JOIN (${careSelect(ctx)}) AS c
      ON c.account_id = f.account_id AND c.marketplace_id = f.marketplace_id AND c.seller_sku = f.seller_sku`);
  }
  const products = by === 'brand' || by === 'category' || brands?.length || categories?.length;
  if (by === 'local' || products) {
    const listings = sql`(SELECT DISTINCT account_id, marketplace_id, seller_sku AS msku FROM f)`;
    joins.push(sql`LEFT JOIN (${standsFor(ctx, listings)}) AS w
      ON w.account_id = f.account_id AND w.marketplace_id = f.marketplace_id AND w.msku = f.seller_sku`);
  }
  if (products) {
    // What is made of several products has their brand where it is the same.
    const same = (column: string) =>
      sql.raw(
        `CASE WHEN count(DISTINCT l.${column}) = 1 AND count(l.${column}) = count(*) THEN min(l.${column}::text) END`,
      );
    joins.push(sql`LEFT JOIN LATERAL (
      SELECT ${same('brand_id')} AS brand, ${same('category_id')} AS category FROM product.local_product AS l
       WHERE l.company_id = ${ctx.companyId} AND l.id = ANY (w.product_ids)) AS b ON true`);
  }
  return joins.length > 0 ? sql.join(joins, sql` `) : sql``;
}

/** Rows of the source at their places; amounts in the one currency, NULL where a rate is missing. */
function placed(reading: Reading): RawBuilder<unknown> {
  const { map, source, values, exchange, lines, skus, filter, by } = reading;
  const converts = exchange !== undefined && exchange.rates.days.length > 0;
  const some = Object.values(values).some(({ money }) => money);
  const foreign = exchange && !converts && some && exchange.currency;
  const value = ({ of, money }: Reading['values'][string]) => {
    if (!money) return sql.raw(of);
    if (converts) return sql`(${sql.raw(of)}) * CASE WHEN s.currency = ${exchange.currency} THEN 1 ELSE r.rate END`;
    // Without any rate only what needs none is known.
    return foreign ? sql`CASE WHEN s.currency = ${foreign} THEN ${sql.raw(of)} END` : sql.raw(of);
  };
  const each = Object.entries(values).map(
    ([name, one]) => sql`${lines ? value(one) : sql`sum(${value(one)})`} AS ${sql.ref(name)}`,
  );
  const asin = by === 'asin' || by === 'parent' || filter.parents?.length ? sql`s.asin` : sql`''::text`;
  const parts = (skus ?? []).map((sku) => sku.split('|'));
  return sql`
    SELECT s.account_id, s.marketplace_id, s.seller_sku, ${asin} AS asin, m.place, m.side, ${sql.join(each)}
      FROM (${source}) AS s
      JOIN unnest(${map.days}::date[], ${map.places}::int[], ${map.sides}::text[]) AS m (day, place, side) ON m.day = s.day
      ${
        converts && some
          ? sql`LEFT JOIN unnest(${exchange.rates.currencies}::text[], ${exchange.rates.days}::date[], ${exchange.rates.values}::numeric[])
            AS r (currency, day, rate) ON r.currency = s.currency AND r.day = s.day`
          : sql``
      }
     WHERE ${sourceCondition(filter)}
      ${
        skus
          ? sql`AND (s.account_id, s.marketplace_id, s.seller_sku) IN (SELECT * FROM unnest(
            ${parts.map(([account]) => account ?? '')}::uuid[], ${parts.map(([, site]) => site ?? '')}::text[],
            ${parts.map(([, , ...sku]) => sku.join('|'))}::text[]))`
          : sql``
      }
      ${lines ? sql`` : sql`GROUP BY 1, 2, 3, 4, 5, 6`}`;
}

/**
 * The engine of all sales reports: SELECT of (key, place, side, account_id, marketplace_id, seller_sku, <values>), one row for each
 * SKU, place and side (or for each order line). `key` is what the row belongs to in the split asked for, '' where it has none:
 * every row has exactly one, so that what adds up adds up to the same over any split.
 */
export function keyed(ctx: Ctx, reading: Reading): RawBuilder<unknown> {
  const goods = goodsConditions(ctx, reading.filter);
  const names = Object.keys(reading.values).map((name) => sql.ref(`f.${name}`));
  return sql`
    WITH f AS (${placed(reading)})
    SELECT coalesce(${sql.raw(KEYS[reading.by])}, '') AS key, f.place, f.side, f.account_id, f.marketplace_id, f.seller_sku,
           ${sql.join(names)}
      FROM f ${joinsOf(ctx, reading)}
      ${goods.length > 0 ? sql`WHERE ${sql.join(goods, sql` AND `)}` : sql``}`;
}
