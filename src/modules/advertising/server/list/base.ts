import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, ratio, round } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import { ratesOn } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { freshnessOf, storeNames } from '#modules/marketplace/server/index.ts';
import { FIGURE_STREAMS, STRUCTURE_STREAMS } from '../streams.ts';

export interface Filter {
  dates?: { from?: string | undefined; to?: string | undefined } | undefined;
  sites?: string[] | undefined;
  products?: string[] | undefined;
  /** Set where all rows are of Sponsored Products: see inUse(). */
  onlySp?: boolean;
  campaign?: string | undefined;
  states?: string[] | undefined;
  keyword?: string | undefined;
}

/** Sums of a row's days. */
export interface Sums {
  impressions: number;
  views: number;
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
  ad_product: string;
  currency: string;
}

/**
 * The filter, with what spares its sums a look at each row's product: many companies have Sponsored Products only, and
 * adding up their columns as they are takes about a fifth less processor time.
 */
export async function inUse<F extends Filter>(ctx: Ctx, filter: F): Promise<F> {
  if (filter.products?.length) return { ...filter, onlySp: filter.products.every((one) => one === 'SP') };
  const { rows } = await sql<{ others: boolean }>`
    SELECT EXISTS (SELECT FROM advertising.campaign
                    WHERE company_id = ${ctx.companyId} AND ad_product <> 'SP') AS others`.execute(ctx.db);
  return { ...filter, onlySp: rows[0]?.others !== true };
}

/** A column of Sponsored Products within seven days, of the others within fourteen. */
const first = (column: string, onlySp: boolean) =>
  sql.raw(onlySp ? `${column}_7d` : `CASE ad_product WHEN 'SP' THEN ${column}_7d ELSE ${column}_14d END`);

const VIEWED = ['views', 'view_orders', 'view_units', 'view_sales'];
/** Sums that only brands and display have. */
const viewed = (onlySp: boolean) =>
  sql.raw(
    VIEWED.map((name) =>
      onlySp ? `0 AS ${name}` : `sum(${name}) FILTER (WHERE ad_product <> 'SP') AS ${name}`,
    ).join(),
  );

/**
 * Sums by an entity over the days of a filter, as a subquery. `table` and `keys` are written by the program. The windows
 * of attribution are those that the marketplace shows first to sellers.
 */
export function sumsOf(ctx: Ctx, table: string, keys: readonly string[], filter: Filter): RawBuilder<unknown> {
  const { dates, campaign, products, onlySp = false } = filter;
  const by = sql.raw(['profile_id', 'ad_product', ...keys].join(', '));
  return sql`(
    SELECT ${by}, sum(impressions)::int AS impressions, sum(clicks)::int AS clicks, sum(cost) AS cost,
           sum(${first('orders', onlySp)})::int AS orders, sum(${first('units', onlySp)})::int AS units,
           sum(${first('sales', onlySp)}) AS sales, sum(${first('same_sales', onlySp)}) AS same_sales, ${viewed(onlySp)}
      FROM ${sql.table(table)}
     WHERE company_id = ${ctx.companyId}
       ${dates?.from ? sql`AND day >= ${dates.from}::date` : sql``}
       ${dates?.to ? sql`AND day <= ${dates.to}::date` : sql``}
       ${products?.length ? sql`AND ad_product = ANY(${products}::text[])` : sql``}
       ${
         campaign
           ? sql`AND (profile_id, ad_product, campaign_id) = (SELECT profile_id, ad_product, campaign_id
                  FROM advertising.campaign WHERE company_id = ${ctx.companyId} AND id = ${campaign})`
           : sql``
       }
     GROUP BY ${by})`;
}

/** What follows a showing counts where showings are paid. */
const withViews = (column: string) =>
  sql.raw(`coalesce(m.${column}, 0) + CASE c.cost_type WHEN 'VCPM' THEN coalesce(m.view_${column}, 0) ELSE 0 END`);

/** Columns that join sums `m` to a row of campaign `c`; nothing was shown where they are missing. */
export const SUMS = sql`
  coalesce(m.impressions, 0) AS impressions, coalesce(m.views, 0)::int AS views, coalesce(m.clicks, 0) AS clicks,
  coalesce(m.cost, 0) AS cost, (${withViews('orders')})::int AS orders, (${withViews('units')})::int AS units,
  ${withViews('sales')} AS sales, coalesce(m.same_sales, 0) AS same_sales`;

