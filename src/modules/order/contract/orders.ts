import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, Product, Quantity, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ReviewState, Shipment, ShipmentState } from './acts.ts';
import { FulfilledBy, OrderStatus, OrderTag } from './status.ts';

/** Without it amounts are neither sent nor shown nor exported. */
export const AMOUNTS = 'amz:order:field:amount';
const Amount = Money.nullable().meta({ currency: 'currency', permission: AMOUNTS, width: 116 });

/** "sellerId~orderId": one order number is unique per selling partner only. */
const OrderKey = z.string().min(1).max(120).meta({ title: '订单', hidden: true });

export const OrderRow = z.object({
  id: OrderKey,
  amazonOrderId: z.string().meta({ title: '订单号', kind: 'code', width: 186, pinned: 'left' }),
  product: Product.meta({ title: '商品信息', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺-站点', kind: 'store', width: 140 }),
  status: OrderStatus.meta({ width: 100 }),
  purchasedAt: Instant.meta({ title: '订购时间', width: 128, tip: '订购时间按本机时区显示；筛选与汇总按站点日期' }),
  localDate: Day.meta({ title: '站点日期', optional: true }),
  quantity: Quantity.meta({ title: '数量', width: 72 }),
  itemAmount: Amount.meta({ title: '商品金额', tip: '单价 × 数量，未减折扣' }),
  discountAmount: Amount.meta({ title: '折扣' }),
  orderTotal: Amount.meta({ title: '订单总金额' }),
  currency: Currency.meta({ hidden: true }),
  fulfilledBy: FulfilledBy.meta({ width: 84 }),
  isBusiness: z.boolean().meta({ title: '企业买家', kind: 'boolean', width: 84 }),
  isReplacement: z.boolean().meta({ title: '换货', kind: 'boolean', width: 64, optional: true }),
  latestShipAt: Instant.nullable().meta({ title: '最晚发货', width: 128, optional: true }),
  updatedAt: Instant.meta({ title: '更新时间', width: 128, optional: true }),
  shipTo: z.string().nullable().meta({ title: '收货地区', width: 120, optional: true }),
  tags: z.array(OrderTag).meta({ title: '标记', width: 120 }),
  remark: z.string().nullable().meta({ title: '备注', width: 160 }),
  shipping: ShipmentState.nullable().meta({ title: '发货提交', width: 210, optional: true }),
  review: ReviewState.nullable().meta({ title: '请求评价', width: 110, optional: true }),
});
export type OrderRow = z.infer<typeof OrderRow>;

const ORDER_NUMBER = /^(\d{3}|S\d{2})-\d{7}-\d{7}$/;
const OrderNumber = z.string().trim().regex(ORDER_NUMBER, '订单号格式应为 3-7-7 位数字').meta({ kind: 'code' });

const Days = z
  .object({ from: Day.optional(), to: Day.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, '结束日期不能早于开始日期');

export const OrderFilter = z.object({
  status: z.array(OrderStatus).max(7).meta({ title: '订单状态' }),
  accountIds: z.array(Id).max(200).meta({ title: '店铺', kind: 'choice' }),
  marketplaceIds: z.array(z.string().max(60)).max(50).meta({ title: '站点', kind: 'choice' }),
  dateType: Choice({ purchase: '订购时间', update: '更新时间', ship: '最晚发货' }, '日期类型'),
  dates: Days.meta({ title: '日期', kind: 'date' }),
  /** Numbers stand for themselves: the dates do not narrow them. */
  orderIds: z.array(OrderNumber).max(500, '一次最多查询 500 个订单号').meta({ title: '订单号', kind: 'code' }),
  sku: z.string().trim().max(80).meta({ title: 'MSKU', kind: 'text' }),
  asin: z.array(z.string().trim().max(20)).max(200).meta({ title: 'ASIN', kind: 'code', optional: true }),
  fulfilledBy: FulfilledBy.meta({ optional: true }),
  isBusiness: z.boolean().meta({ title: '企业买家', optional: true }),
  isReplacement: z.boolean().meta({ title: '换货单', optional: true }),
  channel: Choice({ AMAZON: '亚马逊', NON_AMAZON: '多渠道' }, '渠道').meta({ optional: true }),
  cancelRequested: z.boolean().meta({ title: '买家申请取消', optional: true }),
});
type Filter = z.infer<typeof OrderFilter>;
export type OrderFilter = { [K in keyof Filter]?: Filter[K] | undefined };

const base = '/amazon/api/v1/orders/manager';
const view = 'amz:order:view';

/**
 * Orders by their own time, newest first. `totals` covers the whole filter; with several currencies the amounts stand
 * as mixedOf() of the kit reads them: one sum per currency and one converted.
 */
export const listOrders = endpoint({
  title: '订单列表',
  method: 'POST',
  path: `${base}/list`,
  permission: view,
  access: 'read',
  body: PageQuery(OrderFilter),
  sortable: ['purchasedAt', 'quantity', 'itemAmount', 'discountAmount', 'orderTotal', 'latestShipAt', 'updatedAt'],
  reply: Page(OrderRow),
});

/** Orders per status under the other filters; "all" is their sum. */
export const orderStatusCounts = endpoint({
  title: '订单状态数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: view,
  access: 'read',
  body: z.object({ filter: OrderFilter.partial().prefault({}) }),
  reply: z.record(z.string(), z.int()),
});

/** A file, or from 10,000 rows on the background task that writes it: {taskId}. */
export const exportOrders = endpoint({
  title: '导出订单',
  method: 'POST',
  path: `${base}/export`,
  permission: 'amz:order:export',
  file: true,
  body: ExportQuery(OrderFilter),
  reply: z.object({ taskId: Id }),
});

export const OrderLine = z.object({
  id: z.string(),
  /** Amazon's number of the line; null where only a report told it. */
  orderItemId: z.string().nullable(),
  /** Pieces that are neither shipped nor reported as sent. */
  left: z.int(),
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  quantity: Quantity.meta({ title: '数量' }),
  firstQuantity: Quantity.meta({ title: '下单数量', tip: '取消后亚马逊会把数量改为 0' }),
  shippedQuantity: Quantity.meta({ title: '已发' }),
  currency: Currency.meta({ hidden: true }),
  unitPrice: Amount.meta({ title: '单价' }),
  itemPrice: Amount.meta({ title: '商品金额' }),
  /** Estimated while Amazon has told no price. */
  estimatedPrice: Amount.meta({ title: '预估金额' }),
  shippingPrice: Amount.meta({ title: '运费' }),
  giftWrapPrice: Amount.meta({ title: '礼品包装' }),
  otherPrice: Amount.meta({ title: '其他' }),
  tax: Amount.meta({ title: '税' }),
  itemDiscount: Amount.meta({ title: '商品折扣' }),
  shippingDiscount: Amount.meta({ title: '运费折扣' }),
  total: Amount.meta({ title: '行合计' }),
  promotionIds: z.array(z.string()).meta({ title: '促销编号' }),
  cancelReason: z.string().nullable().meta({ title: '取消原因' }),
  supersededBy: z.string().nullable().meta({ title: '已被替换' }),
});
export type OrderLine = z.infer<typeof OrderLine>;

/** One step of the proof that lines add up: what the order says, what its lines sum to, and the difference. */
export const Proof = z.object({
  key: z.enum(['itemAmount', 'discountAmount', 'orderTotal', 'quantity']),
  title: z.string(),
  stated: z.string().nullable(),
  lines: z.string().nullable(),
  /** Null where either side is not known yet. */
  difference: z.string().nullable(),
});
export type Proof = z.infer<typeof Proof>;

export const Parcel = z.object({
  reference: z.string(),
  status: z.string().nullable(),
  carrier: z.string().nullable(),
  service: z.string().nullable(),
  tracking: z.string().nullable(),
  shippedAt: Instant.nullable(),
  items: z.array(z.object({ orderItemId: z.string(), quantity: z.int() })),
});

export const OrderDetail = OrderRow.extend({
  sellerOrderId: z.string().nullable(),
  salesChannel: z.string().nullable(),
  channel: z.enum(['AMAZON', 'NON_AMAZON']),
  serviceLevel: z.string().nullable(),
  programs: z.array(z.string()),
  originalOrderId: z.string().nullable(),
  buyerCancelRequested: z.boolean(),
  earliestShipAt: Instant.nullable(),
  earliestDeliverAt: Instant.nullable(),
  latestDeliverAt: Instant.nullable(),
  timeZone: z.string(),
  source: z.enum(['api', 'report', 'upload']),
  firstSeenAt: Instant,
  lines: z.array(OrderLine),
  packages: z.array(Parcel),
  /** Packages that people reported as sent, newest first. */
  shipments: z.array(Shipment),
  /** Why it cannot be reported as sent, or its buyer not be asked for a review; null where that can be done. */
  blocked: z.object({ ship: z.string().nullable(), solicit: z.string().nullable() }),
  /** Where its buyer's messages are read and answered, at Amazon; null where no such page is known. */
  messagesUrl: z.string().nullable(),
  /** Empty for those who may not see amounts. */
  proof: z.array(Proof),
});
export type OrderDetail = z.infer<typeof OrderDetail>;

const params = z.object({ id: OrderKey });

/** `id` is "sellerId~orderId", or the bare order number where only one seller of the company has it. */
export const orderDetail = endpoint({
  title: '订单详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: view,
  params,
  reply: OrderDetail,
});

export const OrderChange = z.object({
  id: Id,
  at: Instant,
  source: z.string(),
  field: z.string(),
  title: z.string(),
  old: z.string().nullable(),
  new: z.string().nullable(),
  actorName: z.string().nullable(),
});
export type OrderChange = z.infer<typeof OrderChange>;

/** Newest first; at most 500. */
export const orderChanges = endpoint({
  title: '订单变更记录',
  method: 'GET',
  path: `${base}/changes/:id`,
  permission: view,
  params,
  reply: z.array(OrderChange),
});

const Ids = z.array(OrderKey).min(1, '请选择订单').max(500).meta({ title: '订单' });

export const remarkOrders = endpoint({
  title: '订单备注',
  method: 'POST',
  path: `${base}/remark`,
  permission: 'amz:order:edit',
  body: z.object({ ids: Ids, remark: z.string().trim().max(500, '备注不能超过500个字符').meta({ title: '备注' }) }),
  reply: z.object({ changed: z.int() }),
});

export const tagOrders = endpoint({
  title: '订单标记',
  method: 'POST',
  path: `${base}/tag`,
  permission: 'amz:order:edit',
  body: z.object({
    ids: Ids,
    add: z.array(OrderTag).default([]).meta({ title: '添加标记' }),
    remove: z.array(OrderTag).default([]).meta({ title: '移除标记' }),
  }),
  reply: z.object({ changed: z.int() }),
});
