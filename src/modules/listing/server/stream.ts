import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { AccountRef, Fetched, SpApi, StreamDef, StreamRun } from '#modules/marketplace/server/index.ts';
import { type ApiItem, factOf } from './api-item.ts';
import type { ListingFact } from './fact.ts';
import { landListings } from './land.ts';

/** Changes are read with every run; everything only so often, to learn what is gone. */
const FULL_EVERY_MS = 6 * 3_600_000;
/** The API pages through no more than this many results of one search. */
const MOST_RESULTS = 1000;
const PAGE_SIZE = 20;

interface Searched {
  numberOfResults?: number;
  pagination?: { nextToken?: string | null } | null;
  items?: ApiItem[] | null;
}

interface Search {
  api: SpApi;
  account: AccountRef;
  marketplaceId: string;
}

/** One search to its last page. Pages may be empty before the last; the same arguments go with every token. */
async function searchAll(
  { api, account, marketplaceId }: Search,
  range: { lastUpdatedAfter?: string; lastUpdatedBefore?: string },
): Promise<{ facts: ListingFact[]; found: number }> {
  const facts: ListingFact[] = [];
  let found = 0;
  let pageToken: string | undefined;
  do {
    const { body } = await api.call<Searched>({
      operation: 'searchListingsItems',
      method: 'GET',
      path: `/listings/2021-08-01/items/${encodeURIComponent(account.sellingPartnerId)}`,
      query: {
        marketplaceIds: [marketplaceId],
        includedData: ['summaries', 'attributes', 'offers', 'fulfillmentAvailability', 'issues'],
        issueLocale: 'zh_CN',
        sortBy: 'lastUpdatedDate',
        sortOrder: 'DESC',
        pageSize: PAGE_SIZE,
        ...range,
        pageToken,
      },
    });
    found = body.numberOfResults ?? found;
    for (const item of body.items ?? []) {
      const fact = factOf(item, marketplaceId);
      if (fact) facts.push(fact);
    }
    pageToken = body.pagination?.nextToken ?? undefined;
  } while (pageToken !== undefined);
  return { facts, found };
}

/** Earliest time of update among facts, or undefined. */
function oldest(facts: readonly ListingFact[]): string | undefined {
  return facts.flatMap((fact) => fact.lastUpdatedAt ?? []).sort()[0];
}

/**
 * Every listing of a marketplace: where one search does not reach them all, the next begins at the oldest one seen.
 * What was updated meanwhile moved out of the later slices, so the changes since `began` are read once more. `whole` is
 * false when more listings share one instant than a search can show.
 */
export async function readEverything(search: Search, began: string): Promise<{ facts: ListingFact[]; whole: boolean }> {
  const first = await searchAll(search, {});
  const bySku = new Map(first.facts.map((fact) => [fact.sellerSku, fact]));
  let left = first.found > MOST_RESULTS;
  let before = oldest(first.facts);
  const sliced = left;
  while (left && before !== undefined) {
    const slice = await searchAll(search, { lastUpdatedBefore: before });
    const fresh = slice.facts.filter((fact) => !bySku.has(fact.sellerSku));
    for (const fact of fresh) bySku.set(fact.sellerSku, fact);
    left = slice.found > MOST_RESULTS;
    if (left && fresh.length === 0) return { facts: [...bySku.values()], whole: false };
    before = oldest(slice.facts);
  }
  if (sliced) {
    const { facts } = await searchAll(search, { lastUpdatedAfter: began });
    for (const fact of facts) bySku.set(fact.sellerSku, fact);
  }
  return { facts: [...bySku.values()], whole: true };
}

/** When everything was read last, in marketplace time; null before the first time. */
async function lastFull(runtime: Runtime, account: AccountRef, marketplaceId: string): Promise<string | null> {
  const row = await inTenant(
    runtime,
    systemPrincipal(account.companyId),
    (ctx) =>
      ctx.db
        .selectFrom('listing.snapshot')
        .select('full_at')
        .where('company_id', '=', ctx.companyId)
        .where('account_id', '=', account.id)
        .where('marketplace_id', '=', marketplaceId)
        .executeTakeFirst(),
    { readOnly: true },
  );
  return row?.full_at ?? null;
}

async function fetchListings({ runtime, account, marketplaceId, window, api }: StreamRun): Promise<Fetched> {
  if (marketplaceId === undefined) throw new Error('listings are read per marketplace');
  const search: Search = { api, account, marketplaceId };
  const fullAt = await lastFull(runtime, account, marketplaceId);
  const due = fullAt === null || Date.parse(window.to) - Date.parse(fullAt) >= FULL_EVERY_MS;
  const of = { accountId: account.id, marketplaceId, asOf: window.to, source: 'api' as const };
  if (due) {
    const { facts, whole } = await readEverything(search, window.to);
    return { land: (ctx) => landListings(ctx, { ...of, full: whole }, [facts]) };
  }
  const { facts, found } = await searchAll(search, { lastUpdatedAfter: window.from });
  if (found <= MOST_RESULTS) return { land: (ctx) => landListings(ctx, { ...of, full: false }, [facts]) };
  const all = await readEverything(search, window.to);
  return { land: (ctx) => landListings(ctx, { ...of, full: all.whole }, [all.facts]) };
}

/** What is on sale, per marketplace: the present only, so a run that was missed leaves no hole. */
export const listings: StreamDef = {
  code: 'listings',
  wokenBy: ['LISTINGS_ITEM_STATUS_CHANGE', 'LISTINGS_ITEM_ISSUES_CHANGE', 'PRICING_HEALTH', 'ANY_OFFER_CHANGED'],
  title: '在线商品',
  scope: 'marketplace',
  cadenceSec: 1800,
  overlapSec: 600,
  safetyLagSec: 0,
  maxWindowSec: 366 * 86_400,
  historySec: 0,
  priority: 20,
  sloMin: 60,
  fetch: fetchListings,
};
