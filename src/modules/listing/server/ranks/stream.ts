import { sql } from 'kysely';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { ComeBackLater, type Fetched, type StreamDef, type StreamRun } from '#modules/marketplace/server/index.ts';
import { landRanks, type RankFact, rankOfItem } from './land.ts';

const AT_ONCE = 20;
/** Calls of a run: two a second are allowed, and people search the catalogue with the same. */
const MOST_CALLS = 100;
const EVERY_HOURS = 12;

/** Products on sale whose ranks are the stalest. */
function wanted({ runtime, account, marketplaceId = '', window }: StreamRun): Promise<string[]> {
  return inTenant(
    runtime,
    systemPrincipal(account.companyId),
    async (ctx) => {
      const { rows } = await sql<{ asin: string }>`
        SELECT l.asin
          FROM (SELECT DISTINCT asin FROM listing.listing
                 WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} AND marketplace_id = ${marketplaceId}
                   AND gone_at IS NULL AND asin IS NOT NULL) AS l
          LEFT JOIN LATERAL (SELECT r.as_of FROM listing.rank_day AS r
                              WHERE r.company_id = ${ctx.companyId} AND r.account_id = ${account.id}
                                AND r.marketplace_id = ${marketplaceId} AND r.asin = l.asin
                              ORDER BY r.day DESC LIMIT 1) AS r ON true
         WHERE r.as_of IS NULL OR r.as_of < ${window.to}::timestamptz - make_interval(hours => ${EVERY_HOURS})
         ORDER BY r.as_of NULLS FIRST, l.asin LIMIT ${MOST_CALLS * AT_ONCE}`.execute(ctx.db);
      return rows.map(({ asin }) => asin);
    },
    { readOnly: true },
  );
}

interface Found {
  items?: readonly unknown[] | null;
}

async function readSome({ api, marketplaceId = '' }: StreamRun, asins: readonly string[]): Promise<RankFact[]> {
  const { body } = await api.call<Found>({
    operation: 'searchCatalogItems',
    method: 'GET',
    path: '/catalog/2022-04-01/items',
    query: {
      marketplaceIds: [marketplaceId],
      identifiersType: 'ASIN',
      identifiers: [...asins],
      includedData: ['salesRanks'],
      pageSize: AT_ONCE,
    },
  });
  // A product that Amazon gives no rank is asked for again tomorrow, not with every run.
  const told = new Map(
    (body.items ?? []).flatMap((item) => rankOfItem(item, marketplaceId) ?? []).map((r) => [r.asin, r]),
  );
  return asins.map(
    (asin) => told.get(asin) ?? { asin, groupTitle: null, groupRank: null, classTitle: null, classRank: null },
  );
}

/** What the limit lets through now; the rest is staler next time and so comes first. */
async function fetchRanks(run: StreamRun): Promise<Fetched> {
  const asins = await wanted(run);
  const facts: RankFact[] = [];
  for (let from = 0; from < asins.length; from += AT_ONCE) {
    try {
      facts.push(...(await readSome(run, asins.slice(from, from + AT_ONCE))));
    } catch (error) {
      if (facts.length === 0 || !(error instanceof ComeBackLater)) throw error;
      break;
    }
  }
  const { marketplaceId = '', account, window } = run;
  const zone = marketplaceOf(marketplaceId)?.timeZone ?? 'UTC';
  return {
    land: async (ctx) => {
      const changed = await landRanks(ctx, { accountId: account.id, marketplaceId, asOf: window.to, zone }, facts);
      return { rowsIn: facts.length, inserted: 0, updated: changed, unchanged: facts.length - changed };
    },
  };
}

/** Best sellers ranks of what is on sale, twice a day: Amazon tells the present only, so a day without a reading stays blank. */
export const rankStream: StreamDef = {
  code: 'ranks',
  title: '销售排名',
  scope: 'marketplace',
  cadenceSec: 3600,
  overlapSec: 0,
  safetyLagSec: 0,
  maxWindowSec: 366 * 86_400,
  historySec: 0,
  priority: 70,
  sloMin: 24 * 60,
  fetch: fetchRanks,
};
