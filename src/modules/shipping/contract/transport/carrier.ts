import { z } from 'zod';
import { Id, Instant, States, Text } from '#kit/contract/field.ts';
import { Transport, Words } from '../fields.ts';
import { BillUnit, Country, Measure, RoundPer, Share } from './fields.ts';

export const CarrierState = States({
  active: { title: '合作中', tone: 'done' },
  disabled: { title: '已停用', tone: 'off' },
});

export const CarrierRow = z.object({
  id: Id,
  name: z.string().meta({ title: '物流商', width: 200, pinned: 'left' }),
  code: z.string().meta({ title: '简码', kind: 'code', width: 90 }),
  state: CarrierState.meta({ width: 90 }),
  channels: z.int().meta({ title: '渠道数', kind: 'integer', width: 80, tip: '不含已停用的渠道' }),
  priced: z.int().meta({ title: '有效报价', kind: 'integer', width: 90, tip: '今天有有效价卡的渠道数' }),
  ending: z.int().meta({ title: '即将到期', kind: 'integer', width: 90, tip: '14天内到期、没有后续价卡的渠道数' }),
  contact: z.string().meta({ title: '联系人', width: 100 }),
  phone: z.string().meta({ title: '电话', kind: 'code', width: 130 }),
  terms: z.string().meta({ title: '结算方式', width: 160 }),
  supplierId: z.uuid().nullable().meta({ title: '结算供应商', hidden: true }),
  supplier: z.string().meta({ title: '结算供应商', width: 140 }),
  remark: z.string().meta({ title: '备注', width: 180, optional: true }),
  updatedByName: z.string().meta({ title: '修改人', kind: 'person', width: 110 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  version: z.int(),
});
export type CarrierRow = z.infer<typeof CarrierRow>;

export const CarrierFilter = z.object({
  state: CarrierState,
  country: z.string().trim().max(2).meta({ title: '目的国' }),
  mode: z.array(Transport).max(10).meta({ title: '运输方式' }),
  keyword: z.string().trim().max(100).meta({ title: '物流商、简码、渠道' }),
});
const AnyFilter = CarrierFilter.partial();
export type CarrierFilter = z.infer<typeof AnyFilter>;

const Days = (title: string) =>
  z
    .int()
    .min(1, '天数须为正整数')
    .max(365, '天数不能超过365')
    .nullable()
    .default(null)
    .meta({ title, kind: 'integer' });

/** How a channel goes, and what it measures. Weights in kg, the least in the unit that is billed. */
export const ChannelForm = z.object({
  name: Text(60, '渠道名称'),
  mode: Transport,
  country: Country,
  zone: Words(200, '分区').meta({
    title: '分区',
    tip: '区域名、亚马逊仓库代码或邮编的开头，用逗号隔开，例如 美西 或 ONT,LGB 或 8,9；留空为全境',
  }),
  daysMin: Days('时效起(天)'),
  daysMax: Days('时效止(天)'),
  billUnit: BillUnit.default('KG'),
  divisor: z
    .int()
    .min(1000, '材积基数在1000到10000之间')
    .max(10_000, '材积基数在1000到10000之间')
    .default(6000)
    .meta({ title: '材积基数', kind: 'integer', tip: '长×宽×高(cm)÷材积基数＝材积重(kg)，常用6000或5000' }),
  weightStep: Measure('进位(kg)').default('0').meta({ title: '进位(kg)', tip: '按它的倍数向上取整，0 为不进位' }),
  roundPer: RoundPer.default('BOX'),
  minBillable: Measure('最低计费量').default('0').meta({ title: '最低计费量', tip: '整票，单位同计费单位' }),
  splitRate: Share('分泡').default('0').meta({ title: '分泡', tip: '材积重高出实重的部分免收的比例' }),
  breakUp: z
    .boolean()
    .default(false)
    .meta({ title: '升档取低', kind: 'boolean', tip: '按更高一档的起点计费更便宜时，按该档收费' }),
  kgPerCbm: Measure('重泡比(kg/m³)')
    .refine((text) => /[1-9]/.test(text), '重泡比须大于0')
    .nullable()
    .default(null)
    .meta({ title: '重泡比(kg/m³)', tip: '按体积计费时，每多少kg折1m³；留空只看体积' }),
  disabled: z.boolean().default(false).meta({ title: '停用', kind: 'boolean' }),
});
export type ChannelForm = z.infer<typeof ChannelForm>;

export const CarrierForm = z.object({
  name: Text(100, '物流商'),
  code: Words(30, '简码'),
  contact: Words(50, '联系人'),
  phone: Words(30, '电话'),
  terms: Words(100, '结算方式'),
  supplierId: z
    .uuid()
    .nullable()
    .default(null)
    .meta({ title: '结算供应商', tip: '物流账单入账后，应付记在这个供应商名下，请款和付款都找它' }),
  remark: Words(500, '备注'),
  disabled: z.boolean().default(false).meta({ title: '停用', kind: 'boolean' }),
});
export type CarrierForm = z.infer<typeof CarrierForm>;

/** A channel to be written: with its id a known one, without a new one. */
export const ChannelInput = ChannelForm.extend({ id: z.uuid().optional().meta({ title: '渠道', hidden: true }) });
export type ChannelInput = z.infer<typeof ChannelInput>;
