import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { cutAs, type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { Terms } from '../contract/terms.ts';
import { type FulfilledBy, type ListingFilter, ListingRow, type ListingState } from '../contract.ts';
import { atSites } from './of-listing.ts';

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
  'l.company_id',
  'l.id',
  'l.account_id',
  'l.marketplace_id',
  'l.seller_sku',
  'l.asin',
  'l.parent_asin',
  'l.fnsku',
  'l.title',
  'l.image_url',
  'l.price',
  'l.currency',
  'l.quantity',
  'l.fulfilled_by',
  'l.state',
  'l.condition',
  'l.product_type',
  'l.issue_count',
  'l.opened_at',
  'l.last_updated_at',
  'l.sale',
  'l.b2b',
  'l.tiers',
] as const;

/** All listings of a filter, without order and limit. */
export function filtered(ctx: Ctx, filter: Filter) {
  let query = ctx.db.selectFrom('listing.listing as l').where('l.company_id', '=', ctx.companyId);
  const { state, sites, keyword, skus, fulfilledBy, hasIssues, opened } = filter;
  if (state?.length) query = query.where('l.state', 'in', state);
  if (sites?.length) query = query.where(atSites('l', sites));
  if (keyword) query = query.where('l.search', 'like', containingLower(keyword));
  if (skus?.length) query = query.where('l.seller_sku', 'in', skus);
  if (fulfilledBy) query = query.where('l.fulfilled_by', '=', fulfilledBy);
  if (hasIssues !== undefined) query = query.where('l.issue_count', hasIssues ? '>' : '=', 0);
  if (opened?.from) query = query.where('l.opened_at', '>=', sql<string>`${opened.from}::date AT TIME ZONE 'UTC'`);
  if (opened?.to) query = query.where('l.opened_at', '<', sql<string>`(${opened.to}::date + 1) AT TIME ZONE 'UTC'`);
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
   WHERE c.company_id = l.company_id AND c.listing_id = l.id
     AND c.kind = ${sql.lit(kind)} AND c.status IN ('queued', 'accepted'))`;
/** One look at an index each, for the rows of a page. */
const PENDING = [
  sql<string | null>`${pending('price')}`.as('pending_price'),
  sql<number | null>`${pending('quantity')}::int`.as('pending_quantity'),
  sql<ListingRow['pendingTerms']>`array(
    SELECT c.kind FROM listing.offer_change AS c
     WHERE c.company_id = l.company_id AND c.listing_id = l.id
       AND c.kind IN ('sale', 'b2b', 'tiers') AND c.status IN ('queued', 'accepted') ORDER BY c.kind)`.as(
    'pending_terms',
  ),
];

const SORT = {
  product: 'l.seller_sku',
  state: 'l.state',
  price: 'l.price',
  quantity: 'l.quantity',
  issueCount: 'l.issue_count',
  openedAt: 'l.opened_at',
  lastUpdatedAt: 'l.last_updated_at',
};

/** How the list of a filter is read, for pages and for exports. */
export async function listingList(ctx: Ctx, filter: Filter): Promise<ListDef<DbRow, ListingRow>> {
  const stores = await storeNames(ctx);
  return {
    row: ListingRow,
    query: listQuery<DbRow>(filtered(ctx, filter).select(COLUMNS)),
    around: (rows) => listQuery<DbRow>(cutAs(ctx, rows, 'l').selectAll('l').select(PENDING)),
    sort: SORT,
    order: [['l.opened_at', 'desc']],
    key: 'l.id',
    once: Boolean(filter.keyword),
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
    .select(['l.state', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('l.state')
    .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.state, row.n]));
  return { ...counts, all: rows.reduce((total, row) => total + row.n, 0) };
}
