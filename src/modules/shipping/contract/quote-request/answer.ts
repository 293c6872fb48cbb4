import { z } from 'zod';
import { Choice, Currency, Day, Decimal, Id, Instant, Money } from '#kit/contract/field.ts';
import { Transport, Words } from '../fields.ts';
import { Amount, Measure } from '../transport/fields.ts';
import { BookingState, Handover, QuoteUnit } from './fields.ts';

const isPositive = (text: string) => /[1-9]/.test(text);

/** What a forwarder answers; its total follows from the rest. Amounts in its currency. */
export const QuoteAnswerInput = z.object({
  carrierId: z.uuid('请选择物流商').meta({ title: '物流商' }),
  channelId: z.uuid().nullable().default(null).meta({ title: '渠道' }),
  /** Left out: the channel's, else the one that was asked for, else the first order's. */
  mode: Transport.nullable().default(null),
  unit: QuoteUnit.default('KG'),
  price: Amount('单价', 6).refine(isPositive, '单价须大于0').meta({ title: '单价' }),
  quantity: Measure('计费量')
    .refine(isPositive, '计费量须大于0')
    .meta({ title: '计费量', tip: '物流商认定的计费重、体积或箱数' }),
  tax: Amount('税').default('0').meta({ title: '税' }),
  otherFee: Amount('其它费').default('0').meta({ title: '其它费', tip: '报关、操作、偏远等费用合计' }),
  currency: Currency.default('CNY'),
  total: Amount('总价').nullable().default(null).meta({ title: '总价', tip: '物流商给的总价，用来核对；可不填' }),
  days: z.int().min(1, '时效须为正整数').max(365, '时效不能超过365天').nullable().default(null).meta({
    title: '时效(天)',
    kind: 'integer',
  }),
  validUntil: Day.nullable().default(null).meta({ title: '有效期至', tip: '含当天' }),
  remark: Words(500, '备注').meta({ title: '备注' }),
});
export type QuoteAnswerInput = z.infer<typeof QuoteAnswerInput>;

export const QuoteKind = Choice({ ANSWER: '报价', CARD: '价目表' }, '来源');

/** An answer beside the others, or what a price card of ours says of the same goods. */
export const QuoteAnswerRow = z.object({
  id: z.string(),
  kind: QuoteKind.meta({ width: 80 }),
  carrierId: Id.nullable(),
  carrier: z.string().meta({ title: '物流商', width: 140 }),
  channelId: Id.nullable(),
  channel: z.string().meta({ title: '渠道', width: 130 }),
  mode: Transport.meta({ width: 80 }),
  round: z.int().nullable().meta({ title: '轮次', kind: 'integer', width: 60 }),
  unit: QuoteUnit.meta({ width: 90 }),
  price: Money.nullable().meta({ title: '单价', kind: 'rate', width: 90 }),
  quantity: Decimal.nullable().meta({ title: '计费量', kind: 'rate', width: 90 }),
  freight: Money.nullable().meta({ title: '运费', currency: 'currency', width: 110 }),
  tax: Money.nullable().meta({ title: '税', currency: 'currency', width: 100 }),
  otherFee: Money.nullable().meta({ title: '其它费', currency: 'currency', width: 100 }),
  total: Money.nullable().meta({ title: '总价', currency: 'currency', width: 120 }),
  currency: Currency,
  totalCny: Money.nullable().meta({ title: '折人民币', currency: 'CNY', width: 120, tip: '按录入报价那天的汇率' }),
  above: Decimal.nullable().meta({ title: '比最低高', kind: 'percent', width: 90, good: 'down' }),
  days: z.string().meta({ title: '时效(天)', width: 90 }),
  validUntil: Day.nullable().meta({ title: '有效期至', width: 110 }),
  cheapest: z.boolean().meta({ title: '最低价', kind: 'boolean', hidden: true }),
  fastest: z.boolean().meta({ title: '最快', kind: 'boolean', hidden: true }),
  late: z.boolean().meta({ title: '逾期', kind: 'boolean', hidden: true }),
  expired: z.boolean().meta({ title: '已失效', kind: 'boolean', hidden: true }),
  superseded: z.boolean().meta({ title: '旧报价', kind: 'boolean', hidden: true }),
  chosen: z.boolean().meta({ title: '已选中', kind: 'boolean', hidden: true }),
  why: z.string().meta({ title: '说明', width: 200 }),
  remark: z.string().meta({ title: '备注', width: 160 }),
  at: Instant.nullable().meta({ title: '录入时间', width: 130 }),
  byName: z.string().meta({ title: '录入人', kind: 'person', width: 100 }),
});
export type QuoteAnswerRow = z.infer<typeof QuoteAnswerRow>;

export const BookingInput = z.object({
  bookingNo: z.string().trim().min(1, '请填写订舱号').max(60, '订舱号不能超过60个字').meta({ title: '订舱号' }),
  vessel: Words(100, '船名航次/航班'),
  cargoCutoff: Day.nullable().default(null).meta({ title: '截货日', tip: '物流商最晚收货日' }),
  portCutoff: Day.nullable().default(null).meta({ title: '截港日' }),
  handover: Handover.default('PICKUP'),
  handoverOn: Day.nullable().default(null).meta({ title: '交货日期' }),
  place: Words(200, '交货地点'),
  contact: Words(100, '联系人'),
  remark: Words(500, '备注'),
});
export type BookingInput = z.infer<typeof BookingInput>;

/** A booking without a word of what it costs. */
export const BookingRow = z.object({
  id: Id,
  state: BookingState.meta({ width: 90 }),
  carrier: z.string().meta({ title: '物流商', width: 140 }),
  channel: z.string().meta({ title: '渠道', width: 130 }),
  mode: Transport.meta({ width: 80 }),
  bookingNo: z.string().meta({ title: '订舱号', kind: 'code', width: 130 }),
  vessel: z.string().meta({ title: '船名航次/航班', width: 140 }),
  cargoCutoff: Day.nullable().meta({ title: '截货日', width: 110 }),
  portCutoff: Day.nullable().meta({ title: '截港日', width: 110 }),
  handover: Handover.nullable().meta({ width: 90 }),
  handoverOn: Day.nullable().meta({ title: '交货日期', width: 110 }),
  place: z.string().meta({ title: '交货地点', width: 180 }),
  contact: z.string().meta({ title: '联系人', width: 120 }),
  remark: z.string().meta({ title: '备注', width: 160 }),
  why: z.string().meta({ title: '取消原因', width: 160 }),
  byName: z.string().meta({ title: '操作人', kind: 'person', width: 100 }),
  at: Instant.meta({ title: '时间', width: 130 }),
});
export type BookingRow = z.infer<typeof BookingRow>;
