import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type FactDef, factLoader, instant, int, money, type RowOf, text } from '#modules/inventory/server/index.ts';
import {
  businessDay,
  type ReportLoader,
  type ReportPlan,
  type ReportSource,
  searchQueries,
  zoneOfStock,
} from '#modules/marketplace/server/index.ts';
import { asinLists } from './asin-lists.ts';

type Row = RowOf<typeof searchQueries>;

/** An upload does not say when it was made: it fills what nobody told, and whatever is told later knows better. */
const LONG_AGO = '1970-01-01T00:00:00.000Z';

/** A file is all there is to say about the products that it names, so each row goes by when it was told. */
const queriesTold = (at: string): FactDef<Row> => ({
  reader: searchQueries,
  table: 'report.search_query',
  mode: 'rows',
  newer: 'told_at',
  about: 'site',
  day: (row) => row.day,
  isNamed: () => true,
  pieces: (row) => row.purchases.own,
  columns: [
    text('asin', (row) => row.asin, true),
    text('query', (row) => row.query, true),
    int('score', (row) => row.score),
    int('volume', (row) => row.volume),
    int('shown_total', (row) => row.impressions.total),
    int('shown_own', (row) => row.impressions.own),
    money('shown_share', (row) => row.impressions.share),
    int('clicks_total', (row) => row.clicks.total),
    int('clicks_own', (row) => row.clicks.own),
    money('clicks_share', (row) => row.clicks.share),
    money('clicks_total_price', (row) => row.clicks.totalPrice),
    money('clicks_own_price', (row) => row.clicks.ownPrice),
    int('carts_total', (row) => row.cartAdds.total),
    int('carts_own', (row) => row.cartAdds.own),
    money('carts_share', (row) => row.cartAdds.share),
    money('carts_total_price', (row) => row.cartAdds.totalPrice),
    money('carts_own_price', (row) => row.cartAdds.ownPrice),
    int('bought_total', (row) => row.purchases.total),
    int('bought_own', (row) => row.purchases.own),
    money('bought_share', (row) => row.purchases.share),
    money('bought_total_price', (row) => row.purchases.totalPrice),
    money('bought_own_price', (row) => row.purchases.ownPrice),
    text('currency', (row) => row.currency),
    instant('told_at', () => at),
  ],
});

/** Queries of the products that were asked for which the newer report no longer has. Returns how many there were. */
async function deleteVanished(ctx: Ctx, { account, asked, marketplaceIds }: ReportSource): Promise<number> {
  if (asked?.subject === undefined) return 0;
  const week = businessDay(asked.from, zoneOfStock(marketplaceIds));
  const { numAffectedRows } = await sql`
    DELETE FROM report.search_query
     WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} AND day = ${week}::date
       AND marketplace_id = ${marketplaceIds[0] ?? ''} AND asin = ANY (${asked.subject.split(' ')})
       AND told_at < ${asked.at}::timestamptz`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

const loaderOf = ({ asked }: Pick<ReportSource, 'asked'>): ReportLoader =>
  factLoader(queriesTold(asked?.at ?? LONG_AGO));

/** Reads GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT; a week's products may come in several of them. */
export const searchQueryLoader: ReportLoader = {
  reportTypes: [searchQueries.type],
  title: searchQueries.title,
  check: (source) => loaderOf(source).check(source),
  load: async (ctx, source) => {
    const counts = await loaderOf(source).load(ctx, source);
    return { ...counts, updated: counts.updated + (await deleteVanished(ctx, source)) };
  },
};

/**
 * Every day asks for what is still missing of the last three weeks: a week comes a few days after its end, of a new product
 * nothing is known yet, and Amazon makes few of these reports a day.
 */
export const searchQueryPlan: ReportPlan = {
  code: 'report.searchQueries',
  title: '搜索词表现',
  reportType: searchQueries.type,
  how: 'window',
  per: 'site',
  byWeek: true,
  subjects: asinLists,
  windowDays: 7,
  historyDays: 21,
  overlapDays: 21,
  priority: 66,
  cadenceSec: 24 * 3600,
  sloMin: 3 * 24 * 60,
  inBackground: true,
};
