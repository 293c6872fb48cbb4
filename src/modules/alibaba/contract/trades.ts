import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, Product } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { at, ById, CONFIRM, cny, Done, ORDER, TradeStatus, VIEW } from './fields.ts';

export const TradeRow = z.object({
  id: Id,
  orderNumber: z.string().meta({ title: '采购单', kind: 'code', width: 150, pinned: 'left' }),
  status: TradeStatus.meta({ title: '状态', width: 100 }),
  platformId: z.string().nullable().meta({ title: '1688订单号', kind: 'code', width: 170 }),
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  seller: z.string().meta({ title: '1688卖家', width: 130 }),
  buyer: z.string().meta({ title: '采购账号', width: 130 }),
  /** What the purchase order says for the pieces of this one. */
  orderAmount: cny('采购单金额').nullable(),
  total: cny('1688应付').nullable(),
  difference: cny('差额').nullable(),
  freight: cny('其中运费').nullable(),
  refund: cny('已退款').nullable(),
  /** What finance has paid for the purchase order, all its orders together. */
  paid: cny('采购单已付').nullable(),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 130 }),
  lastStep: z.string().meta({ title: '最新物流', width: 160 }),
  problem: z.string().meta({ title: '说明', width: 200 }),
  paidAt: Instant.nullable().meta({ title: '付款时间', width: 130 }),
  placedByName: z.string().meta({ title: '下单人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '下单时间', width: 130 }),
  orderId: Id,
});
export type TradeRow = z.infer<typeof TradeRow>;
export const TradeFilter = z.object({
  status: TradeStatus,
  differs: z.boolean().meta({ title: '金额不一致' }),
  keyword: z.string().trim().max(100).meta({ title: '采购单、1688订单、卖家、运单号' }),
});
/** What an order at the platform holds of its purchase order. */
export const TradeLineRow = z.object({
  id: z.string().meta({ hidden: true }),
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  platformId: z.string().nullable().meta({ title: '1688订单号', kind: 'code', width: 170 }),
  status: TradeStatus.meta({ title: '状态', width: 100 }),
  qty: z.int().meta({ title: '件数', kind: 'integer', width: 80 }),
  units: z.int().meta({ title: '1688数量', kind: 'integer', width: 80 }),
  ordered: cny('采购单金额').nullable(),
  amount: cny('1688金额').nullable(),
  difference: cny('差额').nullable(),
});
export type TradeLineRow = z.infer<typeof TradeLineRow>;

/**
 * A purchase order beside all its orders at the platform. CNY; those that failed or were closed count nowhere.
 * `difference` = total − refund − orderAmount, the sum of the same of each order.
 */
export const OrderTrades = z.object({
  number: z.string().meta({ title: '采购单' }),
  /** Whether something of it could be ordered at the platform now. */
  orderable: z.boolean().meta({ title: '可下单' }),
  trades: z.array(TradeRow),
  lines: z.array(TradeLineRow),
  /** Pieces of the purchase order that are at the platform, and that could still be ordered there. */
  placedQty: z.int().meta({ title: '已下单件数', kind: 'integer' }),
  leftQty: z.int().meta({ title: '未下单件数', kind: 'integer' }),
  orderAmount: cny('采购单金额').nullable(),
  total: cny('1688应付').nullable(),
  freight: cny('其中运费').nullable(),
  refund: cny('已退款').nullable(),
  difference: cny('差额').nullable(),
});
export type OrderTrades = z.infer<typeof OrderTrades>;

export const orderTrades = endpoint({
  title: '采购单的1688订单',
  method: 'GET',
  path: at('orders/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: OrderTrades,
});

const AnyTrade = TradeFilter.partial();
export type TradeFilter = z.infer<typeof AnyTrade>;

export const listTrades = endpoint({
  title: '1688订单列表',
  method: 'POST',
  path: at('orders'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(TradeFilter),
  sortable: ['orderNumber', 'createdAt'],
  reply: Page(TradeRow),
});

export const countTrades = endpoint({
  title: '1688订单各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: TradeFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

/**
 * One page of the platform for an order, or for all orders of its purchase order that wait for their payment. An amount
 * that is not the purchase order's is paid only by somebody who says that he looked at it.
 */
export const payUrl = endpoint({
  title: '1688付款链接',
  method: 'POST',
  path: at('payUrl'),
  permission: ORDER,
  access: 'read',
  body: ById.extend({
    together: z.boolean().default(false).meta({ title: '合并付款' }),
    agreed: z.boolean().default(false).meta({ title: '已核对金额' }),
  }),
  reply: z.object({ url: z.string() }),
});

export const cancelTrade = endpoint({
  title: '关闭1688订单',
  method: 'POST',
  path: at('cancel'),
  permission: ORDER,
  body: ById,
  reply: Done,
});

/** Says on the platform that the goods are here, which releases the money: a person's decision, after the receipt. */
export const confirmTrade = endpoint({
  title: '1688确认收货',
  method: 'POST',
  path: at('confirm'),
  permission: CONFIRM,
  body: ById,
  reply: Done,
});

export const pullTrades = endpoint({
  title: '同步1688订单',
  method: 'POST',
  path: at('pull'),
  permission: VIEW,
  reply: z.object({ changed: z.int() }),
});
