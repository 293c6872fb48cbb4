import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type PriceRequestFilter, PriceRequestRow } from '../../contract/requests.ts';
import { atSites, goodsCells, type ListingCells, withListing } from '../of-listing.ts';

interface Row extends ListingCells {
  id: string;
  number: string;
  state: PriceRequestRow['state'];
  version: number;
  listing_id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  kind: PriceRequestRow['kind'];
  currency: string;
  old_value: string | null;
  new_value: string;
  new_terms: PriceRequestRow['terms'];
  floor: string;
  reason: string;
  created_by_name: string;
  created_at: string;
  decided_by_name: string | null;
  decided_at: string | null;
}

function queryOf(ctx: Ctx, { state, sites, keyword }: PriceRequestFilter) {
  let query = ctx.db.selectFrom('listing.price_request as r').where('r.company_id', '=', ctx.companyId);
  if (state?.length) query = query.where('r.state', 'in', state);
  if (keyword) {
    query = query.where(sql<string>`lower(r.seller_sku || ' ' || r.number)`, 'like', containingLower(keyword));
  }
  if (sites?.length) query = query.where(atSites('r', sites));
  return query;
}

/** Requests, newest first. */
export async function requestPage(
  ctx: Ctx,
  request: PageRequest<PriceRequestFilter>,
): Promise<PageOf<PriceRequestRow>> {
  const stores = await storeNames(ctx);
  return page<Row, PriceRequestRow>(ctx, request, {
    row: PriceRequestRow,
    query: listQuery<Row>(queryOf(ctx, request.filter).selectAll('r')),
    around: (rows) => withListing(ctx, rows, 'r'),
    sort: { createdAt: 'r.created_at', number: 'r.number' },
    order: [['r.created_at', 'desc']],
    key: 'r.id',
    map: (row) => ({
      id: row.id,
      number: row.number,
      ...goodsCells(row, stores),
      kind: row.kind,
      oldValue: row.old_value,
      newValue: row.new_value,
      floor: row.floor,
      state: row.state,
      reason: row.reason,
      createdBy: row.created_by_name,
      createdAt: row.created_at,
      decidedBy: row.decided_by_name,
      decidedAt: row.decided_at,
      currency: row.currency,
      terms: row.new_terms,
      listingId: row.listing_id,
      version: row.version,
    }),
  });
}

/** How many requests are in each state; "all" is their sum. */
export function requestCounts(ctx: Ctx, { state: _, ...others }: PriceRequestFilter): Promise<Record<string, number>> {
  return countsBy(queryOf(ctx, others), 'r.state');
}
