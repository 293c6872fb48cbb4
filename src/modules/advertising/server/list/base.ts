import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, ratio, round } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { freshnessOf, storeNames } from '#modules/marketplace/server/index.ts';
import { FIGURE_STREAMS } from '../streams.ts';

export interface Filter {
  dates?: { from?: string | undefined; to?: string | undefined } | undefined;
  sites?: string[] | undefined;
  campaign?: string | undefined;
  states?: string[] | undefined;
  keyword?: string | undefined;
}

/** Sums of a row's days. */
export interface Sums {
  impressions: number;
  clicks: number;
  cost: string;
  orders: number;
  units: number;
  sales: string;
  same_sales: string;
}

export interface AnyRow extends Sums {
  id: string;
  account_id: string;
  marketplace_id: string;
  currency: string;
}

/**
 * Sums by an entity over the days of a filter, as a subquery. `table` and `keys` are written by the program. The window
 * of attribution is that of sellers' Sponsored Products: seven days.
 */
export function sumsOf(ctx: Ctx, table: string, keys: readonly string[], { dates }: Filter): RawBuilder<unknown> {
  const by = sql.raw(['profile_id', 'ad_product', ...keys].join(', '));
  return sql`(
    SELECT ${by}, sum(impressions)::int AS impressions, sum(clicks)::int AS clicks, sum(cost) AS cost,
           sum(orders_7d)::int AS orders, sum(units_7d)::int AS units, sum(sales_7d) AS sales,
           sum(same_sales_7d) AS same_sales
      FROM ${sql.table(table)}
     WHERE company_id = ${ctx.companyId}
       ${dates?.from ? sql`AND day >= ${dates.from}::date` : sql``}
       ${dates?.to ? sql`AND day <= ${dates.to}::date` : sql``}
     GROUP BY ${by})`;
}

/** Columns that join sums `m` to a row; nothing was shown where they are missing. */
export const SUMS = sql`
  coalesce(m.impressions, 0) AS impressions, coalesce(m.clicks, 0) AS clicks, coalesce(m.cost, 0) AS cost,
  coalesce(m.orders, 0) AS orders, coalesce(m.units, 0) AS units, coalesce(m.sales, 0) AS sales,
  coalesce(m.same_sales, 0) AS same_sales`;

/** Conditions that all entities share; `e` is the entity and `c` its campaign. */
export function conditions(ctx: Ctx, filter: Filter, searched: string): RawBuilder<unknown> {
  const { sites, campaign, states, keyword } = filter;
  const like = keyword?.trim() ? `%${keyword.trim().replace(/[\\%_]/g, '\\$&')}%` : undefined;
  return sql`e.company_id = ${ctx.companyId}
    ${sites?.length ? sql`AND e.marketplace_id || '-' || e.account_id = ANY(${sites}::text[])` : sql``}
    ${campaign ? sql`AND c.id = ${campaign}` : sql``}
    ${states?.length ? sql`AND (CASE WHEN e.gone_at IS NULL THEN e.state ELSE 'GONE' END) = ANY(${states}::text[])` : sql``}
    ${like ? sql`AND concat_ws(' ', ${sql.raw(searched)}) ILIKE ${like}` : sql``}`;
}

/** Joins the campaign of an entity `e`. */
export const CAMPAIGN = sql`
  JOIN advertising.campaign AS c ON c.company_id = e.company_id AND c.profile_id = e.profile_id
   AND c.ad_product = e.ad_product AND c.campaign_id = e.campaign_id`;
/** Joins the ad group of an entity `e`; what holds for a whole campaign has none. */
export const AD_GROUP = sql`
  LEFT JOIN advertising.ad_group AS g ON g.company_id = e.company_id AND g.profile_id = e.profile_id
   AND g.ad_product = e.ad_product AND g.ad_group_id = e.ad_group_id`;

const over = (a: string, b: string) => `${a} / nullif(${b}, 0)`;

/** Metric to its SQL over the sums of a row `r`; a cost without a sale is the worst ACoS there is. */
export const METRIC_SORT: Record<string, string> = {
  impressions: 'r.impressions',
  clicks: 'r.clicks',
  ctr: over('r.clicks::numeric', 'r.impressions'),
  cost: 'r.cost',
  cpc: over('r.cost', 'r.clicks'),
  adOrders: 'r.orders',
  adUnits: 'r.units',
  adSales: 'r.sales',
  sameSales: 'r.same_sales',
  otherSales: '(r.sales - r.same_sales)',
  cvr: over('r.orders::numeric', 'r.clicks'),
  acos: `CASE WHEN r.sales = 0 AND r.cost > 0 THEN 'Infinity'::numeric ELSE ${over('r.cost', 'r.sales')} END`,
  roas: over('r.sales', 'r.cost'),
  cpa: over('r.cost', 'r.orders'),
};

