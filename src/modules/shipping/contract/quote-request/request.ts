import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Currency, Day, Decimal, Id, Instant, Money, States, Store } from '#kit/contract/field.ts';
import { DayRange, Transport, Words } from '../fields.ts';
import { ShipState } from '../order.ts';
import { GoodsBasis, MAX_ASKED, MAX_ORDERS, QUOTE_ADD, QUOTE_AUDIT, QuoteUnit } from './fields.ts';

const STATES = {
  asking: { title: '询价中', tone: 'running' },
  chosen: { title: '已选中·待订舱', tone: 'waiting' },
  booked: { title: '已选中·已订舱', tone: 'done' },
  closed: { title: '已关闭', tone: 'off' },
} as const;

/** 物流询价: what forwarders would take for the goods of ship orders, and the one that gets them. */
export const quoteRequest = documentType({
  name: 'shipping.quoteRequest',
  title: '物流询价',
  number: 'WX{yyMMdd}{seq:4}',
  detail: '/erp/shipment/quote/details',
  states: STATES,
  initial: 'asking',
  transitions: {
    choose: { title: '选中报价', from: ['asking'], to: 'chosen', permission: QUOTE_AUDIT, internal: true },
    book: { title: '订舱', from: ['chosen', 'booked'], to: 'booked', permission: QUOTE_AUDIT, internal: true },
    unbook: {
      title: '取消订舱',
      from: ['chosen', 'booked'],
      to: 'asking',
      permission: QUOTE_AUDIT,
      reason: true,
      consequence: '发货单的物流商恢复为选中前的，可重新选择报价',
    },
    close: {
      title: '关闭',
      from: ['asking'],
      to: 'closed',
      permission: QUOTE_ADD,
      reason: true,
      consequence: '关闭后不再录入报价，也不能选中',
    },
  },
});

/** As lists show it: a request whose day is over is told apart. */
export const QuoteState = States({
  asking: STATES.asking,
  expired: { title: '已过期', tone: 'trouble' },
  chosen: STATES.chosen,
  booked: STATES.booked,
  closed: STATES.closed,
});
export type QuoteState = z.infer<typeof QuoteState>;

const goods = {
  boxes: z.int().meta({ title: '箱数', kind: 'integer', width: 70 }),
  pieces: z.int().meta({ title: '件数', kind: 'integer', width: 80 }),
  weight: Decimal.nullable().meta({ title: '实重(kg)', kind: 'rate', width: 90 }),
  volumetric: Decimal.nullable().meta({ title: '材积重(kg)', kind: 'rate', width: 100 }),
  volume: Decimal.nullable().meta({ title: '体积(m³)', kind: 'rate', width: 90 }),
  basis: GoodsBasis.meta({ width: 90, tip: '未装箱的发货单按产品的箱规推算' }),
};

