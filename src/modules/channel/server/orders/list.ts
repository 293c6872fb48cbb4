import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { listQuery, page, streamed } from '#kit/server/list/page.ts';
import { OrderRow, type ReportFilter } from '../../contract/report.ts';
import { narrowed, periodOf, platformOf } from '../filter.ts';
import {
  type CurrencySum,
  FOLLOWS,
  factors,
  MONEY_COLUMNS,
  type MoneyCells,
  moneyOf,
  ratesOf,
  SUMMED,
  SUMS_AS_TEXT,
} from '../money.ts';
import { boundThen } from './skus.ts';

interface DbRow extends MoneyCells {
  id: string;
  order_no: string;
  day: string;
  platform: string;
  shop: string;
  country: string;
  sku: string | null;
  name: string | null;
  image: string | null;
  platform_sku: string;
  warehouse: string;
  tracking_number: string | null;
  qty: number;
  units: number | null;
}

const PLACES = { platform: 'h.platform', shop: 'o.shop_id', country: 'o.country', product: 'b.product_id' };

/**
 * The lines of a filter with what each is of today's sums of its day: a line's cost is its pieces' part of what the product cost on
 * that day under the SKU, which is the same for each piece. A line that is not in the sums yet has no cost yet.
 */
async function linesSql(ctx: Ctx, filter: ReportFilter): Promise<RawBuilder<unknown>> {
  const dates = periodOf(ctx, filter.date);
  const told = filter.currency ?? 'CNY';
  const by = factors(told);
  const { companyId } = ctx;
  return sql`
    SELECT r.*, ${FOLLOWS}
      FROM (SELECT l.id, o.order_no, o.day, h.platform, h.name AS shop, o.country, p.sku, p.name, p.image, l.platform_sku, o.warehouse, o.tracking_number,
                   ${told === 'CNY' ? sql`'CNY'` : sql`l.currency`} AS currency, l.qty, l.qty * b.units AS units,
                   round(l.sales * ${by.amount}, 4) AS sales, round(l.ship_fee * ${by.amount}, 4) AS ship_fee,
                   round(l.commission * ${by.amount}, 4) AS commission,
                   CASE WHEN l.qty = 0 THEN 0 ELSE round(s.cost * l.qty * b.units / nullif(s.units, 0) * ${by.cost}, 4) END AS cost
              FROM channel.platform_order AS o
              JOIN channel.platform_line AS l ON l.company_id = ${companyId} AND l.shop_id = o.shop_id AND l.order_no = o.order_no
              JOIN channel.shop AS h ON h.company_id = ${companyId} AND h.id = o.shop_id
              LEFT JOIN ${boundThen(ctx)} AS b ON true
              LEFT JOIN product.local_product AS p ON p.company_id = ${companyId} AND p.id = b.product_id
              LEFT JOIN channel.sold_day AS s ON s.company_id = ${companyId} AND s.shop_id = l.shop_id
               AND s.platform_sku = l.platform_sku AND s.day = o.day AND s.country = o.country AND s.currency = l.currency
               AND s.product_id = b.product_id AND s.via = 'sold'
              LEFT JOIN (${await ratesOf(ctx, dates)}) AS f ON f.currency = l.currency AND f.day = o.day
             WHERE o.company_id = ${companyId} AND o.day BETWEEN ${dates.from}::date AND ${dates.to}::date
               ${narrowed(ctx, filter, PLACES)}) AS r`;
}

function rowOf(row: DbRow): OrderRow {
  return {
    id: row.id,
    orderNo: row.order_no,
    day: row.day,
    platform: platformOf(row.platform),
    store: { name: row.shop, country: row.country },
    product: row.sku === null ? null : { name: row.name || row.sku, code: row.sku, image: row.image },
    platformSku: row.platform_sku,
    warehouse: row.warehouse,
    tracking: row.tracking_number,
    currency: row.currency,
    qty: row.qty,
    units: row.units,
    ...moneyOf(row),
  };
}

async function listDef(ctx: Ctx, filter: ReportFilter) {
  const lines = sql<DbRow>`(${await linesSql(ctx, filter)})`;
  return {
    row: OrderRow,
    query: listQuery<DbRow>(ctx.db.selectFrom(lines.as('r')).selectAll('r')),
    sort: { day: 'r.day', qty: 'r.qty', units: 'r.units', ...MONEY_COLUMNS },
    order: [['r.day', 'desc']] as const,
    key: 'r.id',
    map: rowOf,
  };
}

async function totalsOf(ctx: Ctx, filter: ReportFilter): Promise<Totals> {
  const { rows } = await sql<CurrencySum & { qty: number; units: number }>`
    SELECT r.currency, sum(r.qty)::int AS qty, coalesce(sum(r.units), 0)::int AS units, ${SUMS_AS_TEXT}
      FROM (${await linesSql(ctx, filter)}) AS r GROUP BY r.currency ORDER BY r.currency`.execute(ctx.db);
  const of = (key: 'qty' | 'units') => rows.reduce((sum, row) => sum + row[key], 0);
  return { qty: of('qty'), units: of('units'), ...(await moneyTotals(ctx, rows, SUMMED)) };
}

/** One page of order lines of other platforms, the newest first. */
export async function ordersPage(ctx: Ctx, request: PageRequest<ReportFilter>): Promise<PageOf<OrderRow>> {
  return page<DbRow, OrderRow>(ctx, request, {
    ...(await listDef(ctx, request.filter)),
    totals: () => totalsOf(ctx, request.filter),
  });
}

/** The same as a file. */
export function exportOrderLines(open: OpenCtx, request: ExportRequest<ReportFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `ERP销售订单-${ctx.clock.today()}`,
    sheet: 'ERP销售订单',
    format: request.format,
    columns: exportColumns(ctx, OrderRow, request.columns),
    rows: streamed<DbRow, OrderRow>(ctx, request, await listDef(ctx, request.filter)),
    audit: { action: '导出ERP销售订单', resource: 'channel.order', filter: request.filter },
  }));
}
