import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, type Query } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';

/** A row that is about a listing: a change of its offer, a request for a price, what was printed of it. */
interface OfListing {
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
}

/** What such a row shows of the listing; null where the listing is not there any more. */
export interface ListingCells {
  title: string | null;
  image_url: string | null;
  asin: string | null;
}

/** Splits a site, "marketplaceId-accountId". */
export function siteOf(value: string): { marketplaceId: string; accountId: string } {
  const at = value.indexOf('-');
  return { marketplaceId: value.slice(0, at), accountId: value.slice(at + 1) };
}

/** Rows of the table `alias` that are of one of some sites ("marketplaceId-accountId"), which are at least one. */
export function atSites(alias: string, sites: readonly string[]): RawBuilder<boolean> {
  const [account, marketplace] = [sql.ref(`${alias}.account_id`), sql.ref(`${alias}.marketplace_id`)];
  const each = sites
    .map(siteOf)
    .map(({ accountId, marketplaceId }) => sql`(${account} = ${accountId} AND ${marketplace} = ${marketplaceId})`);
  return sql<boolean>`(${sql.join(each, sql` OR `)})`;
}

/** Rows `alias` of a page, each with the listing that its `listing_id` names: for `around` of a list. */
export function withListing<Row extends { listing_id: string }>(
  ctx: Ctx,
  rows: Query<Row>,
  alias: string,
): Query<Row & ListingCells> {
  const shown = sql<Row & ListingCells>`(
    SELECT f.*, l.title, l.image_url, l.asin FROM (${rows}) AS f
      LEFT JOIN listing.listing AS l ON l.company_id = ${ctx.companyId} AND l.id = f.listing_id)`;
  return listQuery<Row & ListingCells>(ctx.db.selectFrom(shown.as(alias)).selectAll());
}

/** The cells of product and store of such a row; `stores` names the seller accounts. */
export function goodsCells(row: OfListing & ListingCells, stores: ReadonlyMap<string, string>) {
  return {
    product: { name: row.title ?? '', code: row.seller_sku, image: row.image_url, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
  };
}
