import { type SelectQueryBuilder, sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { ListDef } from '#kit/server/list/page.ts';
import { page } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { Terms } from '../contract/terms.ts';
import { type FulfilledBy, type ListingFilter, ListingRow, type ListingState } from '../contract.ts';

export type Filter = { [K in keyof ListingFilter]?: ListingFilter[K] | undefined };

export interface DbRow {
  id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  asin: string | null;
  parent_asin: string | null;
  fnsku: string | null;
  title: string | null;
  image_url: string | null;
  price: string | null;
  currency: string;
  quantity: number | null;
  fulfilled_by: string;
  state: string;
  condition: string | null;
  product_type: string | null;
  issue_count: number;
  opened_at: string | null;
  last_updated_at: string | null;
  sale: unknown;
  b2b: unknown;
  tiers: unknown;
  pending_terms?: ListingRow['pendingTerms'];
  pending_price?: string | null;
  pending_quantity?: number | null;
}

const COLUMNS = [
  'id',
  'account_id',
  'marketplace_id',
  'seller_sku',
  'asin',
  'parent_asin',
  'fnsku',
  'title',
  'image_url',
  'price',
  'currency',
  'quantity',
  'fulfilled_by',
  'state',
  'condition',
  'product_type',
  'issue_count',
  'opened_at',
  'last_updated_at',
  'sale',
  'b2b',
  'tiers',
] as const;

/** A typed text as a LIKE pattern over the lower-case search column: what the user types means itself. */
export function containing(text: string): string {
  return `%${text
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;
}

/** Splits "marketplaceId-accountId". */
export function siteOf(value: string): { marketplaceId: string; accountId: string } {
  const at = value.indexOf('-');
  return { marketplaceId: value.slice(0, at), accountId: value.slice(at + 1) };
}

/** All listings of a filter, without order and limit. */
export function filtered(ctx: Ctx, filter: Filter) {
  let query = ctx.db.selectFrom('listing.listing').where('company_id', '=', ctx.companyId);
  const { state, sites, keyword, skus, fulfilledBy, hasIssues, opened } = filter;
  if (state?.length) query = query.where('state', 'in', state);
  if (sites?.length) {
    query = query.where((eb) =>
      eb.or(
        sites
          .map(siteOf)
          .map(({ accountId, marketplaceId }) =>
            eb.and([eb('account_id', '=', accountId), eb('marketplace_id', '=', marketplaceId)]),
          ),
      ),
    );
  }
  if (keyword) query = query.where('search', 'like', containing(keyword));
  if (skus?.length) query = query.where('seller_sku', 'in', skus);
  if (fulfilledBy) query = query.where('fulfilled_by', '=', fulfilledBy);
  if (hasIssues !== undefined) query = query.where('issue_count', hasIssues ? '>' : '=', 0);
  if (opened?.from) query = query.where('opened_at', '>=', sql<string>`${opened.from}::date AT TIME ZONE 'UTC'`);
  if (opened?.to) query = query.where('opened_at', '<', sql<string>`(${opened.to}::date + 1) AT TIME ZONE 'UTC'`);
  return query;
}

function termsIn({ sale, b2b, tiers }: DbRow) {
  // What is stored was made by the same schema.
  const [own, business] = [sale as Terms | null, b2b as Terms | null];
  return {
    salePrice: own?.price ?? null,
    b2bPrice: business?.price ?? null,
    sale: own,
    b2b: business,
    tiers: tiers as Terms | null,
  };
}

/** A stored listing as lists show it; `stores` names the seller accounts. */
export function rowOf(row: DbRow, stores: ReadonlyMap<string, string>): ListingRow {
  return {
    id: row.id,
    product: { name: row.title ?? '', code: row.seller_sku, image: row.image_url, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    state: row.state as ListingState,
    price: row.price,
    currency: row.currency,
    pendingPrice: row.pending_price ?? null,
    pendingQuantity: row.pending_quantity ?? null,
    ...termsIn(row),
    pendingTerms: row.pending_terms ?? [],
    fulfilledBy: row.fulfilled_by as FulfilledBy,
    quantity: row.quantity,
    issueCount: row.issue_count,
    asin: row.asin,
    parentAsin: row.parent_asin,
    fnsku: row.fnsku,
    productType: row.product_type,
    condition: row.condition,
    openedAt: row.opened_at,
    lastUpdatedAt: row.last_updated_at,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    sellerSku: row.seller_sku,
  };
}

const pending = (kind: 'price' | 'quantity') => sql<never>`(
  SELECT c.new_value FROM listing.offer_change AS c
   WHERE c.company_id = "listing"."listing".company_id AND c.listing_id = "listing"."listing".id
     AND c.kind = ${sql.lit(kind)} AND c.status IN ('queued', 'accepted'))`;
/** One look at an index each, for the rows of a page. */
const PENDING = [
  sql<string | null>`${pending('price')}`.as('pending_price'),
  sql<number | null>`${pending('quantity')}::int`.as('pending_quantity'),
  sql<ListingRow['pendingTerms']>`array(
    SELECT c.kind FROM listing.offer_change AS c
     WHERE c.company_id = "listing"."listing".company_id AND c.listing_id = "listing"."listing".id
       AND c.kind IN ('sale', 'b2b', 'tiers') AND c.status IN ('queued', 'accepted') ORDER BY c.kind)`.as(
    'pending_terms',
  ),
];

const SORT = {
  product: 'seller_sku',
  state: 'state',
  price: 'price',
  quantity: 'quantity',
  issueCount: 'issue_count',
  openedAt: 'opened_at',
  lastUpdatedAt: 'last_updated_at',
};

/** How the list of a filter is read, for pages and for exports. */
export async function listingList(ctx: Ctx, filter: Filter): Promise<ListDef<DbRow, ListingRow>> {
  const stores = await storeNames(ctx);
  return {
    row: ListingRow,
    query: filtered(ctx, filter).select([...COLUMNS, ...PENDING]) as unknown as SelectQueryBuilder<never, never, DbRow>,
    sort: SORT,
    order: [['opened_at', 'desc']],
    key: 'id',
    map: (row) => rowOf(row, stores),
  };
}

/** The time up to which all marketplaces were read: the oldest of their newest snapshots; null before the first. */
async function freshness(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{ as_of: string | null }>`
    SELECT min(as_of) AS as_of FROM listing.snapshot WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0]?.as_of ?? null;
}

/** One page of listings. */
export async function listingPage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<ListingRow>> {
  const list = await listingList(ctx, request.filter);
  return page(ctx, request, { ...list, asOf: () => freshness(ctx) });
}

/** Listings by state under the other filters, and their sum as `all`. */
export async function listingCounts(ctx: Ctx, filter: Filter): Promise<Record<string, number>> {
  const rows = await filtered(ctx, { ...filter, state: undefined })
    .select(['state', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.n]));
  return { ...counts, all: rows.reduce((total, row) => total + row.n, 0) };
}
