import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Instant, OptionalText, Quantity, States, Text } from '#kit/contract/field.ts';
import { OTHER_CARRIER } from './carriers.ts';

/** Where a package stands that was reported as sent; once Amazon shows it, the order itself tells. */
export const ShipmentState = States(
  {
    queued: { title: '正在提交发货', tone: 'running' },
    accepted: { title: '已提交发货，等待亚马逊确认', tone: 'waiting' },
    confirmed: { title: '亚马逊已确认', tone: 'done' },
    refused: { title: '发货被拒绝', tone: 'trouble' },
    unknown: { title: '发货结果未知', tone: 'trouble' },
    cancelled: { title: '已撤销', tone: 'off' },
  },
  '发货提交',
);
export type ShipmentState = z.infer<typeof ShipmentState>;

/** The same for where there is little room. */
export const SHORT_SHIPMENT: Readonly<Record<ShipmentState, string>> = {
  queued: '提交中',
  accepted: '待亚马逊确认',
  confirmed: '已确认',
  refused: '发货被拒绝',
  unknown: '结果未知',
  cancelled: '已撤销',
};

export const ReviewState = States(
  {
    queued: { title: '正在请求', tone: 'running' },
    done: { title: '已请求评价', tone: 'done' },
    refused: { title: '请求被拒绝', tone: 'trouble' },
    unknown: { title: '请求结果未知', tone: 'trouble' },
    cancelled: { title: '已撤销', tone: 'off' },
  },
  '请求评价',
);
export type ReviewState = z.infer<typeof ReviewState>;

/** One package as it was reported. */
export const Shipment = z.object({
  id: z.string(),
  reference: z.string().meta({ title: '包裹号', kind: 'code', width: 80 }),
  state: ShipmentState.meta({ width: 210 }),
  carrier: z.string().meta({ title: '承运商', width: 110 }),
  shippingMethod: z.string().nullable().meta({ title: '物流方式', width: 120 }),
  trackingNumber: z.string().meta({ title: '运单号', kind: 'code', width: 190 }),
  shippedAt: Instant.meta({ title: '发货时间', width: 130 }),
  units: Quantity.meta({ title: '件数', width: 70 }),
  problem: z.string().nullable().meta({ title: '原因', width: 260 }),
  createdBy: z.string().meta({ title: '操作人', width: 100 }),
  createdAt: Instant.meta({ title: '提交时间', width: 130 }),
});
export type Shipment = z.infer<typeof Shipment>;

const OrderKey = z.string().min(1).max(120).meta({ title: '订单', hidden: true });

/** What a form asks of one package. */
export const PackageForm = z.object({
  carrierCode: Text(40, '承运商'),
  carrierName: OptionalText(60, '承运商名称'),
  shippingMethod: OptionalText(60, '物流方式'),
  trackingNumber: Text(60, '运单号').meta({ title: '运单号', kind: 'code' }),
  shippedAt: Instant.meta({ title: '发货时间' }),
  codCollectionMethod: Choice({ DirectPayment: '货到付款（代收）' }, '货到付款').optional(),
});

const Item = z.object({
  orderItemId: z.string().min(1).max(60).meta({ title: '商品行' }),
  quantity: z.int().min(1, '发货数量至少为 1').max(100_000, '发货数量过大').meta({ title: '发货数量' }),
});

/** A package to be confirmed; without items it holds all that is left of the order. */
export const PackageWish = PackageForm.extend({
  id: OrderKey,
  items: z.array(Item).min(1, '请填写发货数量').max(200).optional().meta({ title: '发货商品' }),
}).refine(({ carrierCode, carrierName }) => carrierCode !== OTHER_CARRIER || !!carrierName, {
  path: ['carrierName'],
  message: '承运商选「其他」时请填写承运商名称',
});
export type PackageWish = z.output<typeof PackageWish>;

const base = '/amazon/api/v1/orders/manager';
const Planned = z.object({ planned: z.int() });

/** Reports packages of merchant-fulfilled orders as sent: all of them, or none where one is wrong. */
export const shipOrders = endpoint({
  title: '确认发货',
  method: 'POST',
  path: `${base}/ship`,
  permission: 'amz:order:ship',
  body: z.object({
    packages: z.array(PackageWish).min(1, '请填写包裹').max(200, '一次最多 200 个包裹').meta({ title: '包裹' }),
  }),
  reply: Planned,
});

/** The same from pasted lines "order number, carrier, tracking number": each order is sent whole, in one package. */
export const shipPasted = endpoint({
  title: '批量确认发货',
  method: 'POST',
  path: `${base}/shipPasted`,
  permission: 'amz:order:ship',
  body: z.object({
    text: Text(40_000, '发货内容'),
    shippedAt: Instant.meta({ title: '发货时间' }),
  }),
  reply: Planned,
});

/** Asks the buyers of orders for a review and for feedback; orders that do not fit are left out and named. */
export const solicitReviews = endpoint({
  title: '请求评价',
  method: 'POST',
  path: `${base}/solicit`,
  permission: 'amz:review:send',
  body: z.object({
    ids: z.array(OrderKey).min(1, '请选择订单').max(500, '一次最多 500 个订单').meta({ title: '订单' }),
  }),
  reply: z.object({
    planned: z.int(),
    left: z.array(z.object({ amazonOrderId: z.string(), reason: z.string() })),
  }),
});
