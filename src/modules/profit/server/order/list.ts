import { type RawBuilder, sql } from 'kysely';
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
import { NEEDS_RATE, OF_MONTH, type OrderMoney, RECKONED, ratesTable, throughFilter } from './source.ts';

interface DbRow extends OrderMoney {
  selling_partner_id: string | null;
  purchased_at: string | null;
  status: string | null;
  item_amount: string | null;
  lead_sku: string | null;
  name: string | null;
  image: string | null;
}

const SORT: Record<string, string> = {
  ...RECKONED,
  firstDate: 'p.first_date',
  lastDate: 'p.last_date',
  units: 'p.units',
  refundUnits: 'p.refund_units',
};
const RECKONED_COLUMNS = Object.entries(RECKONED).map(([key, value]) => sql.raw<string | null>(value).as(key));

/** Id of a row: the money of an order at one site of an account in one currency. */
export const orderRowId = (of: { account_id: string; order_id: string; marketplace_id: string; currency: string }) =>
  [of.account_id, of.order_id, of.marketplace_id, of.currency].join('~');

/** Rows of a filter as they are stored; the rate stands beside them only where they are found or ordered by it. */
function rowsOf(ctx: Ctx, filter: OrderProfitFilter, fx: RawBuilder<unknown>, sort: string | undefined): Query<DbRow> {
  const rated = filter.result !== undefined || NEEDS_RATE.includes(sort ?? '');
  const rows = ctx.db.selectFrom('profit.order_profit as p').where(throughFilter(ctx, filter)).selectAll('p');
  return listQuery<DbRow>(rated ? rows.leftJoin(fxTable(fx), (join) => join.on(OF_MONTH)) : rows);
}

const fxTable = (fx: RawBuilder<unknown>) => sql<{ to_cny: string }>`(SELECT * FROM ${fx})`.as<'fx'>(sql.ref('fx'));

/** What the rows of a page are reckoned to, and show of their orders and goods. */
function around(ctx: Ctx, rows: Query<DbRow>, fx: RawBuilder<unknown>): Query<DbRow> {
  return listQuery<DbRow>(
    cutAs(ctx, rows, 'p')
      .leftJoin(fxTable(fx), (join) => join.on(OF_MONTH))
      .leftJoin('marketplace.seller_account as a', (join) =>
        join.on('a.company_id', '=', ctx.companyId).onRef('a.id', '=', 'p.account_id'),
      )
      .leftJoin('order.amazon_order as o', (join) =>
        join
          .on('o.company_id', '=', ctx.companyId)
          .onRef('o.selling_partner_id', '=', 'a.selling_partner_id')
          .onRef('o.amazon_order_id', '=', 'p.order_id'),
      )
      .leftJoin('listing.product as g', (join) =>
        join
          .on('g.company_id', '=', ctx.companyId)
          .onRef('g.account_id', '=', 'p.account_id')
          .onRef('g.marketplace_id', '=', 'p.marketplace_id')
          .onRef('g.seller_sku', '=', 'o.lead_sku'),
      )
      .selectAll('p')
      .select(RECKONED_COLUMNS)
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

function stateOf({ settled_size, open_size }: DbRow): OrderProfitRow['state'] {
  if (new Decimal(open_size).isZero()) return 'settled';
  return new Decimal(settled_size).isZero() ? 'open' : 'partly';
}

function toRow(names: ReadonlyMap<string, string>): (row: DbRow) => OrderProfitRow {
  return (row) => {
    const { lead_sku: sku, selling_partner_id: seller } = row;
    const isWhole = row.status === 'SHIPPED' && row.item_amount !== null;
    return {
      id: orderRowId(row),
      orderKey: seller === null ? null : `${seller}~${row.order_id}`,
      orderId: row.order_id,
      product: sku === null ? null : { name: row.name ?? sku, code: sku, image: row.image },
      store: { name: names.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      purchasedAt: row.purchased_at,
      firstDate: row.first_date,
      lastDate: row.last_date,
      state: stateOf(row),
      currency: row.currency,
      units: row.units,
      refundUnits: row.refund_units,
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

async function listDef(
  ctx: Ctx,
  { filter, sort }: { filter: OrderProfitFilter; sort?: string | undefined },
): Promise<ListDef<DbRow, OrderProfitRow>> {
  const fx = await ratesTable(ctx, filter);
  return {
    row: OrderProfitRow,
    query: rowsOf(ctx, filter, fx, sort),
    around: (rows) => around(ctx, rows, fx),
    sort: SORT,
    order: [
      ['p.first_date', 'desc'],
      ['p.order_id', 'desc'],
    ],
    key: 'p.order_id, p.account_id, p.marketplace_id, p.currency',
    map: toRow(await storeNames(ctx)),
  };
}

const SUMS = sql.raw(
  ORDER_AMOUNTS.filter((key) => !NEEDS_RATE.includes(key))
    .map((key) => `sum(${RECKONED[key]}) AS "${key}"`)
    .join(', '),
);
const PART_SUMS = sql.raw(
  ORDER_AMOUNTS.filter((key) => !NEEDS_RATE.includes(key))
    .map((key) => `sum(g."${key}") AS "${key}"`)
    .join(', '),
);

/** Sums of a filter by currency; costs and profits are those that are known, converted once for each month. */
async function totalsOf(ctx: Ctx, filter: OrderProfitFilter): Promise<Totals> {
  const fx = await ratesTable(ctx, filter);
  const rated = filter.result === undefined ? sql`` : sql`LEFT JOIN ${fx} ON ${OF_MONTH}`;
  const { rows } = await sql<{ currency: string } & Record<(typeof ORDER_AMOUNTS)[number], string | null>>`
    SELECT g.currency, ${PART_SUMS}, sum(-g.cost / fx.to_cny) AS cogs, sum(g.costed - g.cost / fx.to_cny) AS profit
      FROM (SELECT p.currency, date_trunc('month', p.first_date)::date AS month, ${SUMS},
                   sum(p.cost_cny) FILTER (WHERE p.cost_units = p.units) AS cost,
                   sum(${sql.raw(RECKONED.net)}) FILTER (WHERE p.cost_units = p.units) AS costed
              FROM profit.order_profit AS p ${rated}
             WHERE ${throughFilter(ctx, filter)} GROUP BY 1, 2) AS g
      LEFT JOIN ${fx} ON fx.currency = g.currency AND fx.month = g.month
     GROUP BY g.currency ORDER BY g.currency`.execute(ctx.db);
  return moneyTotals(ctx, rows, ORDER_AMOUNTS);
}

/** One page of the orders with money, those that were posted last first. */
export async function orderProfitPage(
  ctx: Ctx,
  request: PageRequest<OrderProfitFilter>,
): Promise<PageOf<OrderProfitRow>> {
  return page(ctx, request, {
    ...(await listDef(ctx, request)),
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
    rows: streamed(ctx, body, await listDef(ctx, body)),
    audit: { action: '导出订单利润', resource: 'profit.order', filter: body.filter },
  };
}

/** Rows of one order of an account, whatever its dates. */
export async function rowsOfOrder(ctx: Ctx, orderId: string, sellingPartnerId: string): Promise<OrderProfitRow[]> {
  const { records } = await page(
    ctx,
    { currentpage: 1, pagesize: 20, filter: {} },
    await listDef(ctx, { filter: { orderIds: [orderId] } }),
  );
  return records.filter((row) => row.orderKey === `${sellingPartnerId}~${orderId}`);
}
