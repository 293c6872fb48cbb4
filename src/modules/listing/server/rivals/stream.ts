import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { ComeBackLater, type Fetched, type StreamDef, type StreamRun } from '#modules/marketplace/server/index.ts';
import { type Book, bookOfCall } from './book.ts';
import { landBooks } from './land.ts';

/** Whose offers somebody watches: these are read with every run, the others some times a day. */
export interface OfferWatch {
  asins: (ctx: Ctx, of: { accountId: string; marketplaceId: string }) => Promise<string[]>;
}

export const offerWatches = extensionPoint<OfferWatch>('listing.offerWatches');

const AT_ONCE = 20;
/** Calls of a run for what nobody watches: the limit is one in ten seconds. */
const MOST_OTHERS = 5 * AT_ONCE;
/** Somewhat less than what counts as a gap, as far as the limit goes: 3,000 products of a site. */
const OTHERS_EVERY_HOURS = 5;
const MOST_WATCHED = 2_000;

/** Products to read now: the watched ones, then those longest unread; each the stalest first. */
async function wanted({ runtime, account, marketplaceId = '', window }: StreamRun): Promise<string[]> {
  const place = { accountId: account.id, marketplaceId };
  return inTenant(
    runtime,
    systemPrincipal(account.companyId),
    async (ctx) => {
      const watches = extensionsOf(runtime.modules, offerWatches);
      const watched = (await Promise.all(watches.map((one) => one.asins(ctx, place)))).flat();
      const { rows } = await sql<{ asin: string; watched: boolean }>`
        SELECT l.asin, l.asin = ANY (${watched}::text[]) AS watched
          FROM (SELECT DISTINCT asin FROM listing.listing
                 WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} AND marketplace_id = ${marketplaceId}
                   AND gone_at IS NULL AND asin IS NOT NULL AND price IS NOT NULL) AS l
          LEFT JOIN listing.offer_book AS b ON b.company_id = ${ctx.companyId} AND b.account_id = ${account.id}
           AND b.marketplace_id = ${marketplaceId} AND b.asin = l.asin
         WHERE l.asin = ANY (${watched}::text[]) OR b.as_of IS NULL
            OR b.as_of < ${window.to}::timestamptz - make_interval(hours => ${OTHERS_EVERY_HOURS})
         ORDER BY 2 DESC, b.as_of NULLS FIRST, l.asin LIMIT ${MOST_WATCHED}`.execute(ctx.db);
      const others = rows.filter((row) => !row.watched).slice(0, MOST_OTHERS);
      return [...rows.filter((row) => row.watched), ...others].map(({ asin }) => asin);
    },
    { readOnly: true },
  );
}

interface BatchAnswer {
  responses?: { status?: { statusCode?: number }; body?: { payload?: unknown } }[];
}

async function readBatch(run: StreamRun, asins: readonly string[]): Promise<Book[]> {
  const { api, account, marketplaceId = '', window } = run;
  const { body } = await api.call<BatchAnswer>({
    operation: 'getItemOffersBatch',
    method: 'POST',
    path: '/batches/products/pricing/v0/itemOffers',
    body: {
      requests: asins.map((asin) => ({
        uri: `/products/pricing/v0/items/${encodeURIComponent(asin)}/offers`,
        method: 'GET',
        MarketplaceId: marketplaceId,
        ItemCondition: 'New',
      })),
    },
  });
  const of = {
    asOf: window.to,
    currency: marketplaceOf(marketplaceId)?.currency ?? '',
    seller: account.sellingPartnerId,
  };
  return (body.responses ?? []).flatMap((one) => bookOfCall(one.body?.payload, of) ?? []);
}

/** What the limit lets through now; the rest is staler next time and so comes first. */
async function fetchOffers(run: StreamRun): Promise<Fetched> {
  const asins = await wanted(run);
  const books: Book[] = [];
  for (let from = 0; from < asins.length; from += AT_ONCE) {
    try {
      books.push(...(await readBatch(run, asins.slice(from, from + AT_ONCE))));
    } catch (error) {
      if (books.length === 0 || !(error instanceof ComeBackLater)) throw error;
      break;
    }
  }
  return {
    land: async (ctx) => {
      const updated = await landBooks(ctx, run.account.id, 'poll', books);
      return { rowsIn: books.length, inserted: 0, updated, unchanged: books.length - updated };
    },
  };
}

/** Everybody's offers of what is on sale, read slowly: notifications tell of changes at once, and some are lost. */
export const offerStream: StreamDef = {
  code: 'offers',
  title: '竞争报价',
  scope: 'marketplace',
  cadenceSec: 600,
  overlapSec: 0,
  safetyLagSec: 0,
  maxWindowSec: 366 * 86_400,
  historySec: 0,
  priority: 60,
  sloMin: 60,
  fetch: fetchOffers,
};
