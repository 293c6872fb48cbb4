import { type RawBuilder, sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { cutAs, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { type missingRates, type ReportFilter, ReportRow } from '../contract/report.ts';
import { narrowed, periodOf, plainUnits, platformOf, type Shop, shopsOf } from './filter.ts';
import {
  type CurrencySum,
  type Dates,
  FOLLOWS,
  factors,
  MONEY_COLUMNS,
  type MoneyCells,
  moneyOf,
  ratesOf,
  SUMMED,
  SUMS,
  SUMS_AS_TEXT,
  type Told,
  wholeSum,
} from './money.ts';

interface DbRow extends MoneyCells {
  id: string;
  platform: string;
  shop_id: string;
  country: string;
  product_id: string;
  units: string;
  uncosted: string;
  /** Number and sums of all rows, beside each of them. */
  n: number;
  all_units: string;
  all_uncosted: string;
  all_sales: string | null;
  all_ship_fee: string | null;
  all_commission: string | null;
  all_commission_rate: string | null;
  all_cost: string | null;
  all_margin: string | null;
  all_margin_rate: string | null;
}
interface Around {
  sku: string | null;
  name: string | null;
  image: string | null;
}

const ALL = sql.raw(
  ['units', 'uncosted', 'sales', 'ship_fee', 'commission', 'commission_rate', 'cost', 'margin', 'margin_rate']
    .map((name) => `w.${name} AS all_${name}`)
    .join(', '),
);
const PLACES = { platform: 'k.platform', shop: 'k.shop_id', country: 'k.country', product: 'k.product_id' };
const inPeriod = (ctx: Ctx, { from, to }: Dates) => sql`
  k.company_id = ${ctx.companyId} AND k.via = 'sold' AND k.day BETWEEN ${from}::date AND ${to}::date`;

/** The rows of the report: one per product, shop, country and currency of its sales. */
async function rowsSql(ctx: Ctx, filter: ReportFilter): Promise<RawBuilder<unknown>> {
  const dates = periodOf(ctx, filter.date);
  const told: Told = filter.currency ?? 'CNY';
  const by = factors(told);
  const amount = (column: string) => sql`${wholeSum(sql`k.${sql.raw(column)} * ${by.amount}`)} AS ${sql.raw(column)}`;
  return sql`
    SELECT r.*, ${FOLLOWS}
      FROM (SELECT k.shop_id || '~' || k.country || '~' || k.product_id || '~' || k.currency AS id, min(k.platform) AS platform, k.shop_id,
                   k.country, k.product_id, ${told === 'CNY' ? sql`'CNY'` : sql`k.currency`} AS currency, sum(k.units) AS units,
                   coalesce(sum(k.units) FILTER (WHERE k.cost IS NULL), 0) AS uncosted,
                   ${amount('sales')}, ${amount('ship_fee')}, ${amount('commission')},
                   ${wholeSum(sql`k.cost * ${by.cost}`)} AS cost
              FROM channel.sold_day AS k
              JOIN rate AS f ON f.currency = k.currency AND f.day = k.day
             WHERE ${inPeriod(ctx, dates)} ${narrowed(ctx, filter, PLACES)}
             GROUP BY k.shop_id, k.country, k.product_id, k.currency) AS r`;
}

/** The same, with their number and sums beside each row, from one reading. */
async function listed(ctx: Ctx, filter: ReportFilter): Promise<Query<DbRow>> {
  const dates = periodOf(ctx, filter.date);
  const report = sql<DbRow>`(
    WITH rate AS MATERIALIZED (${await ratesOf(ctx, dates)}),
    line AS MATERIALIZED (${await rowsSql(ctx, filter)}),
    whole AS MATERIALIZED (SELECT count(*)::int AS n, sum(r.units) AS units, sum(r.uncosted) AS uncosted, ${SUMS} FROM line AS r)
    SELECT line.*, w.n, ${ALL} FROM line CROSS JOIN whole AS w)`;
  return listQuery<DbRow>(ctx.db.selectFrom(report.as('r')).selectAll('r'));
}

/** Sums of the filter: plain where all is in CNY, else of each currency and together. */
async function totalsOf(ctx: Ctx, filter: ReportFilter, rows: readonly DbRow[]): Promise<Totals> {
  const [first] = rows;
  if (!first) return {};
  const units = { units: plainUnits(first.all_units), uncosted: plainUnits(first.all_uncosted) };
  if ((filter.currency ?? 'CNY') === 'CNY') {
    return {
      ...units,
      currency: 'CNY',
      ...moneyOf({
        currency: 'CNY',
        sales: first.all_sales,
        ship_fee: first.all_ship_fee,
        commission: first.all_commission,
        commission_rate: first.all_commission_rate,
        cost: first.all_cost,
        margin: first.all_margin,
        margin_rate: first.all_margin_rate,
      }),
    };
  }
  const dates = periodOf(ctx, filter.date);
  const { rows: sums } = await sql<CurrencySum>`
    WITH rate AS MATERIALIZED (${await ratesOf(ctx, dates)})
    SELECT r.currency, ${SUMS_AS_TEXT}
      FROM (${await rowsSql(ctx, filter)}) AS r GROUP BY r.currency ORDER BY r.currency`.execute(ctx.db);
  return { ...units, ...(await moneyTotals(ctx, sums, SUMMED)) };
}

function rowOf(row: DbRow & Partial<Around>, shops: ReadonlyMap<string, Shop>): ReportRow {
  return {
    id: row.id,
    product: { name: row.name || (row.sku ?? ''), code: row.sku ?? '', image: row.image ?? null },
    platform: platformOf(row.platform),
    store: { name: shops.get(row.shop_id)?.name ?? '', country: row.country },
    currency: row.currency,
    units: plainUnits(row.units),
    ...moneyOf(row),
    uncosted: plainUnits(row.uncosted),
  };
}

function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow & Around> {
  return listQuery(
    cutAs(ctx, rows, 'r')
      .leftJoin('product.local_product as p', (join) =>
        join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', sql.ref('r.product_id')),
      )
      .selectAll('r')
      .select(['p.sku', 'p.name', 'p.image']),
  );
}

async function listDef(ctx: Ctx, filter: ReportFilter) {
  const shops = await shopsOf(ctx);
  return {
    row: ReportRow,
    query: await listed(ctx, filter),
    around: (rows: Query<DbRow>) => around(ctx, rows),
    sort: { units: 'r.units', uncosted: 'r.uncosted', ...MONEY_COLUMNS },
    order: [['r.sales', 'desc', 'last']] as const,
    key: 'r.id',
    map: (row: DbRow) => rowOf(row, shops),
  };
}

/** One page of what products sold at shops, those that sold most first, with the sums of the whole filter. */
export async function reportPage(ctx: Ctx, request: PageRequest<ReportFilter>): Promise<PageOf<ReportRow>> {
  return page<DbRow, ReportRow>(ctx, request, {
    ...(await listDef(ctx, request.filter)),
    count: async (rows) => rows[0]?.n ?? 0,
    totals: (rows) => totalsOf(ctx, request.filter, rows),
  });
}

/** The same as a file. */
export function exportReports(open: OpenCtx, request: ExportRequest<ReportFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `ERP销售报表-${ctx.clock.today()}`,
    sheet: 'ERP销售报表',
    format: request.format,
    columns: exportColumns(ctx, ReportRow, request.columns),
    rows: streamed<DbRow, ReportRow>(ctx, request, await listDef(ctx, request.filter)),
    audit: { action: '导出ERP销售报表', resource: 'channel.sales', filter: request.filter },
  }));
}

const MOST_MISSING = 20;

/** The days and currencies of a filter's sales that have no rate. */
export async function ratesMissing(ctx: Ctx, filter: ReportFilter): Promise<Reply<typeof missingRates>> {
  const dates = periodOf(ctx, filter.date);
  const { rows } = await sql<{ key: string; n: number }>`
    WITH rate AS MATERIALIZED (${await ratesOf(ctx, dates)})
    SELECT f.currency || ' ' || f.day AS key, (count(*) OVER ())::int AS n
      FROM rate AS f
     WHERE f.rate IS NULL AND EXISTS (
       SELECT FROM channel.sold_day AS k
        WHERE ${inPeriod(ctx, dates)} AND k.day = f.day AND k.currency = f.currency ${narrowed(ctx, filter, PLACES)})
     ORDER BY f.currency, f.day LIMIT ${MOST_MISSING}`.execute(ctx.db);
  return { ...dates, missing: rows.map(({ key }) => key), more: Math.max(0, (rows[0]?.n ?? 0) - rows.length) };
}
