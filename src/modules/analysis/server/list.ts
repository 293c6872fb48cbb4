import { sql } from 'kysely';
import { ratio } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { cutAs, type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type TagName, tagsOf } from '#modules/system/server/index.ts';
import { type WallFilter, WallRow } from '../contract/wall.ts';
import { type DbRow, GROUP_KEY, groupsOf, OF_LISTING, rowsOf } from './relation.ts';
import { ratioSql } from './rules.ts';
import { wallTotals } from './totals.ts';

const SORT: Record<string, string> = {
  product: 'm.code',
  price: 'm.price',
  units7: 'm.units7',
  units15: 'm.units15',
  units30: 'm.units30',
  avgDaily: 'm.avg_daily',
  orders30: 'm.orders30',
  sales7: 'm.sales7',
  sales30: 'm.sales30',
  returns30: 'm.returns30',
  returnRate: ratioSql('m.returns30', 'm.units30'),
  sessions7: 'm.sessions7',
  pageViews7: 'm.page_views7',
  conversion7: ratioSql('m.traffic_units7', 'm.sessions7'),
  featured7: ratioSql('m.featured_views7', 'm.featured_base7'),
  impressions7: 'm.impressions7',
  clicks7: 'm.clicks7',
  ctr7: ratioSql('m.clicks7', 'm.impressions7'),
  cpc7: ratioSql('m.ad_spend7', 'm.clicks7'),
  adSpend7: 'm.ad_spend7',
  adOrders7: 'm.ad_orders7',
  adSales7: 'm.ad_sales7',
  cvr7: ratioSql('m.ad_orders7', 'm.clicks7'),
  acos7: ratioSql('m.ad_spend7', 'm.ad_sales7'),
  acoas7: ratioSql('m.ad_spend7', 'm.sales7'),
  fulfillable: 'm.fulfillable',
  sellable: 'm.sellable',
  inbound: 'm.inbound',
  coverDays: 'm.cover_tenths',
  transitDays: 'm.transit_days',
  netSales30: 'm.net_sales30',
  platformNet30: 'm.platform_net30',
  cogs30: 'm.cogs30',
  profit30: 'm.profit30',
  margin30: 'm.profit30 / nullif(greatest(m.net_sales30, 0), 0)',
  openedAt: 'm.opened_at',
  groupRank: 'm.group_rank',
  groupMove1: 'm.group_move1',
  groupMove7: 'm.group_move7',
  classRank: 'm.class_rank',
  classMove1: 'm.class_move1',
  classMove7: 'm.class_move7',
};

/** Names that rows of the wall need. */
export interface Names {
  stores: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, TagName>;
}

const over = (part: string | number | null, whole: string | number | null): string | null =>
  part === null || whole === null ? null : ratio(part, whole);

function figuresOf(row: DbRow) {
  return {
    units7: row.units7,
    units15: row.units15,
    units30: row.units30,
    avgDaily: row.avg_daily,
    orders30: row.orders30,
    sales7: row.sales7,
    sales30: row.sales30,
    returns30: row.returns30,
    returnRate: over(row.returns30, row.units30),
    sessions7: row.sessions7,
    pageViews7: row.page_views7,
    conversion7: over(row.traffic_units7, row.sessions7),
    featured7: over(row.featured_views7, row.featured_base7),
    impressions7: row.impressions7,
    clicks7: row.clicks7,
    ctr7: over(row.clicks7, row.impressions7),
    cpc7: over(row.ad_spend7, row.clicks7),
    adSpend7: row.ad_spend7,
    adOrders7: row.ad_orders7,
    adSales7: row.ad_sales7,
    cvr7: over(row.ad_orders7, row.clicks7),
    acos7: over(row.ad_spend7, row.ad_sales7),
    acoas7: over(row.ad_spend7, row.sales7),
    netSales30: row.net_sales30,
    platformNet30: row.platform_net30,
    cogs30: row.cogs30,
    profit30: row.profit30,
    margin30: row.net_sales30 !== null && Number(row.net_sales30) > 0 ? over(row.profit30, row.net_sales30) : null,
    costMissing30: row.cost_missing30,
  };
}