/** Conditions that all entities share; `e` is the entity and `c` its campaign. */
export function conditions(ctx: Ctx, filter: Filter, searched: string): RawBuilder<unknown> {
  const { sites, products, campaign, states, keyword } = filter;
  const like = keyword?.trim() ? containing(keyword) : undefined;
  return sql`e.company_id = ${ctx.companyId}
    ${sites?.length ? sql`AND e.marketplace_id || '-' || e.account_id = ANY(${sites}::text[])` : sql``}
    ${products?.length ? sql`AND e.ad_product = ANY(${products}::text[])` : sql``}
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
  views: 'r.views',
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
    views: row.views,
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
  /** SELECT of the rows of the filter, with all that they are found, added up and ordered by. */
  rows: RawBuilder<unknown>;
  /** What rows `r` of a page only show: columns and, with them, joins. */
  shown?: { columns: RawBuilder<unknown>; joins: RawBuilder<unknown> };
  sort: Record<string, string>;
  order: readonly (readonly [string, 'asc' | 'desc'])[];
  /** Whether rows have metrics. */
  measured: boolean;
  /** Streams whose freshness the rows have; those of figures or of entities where left out. */
  streams?: readonly string[];
  map: (row: Db, store: { name: string; country: string }) => Row;
}

const MONEY = ['cost', 'adSales', 'sameSales', 'otherSales'] as const;

/** SQL of the sums of relation `name`, one row a currency. */
const sumsByCurrency = (name: string) => sql`
  SELECT currency, count(*)::int AS n, sum(impressions)::int8 AS impressions, sum(views)::int8 AS views,
         sum(clicks)::int8 AS clicks, sum(cost) AS cost, sum(orders)::int8 AS orders, sum(units)::int8 AS units,
         sum(sales) AS sales, sum(same_sales) AS same_sales
    FROM ${sql.ref(name)} GROUP BY currency ORDER BY currency`;

/** Sums of one currency as they come out of JSON, where every decimal is a text. */
type CurrencySums = Sums & { currency: string; n: number };
interface WithAll {
  all_sums: CurrencySums[] | null;
}

/**
 * Sums over the filter: counts of all rows, money as moneyTotals() of the kit gives it. Ratios with money in them only
 * where all rows are in one currency.
 */
async function totals(ctx: Ctx, sums: readonly CurrencySums[]): Promise<Totals> {
  const perCurrency = sums.map((row) => ({ ...metricsOf(row), currency: row.currency }));
  const money = await moneyTotals(ctx, perCurrency, MONEY);
  const [first, other] = perCurrency;
  if (!other) return { ...first, ...money };
  const counts = ['impressions', 'views', 'clicks', 'adOrders', 'adUnits'] as const;
  const [impressions = 0, views = 0, clicks = 0, adOrders = 0, adUnits = 0] = counts.map((field) =>
    perCurrency.reduce((sum, row) => sum + row[field], 0),
  );
  const [ctr, cvr] = [places(ratio(clicks, impressions), 6), places(ratio(adOrders, clicks), 6)];
  return { impressions, views, clicks, ctr, adOrders, adUnits, cvr, ...money };
}

/** Sorts whose values are amounts: those of two currencies say nothing as bare numbers. */
const AMOUNT_SORTS: ReadonlySet<string> = new Set([...MONEY, 'cpc', 'cpa', 'budget', 'bid']);

/**
 * SQL of what one unit of a row's currency is worth, for ordering: today's rates where the company advertises in several
 * currencies, else 1. A currency without a rate is worth nothing and comes last.
 */
async function worth(ctx: Ctx): Promise<string> {
  const { rows } = await sql<{ currency: string }>`
    SELECT DISTINCT currency FROM advertising.campaign WHERE company_id = ${ctx.companyId} ORDER BY 1`.execute(ctx.db);
  if (rows.length < 2) return '1';
  const currencies = rows.map(({ currency }) => currency).filter((currency) => /^[A-Z]{3}$/.test(currency));
  const rates = await ratesOn(ctx, currencies, ctx.clock.today());
  const cases = currencies.flatMap((currency) => {
    const rate = rates.get(currency);
    return rate === undefined ? [] : [`WHEN '${currency}' THEN ${new Decimal(rate).toFixed()}`];
  });
  return cases.length === 0 ? '0' : `CASE r.currency ${cases.join(' ')} ELSE 0 END`;
}

type Row = { id: string; account_id: string; marketplace_id: string };
type Query<Db> = SelectQueryBuilder<never, never, Db>;

async function definition<Db extends Row, Out>(ctx: Ctx, list: AdList<Db, Out>): Promise<ListDef<Db, Out>> {
  const stores = await storeNames(ctx);
  const relation = sql<Db>`(${list.rows})`.as<'r'>(sql.ref('r'));
  const unit = await worth(ctx);
  const inOneCurrency = (expression: string) => (unit === '1' ? expression : `(${expression}) * (${unit})`);
  const sorts = Object.entries(list.sort).map(([name, expression]): [string, string] => [
    name,
    AMOUNT_SORTS.has(name) ? inOneCurrency(expression) : expression,
  ]);
  return {
    row: list.row,
    query: ctx.db.selectFrom(relation).selectAll() as unknown as Query<Db>,
    around: (rows) => around(ctx, list, rows),
    sort: Object.fromEntries(sorts),
    order: list.order.map(([expression, way]) => [
      expression === METRIC_SORT.cost ? inOneCurrency(expression) : expression,
      way,
    ]),
    key: 'r.id',
    map: (row) => list.map(row, { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) }),
  };
}

/** The rows of a query with what they only show; `before` stands in front of the SELECT, `more` behind its columns. */
function around<Db extends Row>(
  ctx: Ctx,
  { shown }: Pick<AdList<Db, unknown>, 'shown'>,
  rows: Query<Db>,
  { before, more }: { before: RawBuilder<unknown>; more: RawBuilder<unknown> } = { before: sql``, more: sql`` },
): Query<Db> {
  const relation = sql<Db>`(
    ${before} SELECT r.* ${shown ? sql`, ${shown.columns}` : sql``} ${more}
      FROM (${rows as unknown as RawBuilder<Db>}) AS r ${shown ? shown.joins : sql``})`;
  return ctx.db.selectFrom(relation.as<'r'>(sql.ref('r'))).selectAll() as unknown as Query<Db>;
}

/**
 * A page of measured rows in one reading of the days: they are added up by row once, and the page, the count and the
 * sums of all rows are taken of that.
 */
function inOnePass<Db extends Row, Out>(ctx: Ctx, list: AdList<Db, Out>, def: ListDef<Db, Out>): ListDef<Db, Out> {
  const before = sql`WITH everything AS MATERIALIZED (${list.rows}), sums AS (${sumsByCurrency('everything')})`;
  const more = sql`, (SELECT json_agg(json_build_object(
      'currency', s.currency, 'n', s.n, 'impressions', s.impressions, 'views', s.views, 'clicks', s.clicks,
      'cost', s.cost::text, 'orders', s.orders, 'units', s.units, 'sales', s.sales::text,
      'same_sales', s.same_sales::text) ORDER BY s.currency) FROM sums AS s) AS all_sums`;
  const apart = async (): Promise<CurrencySums[]> =>
    (await sql<CurrencySums>`${before} SELECT * FROM sums`.execute(ctx.db)).rows;
  // Only a page beyond the last has no row that the sums could stand in.
  const sumsOf = async (rows: readonly Db[]) => (rows[0] as WithAll | undefined)?.all_sums ?? (await apart());
  const relation = sql<Db>`everything`.as<'r'>(sql.ref('r'));
  return {
    ...def,
    query: ctx.db.selectFrom(relation).selectAll() as unknown as Query<Db>,
    around: (rows) => around<Db>(ctx, list, rows, { before, more }),
    count: async (rows) => (await sumsOf(rows)).reduce((sum, { n }) => sum + n, 0),
    totals: async (rows) => totals(ctx, await sumsOf(rows)),
  };
}

/** One page of a list of advertising, with its sums and how fresh its figures are. */
export async function adPage<Db extends Row, Out>(
  ctx: Ctx,
  request: PageRequest,
  list: AdList<Db, Out>,
): Promise<PageOf<Out>> {
  const def = await definition(ctx, list);
  return page(ctx, request, {
    ...(list.measured ? inOnePass(ctx, list, def) : def),
    asOf: () => freshnessOf(ctx, list.streams ?? (list.measured ? FIGURE_STREAMS : STRUCTURE_STREAMS)),
  });
}

/** The rows of a filter as a file. */
export function adFile<Db extends { id: string; account_id: string; marketplace_id: string }, Row extends object>(
  open: OpenCtx,
  request: Parameters<typeof streamed>[1] & { format: 'xlsx' | 'csv'; columns?: string[] | undefined; filter: object },
  listOf: (ctx: Ctx) => Promise<AdList<Db, Row>>,
): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = await listOf(ctx);
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
