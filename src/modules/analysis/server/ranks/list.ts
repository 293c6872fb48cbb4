import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { lostSelect, rankReadingsSelect, type SeenOffer, seenDays, seenSelect } from '#modules/listing/server/index.ts';
import { countryOf, MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { featuredDaysSelect } from '#modules/report/server/index.ts';
import { NOBODY, OURS, type RankFilter, RankRow } from '../../contract/ranks.ts';
import { freshness, type Names } from '../list.ts';
import type { DbRow } from '../relation.ts';
import { fallen, OF_PRODUCT, periodOf, rankedListings } from './filter.ts';

type Offer = { [K in keyof Omit<SeenOffer, 'account_id' | 'marketplace_id' | 'asin' | 'as_of'>]: SeenOffer[K] | null };

/** A listing with its week of ranks and its Buy Box. */
export interface RankedRow extends DbRow, Offer {
  listing_id: string;
  fall_bp: number | null;
  group_best7: number | null;
  group_median7: number | null;
  class_best7: number | null;
  class_median7: number | null;
  rank_at: string | null;
  offers_at: string | null;
  /** Of one, by page views. */
  official: string | null;
}

const SORT: Record<string, string> = {
  product: 'm.seller_sku',
  groupRank: 'm.group_rank',
  groupMove1: 'm.group_move1',
  groupMove7: 'm.group_move7',
  classRank: 'm.class_rank',
  classMove1: 'm.class_move1',
  classMove7: 'm.class_move7',
  fall: 'm.fall_bp',
};
const SHARE = 'o.owned / nullif(o.observed, 0)::numeric';
/** A week of readings, and one more for the one that was read up to a week ago. */
const READ_DAYS = 15;

const best = (kind: 'group' | 'class') => {
  const same = `FILTER (WHERE r.${kind}_title = m.${kind}_title)`;
  return `min(r.${kind}_rank) ${same} AS ${kind}_best7,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY r.${kind}_rank) ${same} AS ${kind}_median7`;
};

/** The seven days of ranks that end with the newest reading of the listing `m`. */
const week = (ctx: Ctx) => sql`
  SELECT ${sql.raw(best('group'))}, ${sql.raw(best('class'))}, max(r.as_of) AS rank_at
    FROM (${rankReadingsSelect(ctx, dayAfter(ctx.clock.today(), -READ_DAYS))}) AS r
   WHERE r.account_id = m.account_id AND r.marketplace_id = m.marketplace_id AND r.asin = m.asin
     AND r.day > m.rank_day - 7`;

/** What the traffic report says of the listing `m`, for the same days of its site as the sampled share. */
function official(ctx: Ctx, filter: RankFilter): RawBuilder<unknown> {
  const sites = MARKETPLACES.map(({ id, timeZone }) => ({ id, ...seenDays(ctx, timeZone, periodOf(filter)) }));
  const from = sites.map((site) => site.from).sort()[0] ?? '';
  const to =
    sites
      .map((site) => site.to)
      .sort()
      .at(-1) ?? '';
  const early = sites.filter((site) => site.to < to).map(({ id }) => id);
  const late = sites.filter((site) => site.from > from).map(({ id }) => id);
  // At any moment sites live in two days at most: one of them begins and ends a day before the other.
  return sql`
    SELECT sum(f.featured * f.page_views) / nullif(sum(f.page_views) FILTER (WHERE f.featured IS NOT NULL), 0) / 100 AS official
      FROM (${featuredDaysSelect(ctx, { from, to })}) AS f
     WHERE f.account_id = m.account_id AND f.marketplace_id = m.marketplace_id AND f.seller_sku = m.seller_sku
       AND NOT (f.day = ${to}::date AND m.marketplace_id = ANY (${early}::text[]))
       AND NOT (f.day = ${from}::date AND m.marketplace_id = ANY (${late}::text[]))`;
}

/** Rows of RankedRow of what `rows` names by `listing_id`. */
export function rankedRows(ctx: Ctx, filter: RankFilter, rows: RawBuilder<unknown>): RawBuilder<RankedRow> {
  const some = sql`
    SELECT account_id, marketplace_id, asin FROM analysis.listing_metric
     WHERE company_id = ${ctx.companyId} AND listing_id IN (SELECT listing_id FROM named)`;
  return sql<RankedRow>`(
    WITH named AS MATERIALIZED (${rows})
    SELECT m.*, m.listing_id::text AS row_id, m.seller_sku AS code, 1 AS listings, o.as_of AS offers_at, o.own_featured,
           o.featured_seller, o.own_landed, o.lowest_price, o.offer_count, o.offered, o.owned, o.observed, o.elapsed, r.*,
           f.official, ${sql.raw(SHARE)} AS share
      FROM named AS k
      JOIN analysis.listing_metric AS m ON m.company_id = ${ctx.companyId} AND m.listing_id = k.listing_id
      LEFT JOIN (${seenSelect(ctx, periodOf(filter), some)}) AS o ON ${OF_PRODUCT}
     CROSS JOIN LATERAL (${week(ctx)}) AS r
     CROSS JOIN LATERAL (${official(ctx, filter)}) AS f)`;
}

const known = <T>(value: T | null): value is T => value !== null;
const over = (part: number | null, whole: number | null) => (known(part) && known(whole) ? ratio(part, whole) : null);

function holderOf({ offers_at, own_featured, featured_seller }: RankedRow): string | null {
  if (offers_at === null) return null;
  return own_featured === true ? OURS : (featured_seller ?? NOBODY);
}

/** A row as the screen shows it. */
export function rankRow(row: RankedRow, { stores, people }: Pick<Names, 'stores' | 'people'>): RankRow {
  return {
    id: row.row_id,
    product: { name: row.name, code: row.code, image: row.image, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    owner: row.owner_id === null ? null : (people.get(row.owner_id) ?? null),
    groupTitle: row.group_title,
    groupRank: row.group_rank,
    groupBest7: row.group_best7,
    groupMedian7: row.group_median7,
    groupMove1: row.group_move1,
    groupMove7: row.group_move7,
    classTitle: row.class_title,
    classRank: row.class_rank,
    classBest7: row.class_best7,
    classMedian7: row.class_median7,
    classMove1: row.class_move1,
    classMove7: row.class_move7,
    fall: row.fall_bp === null ? null : new Decimal(row.fall_bp).div(10_000).toFixed(4),
    holder: holderOf(row),
    share: over(row.owned, row.observed),
    coverage: over(row.observed, row.elapsed),
    official: row.official === null ? null : new Decimal(row.official).toFixed(4),
    ownPrice: row.own_landed,
    lowestPrice: row.lowest_price,
    rivals: row.offer_count === null ? null : row.offer_count - (row.offered ? 1 : 0),
    currency: row.currency,
    rankAt: row.rank_at,
    offersAt: row.offers_at,
    lost: row.offered === true && row.own_featured === false,
  };
}

/**
 * How the list of a filter is read. Rows are found and ordered by their keys, and only those of the page get their week of ranks and
 * their shares; an order by share takes the shares of all, from two rows of each product.
 */
function rankList(
  ctx: Ctx,
  { filter, sort }: Pick<PageRequest<RankFilter>, 'filter' | 'sort'>,
): ListDef<RankedRow, RankRow> {
  const shares = sort === 'share';
  const joined = shares ? sql`LEFT JOIN (${seenSelect(ctx, periodOf(filter))}) AS o ON ${OF_PRODUCT}` : sql``;
  const found = sql<RankedRow & { share: string | null }>`(
    SELECT m.*${shares ? sql`, ${sql.raw(SHARE)} AS share` : sql``} FROM ${rankedListings(ctx, filter, joined)})`.as<'m'>(
    sql.ref('m'),
  );
  return {
    row: RankRow,
    query: listQuery<RankedRow>(ctx.db.selectFrom(found).select('m.listing_id')),
    around: (rows) =>
      listQuery<RankedRow>(ctx.db.selectFrom(rankedRows(ctx, filter, sql`${rows}`).as<'m'>(sql.ref('m'))).selectAll()),
    sort: { ...SORT, share: 'm.share' },
    order: [['m.sort_daily', 'desc']],
    key: 'm.listing_id',
    // A word is found by reading all of them: once.
    once: Boolean(filter.keyword?.trim()),
  };
}

/** Names that rows may need: of all stores and people. */
async function everybody(ctx: Ctx): Promise<Pick<Names, 'stores' | 'people'>> {
  const { members } = await chartOf(ctx);
  return { stores: await storeNames(ctx), people: new Map([...members].map(([id, { name }]) => [id, name])) };
}

/** One page of listings on sale, best sellers first. */
export async function rankPage(ctx: Ctx, request: PageRequest<RankFilter>): Promise<PageOf<RankRow>> {
  const names = await everybody(ctx);
  return page(ctx, request, {
    ...rankList(ctx, request),
    map: (row) => rankRow(row, names),
    asOf: () => freshness(ctx),
  });
}

/** The same as a file. */
export function exportRanked(open: OpenCtx, request: ExportRequest<RankFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const names = await everybody(ctx);
    return {
      name: `排名与购物车-${ctx.clock.today()}`,
      sheet: '排名与购物车',
      format: request.format,
      columns: exportColumns(ctx, RankRow, request.columns),
      rows: streamed(ctx, request, { ...rankList(ctx, request), map: (row: RankedRow) => rankRow(row, names) }),
      audit: { action: '导出排名与购物车', resource: 'analysis.rank', filter: request.filter },
    };
  });
}

/** Numbers of the tabs under the other filters, from one reading. */
export async function rankCounts(ctx: Ctx, { tab: _, ...filter }: RankFilter): Promise<Record<string, number>> {
  const lost = sql`LEFT JOIN (${lostSelect(ctx)}) AS o ON ${OF_PRODUCT}`;
  const { rows } = await sql<Record<string, number>>`
    SELECT count(*)::int AS all, (count(*) FILTER (WHERE o.asin IS NOT NULL))::int AS lost,
           (count(*) FILTER (WHERE ${fallen(filter)}))::int AS fallen
      FROM ${rankedListings(ctx, filter, lost)}`.execute(ctx.db);
  return rows[0] ?? {};
}
