import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type Order, orderOf } from '#modules/purchase/server/index.ts';
import type { OrderTrades, TradeLineRow, TradeRow, TradeStatus } from '../contract/index.ts';
import { coveredOf } from './lines.ts';
import { selected, shownOf, withPaid } from './trades.ts';

interface DbLine {
  tradeId: string;
  lineId: string;
  productId: string;
  platformId: string | null;
  status: TradeStatus;
  qty: number;
  units: number;
  ordered: string;
  amount: string | null;
}

async function lineRows(ctx: Ctx, order: Order): Promise<TradeLineRow[]> {
  const { rows } = await sql<DbLine>`
    SELECT t.id AS "tradeId", l.order_line_id AS "lineId", l.product_id AS "productId", t.platform_id AS "platformId", t.status,
           l.units * l.pieces_per_unit AS qty, l.units, l.ordered, l.amount
      FROM alibaba.trade AS t JOIN alibaba.trade_line AS l ON l.company_id = t.company_id AND l.trade_id = t.id
     WHERE t.company_id = ${ctx.companyId} AND t.order_id = ${order.id}`.execute(ctx.db);
  const products = await localProducts(ctx, [...new Set(rows.map((row) => row.productId))]);
  const place = new Map(order.lines.map((line) => [line.id, line.lineNo]));
  rows.sort((a, b) => (place.get(a.lineId) ?? 0) - (place.get(b.lineId) ?? 0) || (a.tradeId < b.tradeId ? -1 : 1));
  return rows.map(({ tradeId, lineId, productId, ...row }) => ({
    ...row,
    id: `${tradeId}:${lineId}`,
    product: products.get(productId)?.cell ?? { name: '—', code: '—' },
    difference: row.amount === null ? null : new Decimal(row.amount).minus(row.ordered).toFixed(),
  }));
}

const COUNTS: (row: TradeRow) => boolean = (row) => row.status !== 'failed' && row.status !== 'cancel';

/** Whether the supplier has an offer at the platform for anything that is left. */
async function offered(ctx: Ctx, order: Order, products: readonly string[]): Promise<boolean> {
  if (products.length === 0) return false;
  const link = await ctx.db
    .selectFrom('alibaba.offer_link')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('supplier_id', '=', order.supplier)
    .where('product_id', 'in', products)
    .limit(1)
    .executeTakeFirst();
  return link !== undefined;
}

/** A purchase order beside its orders at the platform, to the cent. CNY. @throws notFound for one out of reach */
export async function orderTrades(ctx: Ctx, orderId: string): Promise<OrderTrades> {
  const order = await orderOf(ctx, orderId);
  const rows = await selected(ctx, {}).where('t.order_id', '=', orderId).orderBy('t.id').execute();
  const trades = await withPaid(ctx, rows.map(shownOf));
  const { covered, begun } = await coveredOf(ctx, orderId);
  const counted = trades.filter(COUNTS);
  const of = (field: 'orderAmount' | 'total' | 'freight' | 'refund' | 'difference') =>
    sum(counted.map((row) => row[field] ?? '0'));
  const left = order.lines
    .filter((line) => !line.gift)
    .map(({ id, product, qty, cancelled }) => ({
      product,
      qty: Math.max(0, qty - cancelled - (covered.get(id)?.pieces ?? 0)),
    }))
    .filter(({ qty }) => qty > 0);
  const open = order.currency === 'CNY' && (order.state === 'approved' || (order.state === 'ordered' && begun));
  return {
    number: order.number,
    orderable: open && (await offered(ctx, order, [...new Set(left.map(({ product }) => product))])),
    trades,
    lines: await lineRows(ctx, order),
    placedQty: [...covered.values()].reduce((total, one) => total + one.pieces, 0),
    leftQty: left.reduce((total, { qty }) => total + qty, 0),
    orderAmount: of('orderAmount'),
    total: of('total'),
    freight: of('freight'),
    refund: of('refund'),
    difference: of('difference'),
  };
}
