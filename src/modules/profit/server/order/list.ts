import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { cutAs, type ListDef, listQuery, page, type Query, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { ORDER_AMOUNTS, type OrderProfitFilter, OrderProfitRow } from '../../contract/order.ts';
import { freshness } from '../list.ts';
import { rate, wire } from '../rows.ts';
import { type OrderMoney, orderMoney } from './source.ts';

interface DbRow extends OrderMoney {
  selling_partner_id: string | null;
  purchased_at: string | null;
  status: string | null;
  item_amount: string | null;
  lead_sku: string | null;
  name: string | null;
  image: string | null;
}

const SORT = {
  ...Object.fromEntries(ORDER_AMOUNTS.map((key) => [key, `r."${key}"`])),
  firstDate: 'r."firstDate"',
  lastDate: 'r."lastDate"',
  units: 'r.units',
  refundUnits: 'r."refundUnits"',
  margin: 'r.margin',
};

/** What the rows of a page show of their orders and goods. */
function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow> {
  return listQuery<DbRow>(
    cutAs(ctx, rows, 'r')
      .leftJoin('marketplace.seller_account as a', (join) =>
        join.on('a.company_id', '=', ctx.companyId).onRef('a.id', '=', 'r.account_id'),
      )
      .leftJoin('order.amazon_order as o', (join) =>
        join
          .on('o.company_id', '=', ctx.companyId)
          .onRef('o.selling_partner_id', '=', 'a.selling_partner_id')
          .onRef('o.amazon_order_id', '=', 'r.order_id'),
      )
      .leftJoin('listing.product as g', (join) =>
        join
          .on('g.company_id', '=', ctx.companyId)
          .onRef('g.account_id', '=', 'r.account_id')
          .onRef('g.marketplace_id', '=', 'r.marketplace_id')
          .onRef('g.seller_sku', '=', 'o.lead_sku'),
      )
      .selectAll('r')
      .select([
        'o.selling_partner_id',
        'o.purchased_at',
        'o.status',
        'o.item_amount',
        'o.lead_sku',
        'g.name',
        'g.image',
      ]),
  );
}

function toRow(names: ReadonlyMap<string, string>): (row: DbRow) => OrderProfitRow {
  return (row) => {
    const { lead_sku: sku, selling_partner_id: seller } = row;
    const isWhole = row.status === 'SHIPPED' && row.item_amount !== null;
    return {
      id: row.id,
      orderKey: seller === null ? null : `${seller}~${row.order_id}`,
      orderId: row.order_id,
      product: sku === null ? null : { name: row.name ?? sku, code: sku, image: row.image },
      store: { name: names.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      purchasedAt: row.purchased_at,
      firstDate: row.firstDate,
      lastDate: row.lastDate,
      state: row.state,
      currency: row.currency,
      units: row.units,
      refundUnits: row.refundUnits,
      sales: wire(row.sales),
      promotion: wire(row.promotion),
      refund: wire(row.refund),
      commission: wire(row.commission),
      refundFee: wire(row.refundFee),
      fba: wire(row.fba),
      otherFee: wire(row.otherFee),
      reimbursement: wire(row.reimbursement),
      tax: wire(row.tax),
      unmapped: wire(row.unmapped),
      net: wire(row.net),
      cogs: wire(row.cogs),
      profit: wire(row.profit),
      margin: rate(row.margin),
      ordered: wire(row.item_amount),
      gap: isWhole ? new Decimal(row.principal).minus(row.item_amount ?? 0).toFixed() : null,
    };
  };
}

async function listDef(ctx: Ctx, filter: OrderProfitFilter): Promise<ListDef<DbRow, OrderProfitRow>> {
  const table = (await orderMoney(ctx, filter)).as<'r'>(sql.ref('r'));
  return {
    row: OrderProfitRow,
    query: listQuery<DbRow>(ctx.db.selectFrom(table).selectAll()),
    around: (rows) => around(ctx, rows),
    sort: SORT,
    order: [
      ['r."firstDate"', 'desc'],
      ['r.order_id', 'desc'],
    ],
    key: 'r.id',
    map: toRow(await storeNames(ctx)),
  };
}

/** Sums of a filter by currency; costs and profits are those that are known. */
async function totalsOf(ctx: Ctx, filter: OrderProfitFilter): Promise<Totals> {
  const sums = sql.raw(ORDER_AMOUNTS.map((key) => `sum(r."${key}") AS "${key}"`).join(', '));
  const { rows } = await sql<{ currency: string } & Record<(typeof ORDER_AMOUNTS)[number], string | null>>`
    SELECT r.currency, sum(r.units)::bigint AS units, ${sums} FROM ${await orderMoney(ctx, filter)} AS r
     GROUP BY r.currency ORDER BY r.currency`.execute(ctx.db);
  return moneyTotals(ctx, rows, ORDER_AMOUNTS);
}

/** One page of the orders with money, those that were posted last first. */
export async function orderProfitPage(
  ctx: Ctx,
  request: PageRequest<OrderProfitFilter>,
): Promise<PageOf<OrderProfitRow>> {
  return page(ctx, request, {
    ...(await listDef(ctx, request.filter)),
    totals: () => totalsOf(ctx, request.filter),
    asOf: () => freshness(ctx),
  });
}

/** All orders of the filter as a file. */
export async function orderProfitFile(ctx: Ctx, body: ExportRequest<OrderProfitFilter>): Promise<DownloadSpec> {
  return {
    name: '订单利润',
    sheet: '订单利润',
    format: body.format,
    columns: exportColumns(ctx, OrderProfitRow, body.columns),
    rows: streamed(ctx, body, await listDef(ctx, body.filter)),
    audit: { action: '导出订单利润', resource: 'profit.order', filter: body.filter },
  };
}

/** Rows of one order of an account, whatever its dates. */
export async function rowsOfOrder(ctx: Ctx, orderId: string, sellingPartnerId: string): Promise<OrderProfitRow[]> {
  const { records } = await page(
    ctx,
    { currentpage: 1, pagesize: 20, filter: {} },
    await listDef(ctx, { orderIds: [orderId] }),
  );
  return records.filter((row) => row.orderKey === `${sellingPartnerId}~${orderId}`);
}
