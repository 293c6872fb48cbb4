import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { containingLower } from '#kit/server/list/words.ts';
import { atSites, ofListing } from '#modules/listing/server/index.ts';
import { countryOf, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { DemandClass, ForecastFilter, Model } from '../contract/fields.ts';
import { ForecastRow } from '../contract/forecast.ts';

/** An item as it is read for lists, without its days. */
export interface ItemCells {
  id: string;
  account_id: string;
  pool: string;
  seller_sku: string;
  marketplace_id: string;
  asin: string | null;
  cutoff: string;
  class: string;
  model: string;
  daily7: number;
  daily15: number;
  daily30: number;
  pace: number;
  out_days: number;
  sold30: number;
  next30: number;
  p80: number;
  p90: number;
  month1: number;
  month2: number;
  month3: number;
  change: string | null;
  is_overridden: boolean;
}
interface Around {
  name: string | null;
  image: string | null;
  wape: string | null;
  locked: boolean | null;
}

const NAMES =
  'id account_id pool seller_sku marketplace_id asin class model daily7 daily15 daily30 pace out_days sold30 next30 p80 p90 month1 month2 month3 change';
const COLUMNS = sql.raw(
  [
    ...NAMES.split(' ').map((name) => `f.${name}`),
    'f.cutoff::text AS cutoff',
    'f.published IS NOT NULL AS is_overridden',
  ].join(', '),
);

/** A fall or a rise of the next thirty days that somebody should look at. */
const MOVED = 0.3;
const TABS: Record<NonNullable<ForecastFilter['tab']>, string> = {
  overridden: 'f.published IS NOT NULL',
  new: "f.class = 'new'",
  out: 'f.is_out',
  moved: `abs(f.change) > ${MOVED}`,
};

type Goods = Pick<ForecastFilter, 'sites' | 'keyword' | 'skus' | 'class' | 'model'>;

/** Conditions on rows `f` that have an item's keys, class and model. */
export function conditions(ctx: Ctx, filter: Goods): RawBuilder<unknown>[] {
  const { sites, keyword, skus, class: classes, model } = filter;
  const all = [sql`f.company_id = ${ctx.companyId}`];
  if (sites?.length) all.push(atSites('f', sites));
  if (keyword?.trim()) all.push(sql`f.search LIKE ${containingLower(keyword)}`);
  if (skus?.length) all.push(sql`f.seller_sku = ANY (${skus}::text[])`);
  if (classes?.length) all.push(sql`f.class = ANY (${classes}::text[])`);
  if (model?.length) all.push(sql`f.model = ANY (${model}::text[])`);
  return all;
}

function itemsOf(ctx: Ctx, filter: ForecastFilter): RawBuilder<unknown> {
  const all = conditions(ctx, filter);
  if (filter.tab) all.push(sql.raw(TABS[filter.tab]));
  return sql`forecast.item AS f WHERE ${sql.join(all, sql` AND `)}`;
}

/** What rows of a page show beside their item: name and picture, the last measured error, and whether somebody keeps the model. */
function around(ctx: Ctx, rows: Query<ItemCells>): Query<ItemCells & Around> {
  const wape = sql<string | null>`(
    SELECT round(a.abs_published / nullif(a.actual, 0), 4) FROM forecast.accuracy AS a
     WHERE a.company_id = ${ctx.companyId} AND a.account_id = f.account_id AND a.pool = f.pool AND a.seller_sku = f.seller_sku
     ORDER BY a.origin DESC LIMIT 1)`;
  const locked = sql<boolean>`EXISTS (
    SELECT FROM forecast.care AS c
     WHERE c.company_id = ${ctx.companyId} AND c.account_id = f.account_id AND c.pool = f.pool AND c.seller_sku = f.seller_sku
       AND c.locked_model IS NOT NULL)`;
  return listQuery(
    cutAs(ctx, rows, 'f')
      .leftJoin('listing.product as p', (join) => join.on(ofListing(ctx, 'f')))
      .selectAll('f')
      .select(['p.name', 'p.image', wape.as('wape'), locked.as('locked')]),
  );
}

/** What people call a stock: of what a seller ships himself its marketplace. */
function poolName(pool: string): string {
  const site = marketplaceOf(pool);
  return site ? `${site.country} 自发货` : pool;
}

/** Two decimals of what is stored in ten-thousandths. */
const shown = (value: number): string => (value / 10_000).toFixed(2);

function rowOf(row: ItemCells & Partial<Around>, stores: ReadonlyMap<string, string>): ForecastRow {
  return {
    id: row.id,
    product: { name: row.name ?? '', code: row.seller_sku, image: row.image ?? null, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    pool: poolName(row.pool),
    class: row.class as DemandClass,
    model: row.model as Model,
    daily7: shown(row.daily7),
    daily15: shown(row.daily15),
    daily30: shown(row.daily30),
    pace: shown(row.pace),
    outDays: row.out_days,
    sold30: row.sold30 / 10_000,
    next30: shown(row.next30),
    p80: shown(row.p80),
    p90: shown(row.p90),
    change: row.change,
    month1: shown(row.month1),
    month2: shown(row.month2),
    month3: shown(row.month3),
    wape: row.wape ?? null,
    overridden: row.is_overridden,
    locked: row.locked ?? false,
    cutoff: row.cutoff,
  };
}

const SORT = {
  pace: 'f.pace',
  outDays: 'f.out_days',
  sold30: 'f.sold30',
  next30: 'f.next30',
  p90: 'f.p90',
  change: 'f.change',
  month1: 'f.month1',
  month2: 'f.month2',
  month3: 'f.month3',
};

/** One item as lists show it; undefined where there is none. */
export async function forecastRow(ctx: Ctx, id: string): Promise<{ cells: ItemCells; row: ForecastRow } | undefined> {
  const items = sql<ItemCells>`(SELECT ${COLUMNS} FROM forecast.item AS f WHERE f.company_id = ${ctx.companyId} AND f.id = ${id})`;
  const [cells] = await around(ctx, listQuery<ItemCells>(ctx.db.selectFrom(items.as('f')).selectAll('f'))).execute();
  return cells && { cells, row: rowOf(cells, await storeNames(ctx)) };
}

/** How the list of a filter is read, for pages and for exports. */
export async function forecastList(
  ctx: Ctx,
  filter: ForecastFilter,
): Promise<ListDef<ItemCells & Around, ForecastRow>> {
  const stores = await storeNames(ctx);
  const items = sql<ItemCells>`(SELECT ${COLUMNS} FROM ${itemsOf(ctx, filter)})`;
  return {
    row: ForecastRow,
    query: listQuery<ItemCells & Around>(ctx.db.selectFrom(items.as('f')).selectAll('f')),
    around: (rows) => around(ctx, rows),
    sort: SORT,
    order: [['f.next30', 'desc']],
    key: 'f.id',
    map: (row) => rowOf(row, stores),
  };
}

interface Sums {
  n: number;
  sold30: number;
  next30: string;
  month1: string;
  month2: string;
  month3: string;
}

/** Number and sums of a filter from one reading. Quantiles of several items do not add up: they have no sum. */
async function sumsOf(ctx: Ctx, filter: ForecastFilter): Promise<Sums> {
  const of = (name: string) => `(coalesce(sum(f.${name}), 0) / 10000)::numeric(20, 2)::text AS ${name}`;
  const { rows } = await sql<Sums>`
    SELECT count(*)::int AS n, (coalesce(sum(f.sold30), 0) / 10000)::bigint AS sold30,
           ${sql.raw(['next30', 'month1', 'month2', 'month3'].map(of).join(', '))}
      FROM ${itemsOf(ctx, filter)}`.execute(ctx.db);
  return rows[0] ?? { n: 0, sold30: 0, next30: '0', month1: '0', month2: '0', month3: '0' };
}

/** One page of items, those that sell most in the next 30 days first, with the sums of the whole filter. */
export async function forecastPage(ctx: Ctx, request: PageRequest<ForecastFilter>): Promise<PageOf<ForecastRow>> {
  const list = await forecastList(ctx, request.filter);
  const { n, ...totals } = await sumsOf(ctx, request.filter);
  const asOf = async () => {
    const { rows } = await sql<{ at: string | null }>`
      SELECT max(ended_at) AS at FROM forecast.run WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    return rows[0]?.at ?? null;
  };
  return page(ctx, request, { ...list, count: async () => n, totals: async () => ({ ...totals }), asOf });
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: ExportRequest<ForecastFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `销售预测-${ctx.clock.today()}`,
    sheet: '销售预测',
    format: request.format,
    columns: exportColumns(ctx, ForecastRow, request.columns),
    rows: streamed(ctx, request, await forecastList(ctx, request.filter)),
    audit: { action: '导出销售预测', resource: 'forecast.item', filter: request.filter },
  }));
}

/** Numbers of the tabs under the other filters; an item may be in several. */
export async function counts(ctx: Ctx, { tab: _, ...filter }: ForecastFilter): Promise<Record<string, number>> {
  const each = Object.entries(TABS).map(([name, where]) =>
    sql.raw(`count(*) FILTER (WHERE ${where})::int AS "${name}"`),
  );
  const { rows } = await sql<Record<string, number>>`
    SELECT count(*)::int AS all, ${sql.join(each)} FROM ${itemsOf(ctx, filter)}`.execute(ctx.db);
  return rows[0] ?? {};
}