/** A stored row as the wall shows it. */
export function wallRow(row: DbRow, { stores, people, tags }: Names): WallRow {
  return {
    ...figuresOf(row),
    id: row.row_id,
    product: { name: row.name, code: row.code, image: row.image, extra: row.code === row.asin ? null : row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    listings: row.listings,
    state: row.state as WallRow['state'],
    price: row.price,
    currency: row.currency,
    owner: row.owner_id === null ? null : (people.get(row.owner_id) ?? null),
    ownerId: row.owner_id,
    coverState: row.cover_state as WallRow['coverState'],
    fulfillable: row.fulfillable,
    sellable: row.sellable,
    inbound: row.inbound,
    coverDays: row.cover_days,
    transitDays: row.transit_days,
    stockDays30: row.stock_days30,
    sharedBy: row.pool_sites,
    leads: row.leads,
    tags: row.tag_ids.flatMap((id) => {
      const tag = tags.get(id);
      return tag ? [{ id, name: tag.name, color: tag.color }] : [];
    }),
    remark: row.remark,
    fulfilledBy: row.fulfilled_by as WallRow['fulfilledBy'],
    asin: row.asin,
    parentAsin: row.family === row.asin ? null : row.family,
    openedAt: row.opened_at,
    salesTo: row.sales_to,
    trafficTo: row.traffic_to,
    adsTo: row.ads_to,
    stockAt: row.stock_at,
    profitTo: row.profit_to,
    groupTitle: row.group_title,
    groupRank: row.group_rank,
    groupMove1: row.group_move1,
    groupMove7: row.group_move7,
    classTitle: row.class_title,
    classRank: row.class_rank,
    classMove1: row.class_move1,
    classMove7: row.class_move7,
    rankDay: row.rank_day,
    hidden: row.hidden,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    sellerSku: row.seller_sku,
  };
}

/** Names for rows that are known already; for a file, whose rows come later, those of everybody. */
export async function namesOf(ctx: Ctx, rows: readonly DbRow[] | 'all'): Promise<Names> {
  const all = rows === 'all';
  const owned = all || rows.some((row) => row.owner_id !== null);
  const members = owned ? [...(await chartOf(ctx)).members] : [];
  const used = all ? await tagsUsed(ctx) : rows.flatMap((row) => row.tag_ids);
  return {
    stores: await storeNames(ctx),
    people: new Map(members.map(([id, { name }]) => [id, name])),
    tags: await tagsOf(ctx, used),
  };
}

async function tagsUsed(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT unnest(tag_ids) AS id FROM analysis.listing_care WHERE company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** How the wall of a filter is read, for pages and for files. */
export function wallList(ctx: Ctx, filter: WallFilter): ListDef<DbRow, DbRow> {
  const own = (filter.view ?? 'msku') === 'msku';
  const relation = sql<DbRow>`(SELECT m.* FROM ${rowsOf(ctx, filter)})`.as<'m'>(sql.ref('m'));
  return {
    row: WallRow,
    query: listQuery<DbRow>(ctx.db.selectFrom(relation).selectAll()),
    // Only rows of the page get more columns: to sort wide rows of all listings that were put together anew takes twice as long.
    ...(own ? { around: (rows) => listQuery<DbRow>(cutAs(ctx, rows, 'm').selectAll().select(OF_LISTING)) } : {}),
    sort: own ? { ...SORT, product: 'm.seller_sku' } : SORT,
    order: [['m.sort_daily', 'desc']],
    key: own ? 'm.listing_id' : 'm.row_id',
  };
}

/** So many rows of a filter that a page of them comes soon along the order of the list. */
const MANY = 500;

/**
 * The same for a page. Rows are found and ordered by what that takes, their keys and of groups a sum or two, and only those of the
 * page are read or put together whole: wide rows of all listings take twice as long to put in order. `found`: rows of the filter.
 */
function pagedWall(ctx: Ctx, filter: WallFilter, found: number): ListDef<DbRow, DbRow> {
  const list = wallList(ctx, filter);
  const own = (filter.view ?? 'msku') === 'msku';
  const relation = sql<DbRow & { listing_id: string }>`(SELECT m.* FROM ${rowsOf(ctx, filter, found >= MANY)})`.as<'m'>(
    sql.ref('m'),
  );
  const rows = ctx.db.selectFrom(relation);
  return {
    ...list,
    query: listQuery<DbRow>(own ? rows.select('m.listing_id') : rows.select(GROUP_KEY)),
    around: (cut) => {
      const whole = own
        ? sql<DbRow>`(SELECT m.* FROM (${cut}) AS k
            JOIN analysis.listing_metric AS m ON m.company_id = ${ctx.companyId} AND m.listing_id = k.listing_id)`
        : sql<DbRow>`${groupsOf(ctx, filter, sql`(${cut})`)}`;
      const shown = ctx.db.selectFrom(whole.as<'m'>(sql.ref('m'))).selectAll();
      return listQuery<DbRow>(own ? shown.select(OF_LISTING) : shown);
    },
  };
}

/** When all figures were made anew last: of several accounts the oldest; null before the first time. */
export async function freshness(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{ at: string | null }>`
    SELECT min(at) AS at FROM analysis.refreshed WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0]?.at ?? null;
}

/** One page of the wall with the sums of everything that the filter matches, best sellers first. */
export async function wallPage(ctx: Ctx, request: PageRequest<WallFilter>): Promise<PageOf<WallRow>> {
  const sums = await wallTotals(ctx, request.filter);
  let names: Names | undefined;
  const list = pagedWall(ctx, request.filter, sums.n);
  const found = await page<DbRow, WallRow>(ctx, request, {
    ...list,
    count: async (rows) => {
      names = await namesOf(ctx, rows);
      return sums.n;
    },
    totals: async (rows) => {
      names ??= await namesOf(ctx, rows);
      return sums.totals;
    },
    map: (row) => wallRow(row, names ?? { stores: new Map(), people: new Map(), tags: new Map() }),
    asOf: () => freshness(ctx),
  });
  return found;
}
