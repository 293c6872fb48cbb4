import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { onDays } from '#kit/server/list/days.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { OfferChange, type OfferFilter } from '../../contract/offers.ts';
import { atSites, goodsCells, type ListingCells, withListing } from '../of-listing.ts';
import { moveOf } from './adjust.ts';

interface Row extends ListingCells {
  id: string;
  listing_id: string;
  account_id: string;
  marketplace_id: string;
  seller_sku: string;
  kind: OfferChange['kind'];
  old_value: string | null;
  new_value: string | null;
  old_terms: OfferChange['oldTerms'];
  new_terms: OfferChange['newTerms'];
  currency: string;
  status: OfferChange['status'];
  problem: string | null;
  reason: string;
  feed_id: string | null;
  created_by_name: string;
  created_at: string;
  accepted_at: string | null;
  confirmed_at: string | null;
}

function queryOf(ctx: Ctx, { status, sites, kind, keyword, created, listingId }: OfferFilter) {
  let query = ctx.db.selectFrom('listing.offer_change as c').where('c.company_id', '=', ctx.companyId);
  if (status?.length) query = query.where('c.status', 'in', status);
  if (listingId) query = query.where('c.listing_id', '=', listingId);
  if (kind) query = query.where('c.kind', '=', kind);
  if (keyword) query = query.where(sql<string>`lower(c.seller_sku)`, 'like', containingLower(keyword));
  if (sites?.length) query = query.where(atSites('c', sites));
  if (created) query = query.where(onDays('c.created_at', created));
  return query;
}

const shown = (row: Row, value: string): string =>
  row.kind === 'quantity' ? new Decimal(value).toFixed(0) : new Decimal(value).toFixed();

function rowOf(row: Row, stores: ReadonlyMap<string, string>): OfferChange {
  return {
    id: row.id,
    ...goodsCells(row, stores),
    kind: row.kind,
    oldValue: row.old_value === null ? null : shown(row, row.old_value),
    newValue: row.new_value === null ? null : shown(row, row.new_value),
    change: row.new_value === null ? null : moveOf(row.old_value, row.new_value),
    status: row.status,
    problem: row.problem,
    reason: row.reason,
    createdBy: row.created_by_name,
    createdAt: row.created_at,
    acceptedAt: row.accepted_at,
    confirmedAt: row.confirmed_at,
    currency: row.currency,
    oldTerms: row.old_terms,
    newTerms: row.new_terms,
    listingId: row.listing_id,
    feedId: row.feed_id,
  };
}

/** Changes of offers, newest first. */
export async function offerPage(ctx: Ctx, request: PageRequest<OfferFilter>): Promise<PageOf<OfferChange>> {
  const stores = await storeNames(ctx);
  return page<Row, OfferChange>(ctx, request, {
    row: OfferChange,
    query: listQuery<Row>(queryOf(ctx, request.filter).selectAll('c')),
    around: (rows) => withListing(ctx, rows, 'c'),
    sort: { createdAt: 'c.created_at', status: 'c.status', newValue: 'c.new_value' },
    order: [['c.created_at', 'desc']],
    key: 'c.id',
    map: (row) => rowOf(row, stores),
  });
}

/** How many changes are in each state; "all" is their sum. */
export function offerCounts(ctx: Ctx, { status: _, ...others }: OfferFilter): Promise<Record<string, number>> {
  return countsBy(queryOf(ctx, others), 'c.status');
}