const places = (value: string | null, scale: number) => (value === null ? null : round(value, scale));

/** Metrics of sums, as lists show them: ratios of sums, null where there is nothing to divide by. */
export function metricsOf(row: Sums) {
  return {
    impressions: row.impressions,
    clicks: row.clicks,
    ctr: places(ratio(row.clicks, row.impressions), 6),
    cost: row.cost,
    cpc: places(ratio(row.cost, row.clicks), 4),
    adOrders: row.orders,
    adUnits: row.units,
    adSales: row.sales,
    sameSales: row.same_sales,
    otherSales: new Decimal(row.sales).minus(row.same_sales).toFixed(),
    cvr: places(ratio(row.orders, row.clicks), 6),
    acos: places(ratio(row.cost, row.sales), 6),
    roas: places(ratio(row.sales, row.cost), 4),
    cpa: places(ratio(row.cost, row.orders), 4),
  };
}

export interface AdList<Db extends { id: string; account_id: string; marketplace_id: string }, Row> {
  title: string;
  resource: string;
  row: z.ZodObject;
  /** SELECT of the rows of the filter. */
  rows: RawBuilder<unknown>;
  sort: Record<string, string>;
  order: readonly (readonly [string, 'asc' | 'desc'])[];
  /** Whether rows have metrics. */
  measured: boolean;
  map: (row: Db, store: { name: string; country: string }) => Row;
}

const MONEY = ['cost', 'adSales', 'sameSales', 'otherSales'] as const;

/**
 * Sums over the filter: counts of all rows, money as moneyTotals() of the kit gives it. Ratios with money in them only
 * where all rows are in one currency.
 */
async function totals(ctx: Ctx, rows: RawBuilder<unknown>): Promise<Totals> {
  const { rows: sums } = await sql<Sums & { currency: string }>`
    SELECT currency, sum(impressions)::int8 AS impressions, sum(clicks)::int8 AS clicks, sum(cost) AS cost,
           sum(orders)::int8 AS orders, sum(units)::int8 AS units, sum(sales) AS sales, sum(same_sales) AS same_sales
      FROM (${rows}) AS r GROUP BY currency ORDER BY currency`.execute(ctx.db);
  const perCurrency = sums.map((row) => ({ ...metricsOf(row), currency: row.currency }));
  const money = await moneyTotals(ctx, perCurrency, MONEY);
  const [first, other] = perCurrency;
  if (!other) return { ...first, ...money };
  const [impressions, clicks, adOrders, adUnits] = (['impressions', 'clicks', 'adOrders', 'adUnits'] as const).map(
    (field) => perCurrency.reduce((sum, row) => sum + row[field], 0),
  ) as [number, number, number, number];
  const [ctr, cvr] = [places(ratio(clicks, impressions), 6), places(ratio(adOrders, clicks), 6)];
  return { impressions, clicks, ctr, adOrders, adUnits, cvr, ...money };
}

async function definition<Db extends { id: string; account_id: string; marketplace_id: string }, Row>(
  ctx: Ctx,
  list: AdList<Db, Row>,
): Promise<ListDef<Db, Row>> {
  const stores = await storeNames(ctx);
  const relation = sql<Db>`(${list.rows})`.as<'r'>(sql.ref('r'));
  return {
    row: list.row,
    query: ctx.db.selectFrom(relation).selectAll() as unknown as SelectQueryBuilder<never, never, Db>,
    sort: list.sort,
    order: list.order,
    key: 'r.id',
    map: (row) => list.map(row, { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) }),
  };
}

/** One page of a list of advertising, with its sums and how fresh its figures are. */
export async function adPage<Db extends { id: string; account_id: string; marketplace_id: string }, Row>(
  ctx: Ctx,
  request: PageRequest,
  list: AdList<Db, Row>,
): Promise<PageOf<Row>> {
  return page(ctx, request, {
    ...(await definition(ctx, list)),
    ...(list.measured ? { totals: () => totals(ctx, list.rows) } : {}),
    asOf: () => freshnessOf(ctx, list.measured ? FIGURE_STREAMS : ['advertising.structure']),
  });
}

/** The rows of a filter as a file. */
export function adFile<Db extends { id: string; account_id: string; marketplace_id: string }, Row extends object>(
  open: OpenCtx,
  request: Parameters<typeof streamed>[1] & { format: 'xlsx' | 'csv'; columns?: string[] | undefined; filter: object },
  listOf: (ctx: Ctx) => AdList<Db, Row>,
): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = listOf(ctx);
    return {
      name: list.title,
      sheet: list.title,
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns),
      rows: streamed(ctx, request, await definition(ctx, list)),
      audit: { action: `导出${list.title}`, resource: list.resource, filter: request.filter },
    };
  });
}