export const QuoteRequestRow = z.object({
  id: Id,
  number: z.string().meta({ title: '询价单号', kind: 'code', width: 150, pinned: 'left' }),
  state: QuoteState.meta({ width: 120 }),
  orders: z.string().meta({ title: '货件', kind: 'code', width: 170, tip: '发货单号' }),
  warehouse: z.string().meta({ title: '发货仓', width: 120 }),
  ...goods,
  country: z.string().meta({ title: '目的国', kind: 'code', width: 80 }),
  center: z.string().meta({ title: '配送中心', kind: 'code', width: 100 }),
  postalCode: z.string().meta({ title: '邮编', kind: 'code', width: 90, optional: true }),
  mode: Transport.nullable().meta({ title: '要求运输方式', width: 110, optional: true }),
  asked: z.int().meta({ title: '询价数', kind: 'integer', width: 80, tip: '询问的物流商数' }),
  answered: z.int().meta({ title: '已报价', kind: 'integer', width: 80, tip: '已报价的物流商数' }),
  carrier: z.string().meta({ title: '报价方', width: 150, tip: '选中的报价；未选中时为有效报价中最低的' }),
  unit: QuoteUnit.nullable().meta({ width: 90, optional: true }),
  price: Money.nullable().meta({ title: '单价', kind: 'rate', width: 90 }),
  tax: Money.nullable().meta({ title: '税', currency: 'currency', width: 100 }),
  otherFee: Money.nullable().meta({ title: '其它费', currency: 'currency', width: 100 }),
  total: Money.nullable().meta({ title: '总价', currency: 'currency', width: 120 }),
  currency: Currency.nullable(),
  totalCny: Money.nullable().meta({ title: '折人民币', currency: 'CNY', width: 110 }),
  until: Day.meta({ title: '截止', width: 110, tip: '含当天' }),
  bookingNo: z.string().meta({ title: '订舱号', kind: 'code', width: 130, optional: true }),
  readyOn: Day.nullable().meta({ title: '货好日期', width: 110, optional: true }),
  divisor: z.int().meta({ title: '材积基数', kind: 'integer', width: 90, optional: true }),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  createdByName: z.string().meta({ title: '发起人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '发起时间', width: 130 }),
  version: z.int(),
});
export type QuoteRequestRow = z.infer<typeof QuoteRequestRow>;

export const QuoteFilter = z.object({
  state: QuoteState,
  carrier: z.array(Id).max(200).meta({ title: '物流商' }),
  warehouse: z.array(Id).max(200).meta({ title: '发货仓' }),
  until: DayRange('截止'),
  created: DayRange('发起日期'),
  keyword: z.string().trim().max(60).meta({ title: '询价单号、发货单号、货件编号或订舱号的开头' }),
});
const AnyFilter = QuoteFilter.partial();
export type QuoteFilter = z.infer<typeof AnyFilter>;

/** Goods of an order: as they were when forwarders were asked, and whether they are others now. */
export const QuoteGoodsRow = z.object({
  orderId: Id,
  order: z.string().meta({ title: '发货单', kind: 'code', width: 150 }),
  orderState: ShipState.meta({ width: 90 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 140 }),
  shipmentNos: z.string().meta({ title: '货件编号', kind: 'code', width: 150 }),
  center: z.string().meta({ title: '配送中心', kind: 'code', width: 100 }),
  ...goods,
  specs: z.string().meta({ title: '箱规', width: 240, tip: '箱数×长×宽×高(cm)，单箱重(kg)' }),
  changed: z.boolean().meta({ title: '货物已变化', kind: 'boolean', width: 100, tip: '发起询价后箱数或重量变了' }),
  now: z.string().meta({ title: '现在', width: 200 }),
});
export type QuoteGoodsRow = z.infer<typeof QuoteGoodsRow>;

const Asked = z
  .array(z.uuid())
  .min(1, '请选择物流商')
  .max(MAX_ASKED, `一次最多询问${MAX_ASKED}家物流商`)
  .meta({ title: '物流商' });

export const QuoteRequestInput = z.object({
  orderIds: z
    .array(z.uuid())
    .min(1, '请选择发货单')
    .max(MAX_ORDERS, `一次最多询价${MAX_ORDERS}张发货单`)
    .meta({ title: '发货单' }),
  carrierIds: Asked,
  mode: Transport.nullable().default(null).meta({ title: '要求运输方式' }),
  until: Day.meta({ title: '截止', tip: '含当天' }),
  readyOn: Day.nullable().default(null).meta({ title: '货好日期' }),
  postalCode: Words(20, '目的地邮编'),
  divisor: z
    .int()
    .min(1000, '材积基数在1000到10000之间')
    .max(10_000, '材积基数在1000到10000之间')
    .default(6000)
    .meta({ title: '材积基数', kind: 'integer', tip: '长×宽×高(cm)÷材积基数＝材积重(kg)' }),
  remark: Words(500, '备注').meta({ title: '备注' }),
});
export type QuoteRequestInput = z.infer<typeof QuoteRequestInput>;

/** Another day to answer until, and forwarders that are asked besides. */
export const QuoteExtension = z.object({
  until: Day.meta({ title: '截止', tip: '含当天' }),
  carrierIds: z.array(z.uuid()).max(MAX_ASKED).default([]).meta({ title: '增加物流商' }),
});
