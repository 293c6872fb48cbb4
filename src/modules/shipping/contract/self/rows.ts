import { z } from 'zod';
import { Day, Decimal, Id, Instant, Money, Product, Store } from '#kit/contract/field.ts';
import { ShipmentState } from '#modules/order/contract/acts.ts';
import { DayRange } from '../fields.ts';
import { COST } from '../freight/fields.ts';
import { SelfState } from './doc.ts';
import { Origin, Urgency } from './fields.ts';
import { LabelState } from './label-state.ts';

export const SelfRow = z.object({
  id: Id,
  number: z.string().meta({ title: '自发货单号', kind: 'code', width: 150, pinned: 'left' }),
  state: SelfState.meta({ width: 90 }),
  problem: z.string().meta({ title: '原因', width: 220 }),
  origin: Origin.meta({ width: 90 }),
  store: Store.nullable().meta({ title: '店铺', kind: 'store', width: 150 }),
  orders: z.string().meta({ title: '平台订单', kind: 'code', width: 190 }),
  urgency: Urgency.meta({ width: 100, tip: '按订单最晚发货时间计算；已出库后不再计算' }),
  latestShipAt: Instant.nullable().meta({ title: '最晚发货', width: 130 }),
  warehouse: z.string().meta({ title: '发货仓', width: 120 }),
  country: z.string().meta({ title: '收件国', kind: 'code', width: 80 }),
  skus: z.int().meta({ title: 'SKU数', kind: 'integer', width: 80 }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 80 }),
  channel: z.string().meta({ title: '物流渠道', width: 140, optional: true }),
  carrier: z.string().meta({ title: '承运商', width: 110 }),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 160 }),
  labelState: LabelState.meta({ width: 90 }),
  mark: ShipmentState.nullable().meta({ title: '标记发货', width: 200 }),
  weightG: z.int().nullable().meta({ title: '重量(g)', kind: 'integer', width: 90 }),
  size: z.string().meta({ title: '尺寸(cm)', width: 110, optional: true }),
  estimatedFee: Money.nullable().meta({ title: '预估运费', currency: 'currency', width: 110 }),
  actualFee: Money.nullable().meta({ title: '实际运费', currency: 'currency', width: 110 }),
  currency: z.string(),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  approvedByName: z.string().nullable().meta({ title: '审核人', kind: 'person', width: 100, optional: true }),
  approvedAt: Instant.nullable().meta({ title: '审核时间', width: 130, optional: true }),
  outAt: Instant.nullable().meta({ title: '出库时间', width: 130 }),
  shippedAt: Instant.nullable().meta({ title: '发货时间', width: 130, optional: true }),
  version: z.int(),
});
export type SelfRow = z.infer<typeof SelfRow>;

export const SelfFilter = z.object({
  state: SelfState,
  origin: Origin,
  labelState: LabelState,
  urgency: z.enum(['late', 'hours', 'day']).meta({
    title: '截止时间',
    kind: 'choice',
    states: {
      late: { title: '已逾期', tone: 'off' },
      hours: { title: '4小时内', tone: 'off' },
      day: { title: '24小时内', tone: 'off' },
    },
  }),
  authid: z.array(Id).max(200).meta({ title: '店铺' }),
  warehouse: z.array(Id).max(200).meta({ title: '发货仓' }),
  created: DayRange('创建日期'),
  keyword: z.string().trim().max(100).meta({ title: '单号、订单号、运单号、SKU' }),
});
const AnyFilter = SelfFilter.partial();
export type SelfFilter = z.infer<typeof AnyFilter>;

export const SelfLineRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  order: z.string().meta({ title: '平台订单', kind: 'code', width: 180 }),
  msku: z.string().meta({ title: 'SKU', kind: 'code', width: 150 }),
  local: z.string().meta({ title: '本地SKU', width: 150, tip: '组合销售时按每套用量列出全部本地SKU' }),
  qty: z.int().meta({ title: '数量', kind: 'integer', width: 80 }),
  available: z.int().meta({ title: '可用', kind: 'integer', width: 80, tip: '发货仓按本地SKU可凑成的数量' }),
  picked: z.int().meta({ title: '已拣', kind: 'integer', width: 80, tip: '按本地SKU可凑成的已拣数量' }),
  cost: Money.nullable().meta({ title: '出库成本', currency: 'CNY', permission: COST, width: 110 }),
});
export type SelfLineRow = z.infer<typeof SelfLineRow>;

/** What an order that is to be shipped by ourselves still lacks, over all of its lines. */
export const WaitingRow = z.object({
  /** "seller~order" */
  id: z.string().meta({ title: '编号', hidden: true }),
  order: z.string().meta({ title: '平台订单', kind: 'code', width: 190, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  open: z.int().meta({ title: '待发数量', kind: 'integer', width: 90, tip: '已扣除其他自发货单和已提交的包裹' }),
  urgency: Urgency.meta({ width: 100 }),
  hoursLeft: Decimal.nullable().meta({ title: '剩余小时', width: 100, tip: '到最晚发货时间；为负时已逾期' }),
  latestShipAt: Instant.nullable().meta({ title: '最晚发货', width: 130 }),
  country: z.string().meta({ title: '收件国', kind: 'code', width: 80 }),
  region: z.string().meta({ title: '州', width: 80 }),
  postal: z.string().meta({ title: '邮编前缀', kind: 'code', width: 90 }),
  unmatched: z.boolean().meta({ title: '未关联商品', kind: 'boolean', width: 100 }),
  cancelAsked: z.boolean().meta({ title: '买家申请取消', kind: 'boolean', width: 110 }),
  purchasedAt: Instant.meta({ title: '下单时间', width: 130 }),
  accountId: Id,
  marketplaceId: z.string().meta({ title: '站点', hidden: true }),
});
export type WaitingRow = z.infer<typeof WaitingRow>;

export const WaitingFilter = z.object({
  urgency: SelfFilter.shape.urgency,
  authid: SelfFilter.shape.authid,
  purchased: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '下单日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '订单号、平台SKU' }),
});
const AnyWaiting = WaitingFilter.partial();
export type WaitingFilter = z.infer<typeof AnyWaiting>;
