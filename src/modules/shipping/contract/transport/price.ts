import { z } from 'zod';
import { Choice, Currency, Day, Id, Instant, States, Text } from '#kit/contract/field.ts';
import { Words } from '../fields.ts';
import { ChannelForm } from './carrier.ts';
import { Amount, FeePer, Measure, Share } from './fields.ts';

export const MAX_TIERS = 200;

export const TierInput = z.object({
  from: Measure('起').meta({ title: '起(含)' }),
  to: Measure('止').nullable().default(null).meta({ title: '止(含)' }),
  price: Amount('单价', 6),
});
export type TierInput = z.infer<typeof TierInput>;

export const FeeInput = z.object({
  name: Text(30, '费用名称'),
  amount: Amount('金额'),
  per: FeePer.default('SHIPMENT'),
});
export type FeeInput = z.infer<typeof FeeInput>;

export const CardForm = z.object({
  validFrom: Day.meta({ title: '生效日期' }),
  validTo: Day.nullable().default(null).meta({ title: '失效日期', tip: '含当天；留空长期有效，直到下一版生效' }),
  currency: Currency.default('CNY'),
  fuel: Share('燃油附加').default('0').meta({ title: '燃油附加' }),
  minCharge: Amount('最低收费').default('0').meta({ title: '最低收费', tip: '每票运费的下限，不含燃油和固定费用' }),
  remark: Words(500, '备注'),
});
export type CardForm = z.infer<typeof CardForm>;

/** A whole price card, as it is entered and as a sheet says it. */
export const CardInput = CardForm.extend({
  fees: z.array(FeeInput).max(20, '固定费用不能超过20项').default([]).meta({ title: '固定费用' }),
  tiers: z
    .array(TierInput)
    .min(1, '至少填写一档价格')
    .max(MAX_TIERS, `阶梯不能超过${MAX_TIERS}档`)
    .meta({ title: '阶梯' }),
});
export type CardInput = z.infer<typeof CardInput>;

/** What a card is today. `replaced`: another one came before it ever ended by itself. */
export const CardState = States({
  current: { title: '使用中', tone: 'done' },
  coming: { title: '未生效', tone: 'waiting' },
  expired: { title: '已到期', tone: 'off' },
  replaced: { title: '已被替代', tone: 'off' },
});
export type CardState = z.infer<typeof CardState>;

export const CardRow = z.object({
  id: Id,
  seq: z.int().meta({ title: '版本', kind: 'integer', width: 64 }),
  state: CardState.meta({ width: 96 }),
  validFrom: Day.meta({ title: '生效日期', width: 110 }),
  /** The last day on which it counts, by its own word or because of a later card; null: no end yet. */
  endsOn: Day.nullable().meta({ title: '失效日期', width: 110 }),
  currency: Currency,
  tierText: z.string().meta({ title: '阶梯单价', width: 320 }),
  fuel: z.string().meta({ title: '燃油附加', kind: 'percent', width: 90 }),
  minCharge: z.string().meta({ title: '最低收费', kind: 'money', currency: 'currency', width: 110 }),
  feeText: z.string().meta({ title: '固定费用', width: 180 }),
  origin: Choice({ manual: '手工录入', import: '导入' }, '来源').meta({ width: 90 }),
  remark: z.string().meta({ title: '备注', width: 160 }),
  createdByName: z.string().meta({ title: '录入人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '录入时间', width: 130 }),
  tiers: z.array(TierInput),
  fees: z.array(FeeInput),
});
export type CardRow = z.infer<typeof CardRow>;

/** A channel with the card that counts today. */
export const ChannelRow = ChannelForm.extend({
  id: Id,
  card: CardRow.nullable().meta({ title: '当前价卡', width: 320 }),
});
export type ChannelRow = z.infer<typeof ChannelRow>;
