import { z } from 'zod';
import { Currency, Day, Decimal, Id, Money } from '#kit/contract/field.ts';
import { Transport, Words } from '../fields.ts';
import { BillUnit, Country } from './fields.ts';

const Side = (title: string, places: number) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^\\d{1,6}(\\.\\d{1,${places}})?$`), `${title}须为正数，最多${places}位小数`)
    .refine((text) => /[1-9]/.test(text), `${title}须大于0`)
    .nullable()
    .default(null)
    .meta({ title, kind: 'rate' });

/** So many boxes of one size; cm and kg. */
export const BoxesInput = z.object({
  count: z.int().min(1, '箱数须为正整数').max(5000, '箱数不能超过5000').meta({ title: '箱数', kind: 'integer' }),
  length: Side('长(cm)', 2),
  width: Side('宽(cm)', 2),
  height: Side('高(cm)', 2),
  weight: Side('单箱重(kg)', 3),
});
export type BoxesInput = z.infer<typeof BoxesInput>;

/** What is to be sent: boxes, or those of a ship order, whose site is the destination unless another one is named. */
export const Sending = z.object({
  orderId: z.uuid().nullable().default(null).meta({ title: '发货单' }),
  boxes: z.array(BoxesInput).max(500, '一次最多500种箱规').default([]).meta({ title: '箱子' }),
  country: Country.nullable().default(null),
  zone: Words(60, '区域、仓库代码或邮编'),
  day: Day.nullable().default(null).meta({ title: '发货日期' }),
});
export type Sending = z.infer<typeof Sending>;

/** What one channel asks for a shipment; amounts in its currency, null with `why` where it has no price. */
export const QuoteRow = z.object({
  channelId: Id,
  /** The card that it was worked out by; it never changes. */
  versionId: Id.nullable(),
  carrier: z.string().meta({ title: '物流商', width: 150 }),
  channel: z.string().meta({ title: '渠道', width: 150 }),
  mode: Transport.meta({ width: 80 }),
  zone: z.string().meta({ title: '分区', width: 100 }),
  days: z.string().meta({ title: '时效(天)', width: 90 }),
  billUnit: BillUnit.meta({ width: 90 }),
  billable: Decimal.nullable().meta({ title: '计费量', kind: 'rate', width: 90 }),
  quantity: Decimal.nullable().meta({ title: '收费量', kind: 'rate', width: 90, tip: '升档取低时高于计费量' }),
  price: Money.nullable().meta({ title: '单价', kind: 'rate', width: 90 }),
  freight: Money.nullable().meta({ title: '运费', currency: 'currency', width: 110 }),
  fuelFee: Money.nullable().meta({ title: '燃油附加', currency: 'currency', width: 100 }),
  fees: Money.nullable().meta({ title: '固定费用', currency: 'currency', width: 100 }),
  total: Money.nullable().meta({ title: '总价', currency: 'currency', width: 120 }),
  currency: Currency,
  totalCny: Money.nullable().meta({ title: '折人民币', currency: 'CNY', width: 120 }),
  cheapest: z.boolean().meta({ title: '最低价', kind: 'boolean', hidden: true }),
  fastest: z.boolean().meta({ title: '最快', kind: 'boolean', hidden: true }),
  why: z.string().nullable().meta({ title: '说明', width: 240 }),
});
export type QuoteRow = z.infer<typeof QuoteRow>;

export const Comparison = z.object({
  day: Day,
  country: z.string(),
  boxes: z.int(),
  /** kg and m³ of all boxes; null where one of them was not measured. */
  weight: Decimal.nullable(),
  volume: Decimal.nullable(),
  /** The cheapest first, of equal ones the fastest; those without a price at the end. */
  quotes: z.array(QuoteRow),
});
export type Comparison = z.infer<typeof Comparison>;
