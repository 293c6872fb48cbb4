import { z } from 'zod';
import { Pieces, Words } from '../fields.ts';
import { Amount, Measure } from '../transport/fields.ts';
import { MAX_SELF_LINES, Origin } from './fields.ts';

const Fee = (title: string) => Amount(title).nullable().default(null).meta({ title, kind: 'rate' });
const Side = (title: string) => Measure(title).nullable().default(null).meta({ title, kind: 'rate' });

/** How it goes, and what it weighs and costs. Weight in g, sides in cm, fees in `currency`. */
export const SelfWay = z.object({
  channelId: z.uuid().nullable().default(null).meta({ title: '物流渠道' }),
  carrier: Words(60, '承运商'),
  trackingNo: Words(60, '运单号'),
  weightG: z
    .int()
    .min(1, '重量必须为正整数')
    .max(10_000_000)
    .nullable()
    .default(null)
    .meta({ title: '重量(g)', kind: 'integer' }),
  length: Side('长(cm)'),
  width: Side('宽(cm)'),
  height: Side('高(cm)'),
  estimatedFee: Fee('预估运费'),
  actualFee: Fee('实际运费'),
  currency: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/, '请输入三位币种代码，例如 CNY')
    .default('CNY')
    .meta({ title: '币种', kind: 'code' }),
});
export type SelfWay = z.infer<typeof SelfWay>;

/** A customer of our own. Of a platform's customer nothing is written down. */
export const Recipient = z.object({
  recipient: Words(60, '收件人'),
  phone: Words(30, '电话'),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^([A-Z]{2})?$/, '收件国为两位国家代码，例如 US')
    .default('')
    .meta({ title: '收件国', kind: 'code' }),
  region: Words(60, '州'),
  city: Words(60, '城市'),
  street: Words(200, '地址'),
  postalCode: Words(20, '邮编'),
});
export type Recipient = z.infer<typeof Recipient>;

/** A piece of an order's line, or of a local product where nobody ordered at a platform. */
export const SelfLineInput = z.object({
  orderId: z.string().max(120).nullable().default(null).meta({ title: '平台订单' }),
  orderItemId: z.string().max(60).nullable().default(null).meta({ title: '商品行' }),
  productId: z.uuid().nullable().default(null).meta({ title: '本地商品' }),
  qty: Pieces.meta({ title: '数量' }),
});
export type SelfLineInput = z.infer<typeof SelfLineInput>;

export const SelfInput = z.object({
  id: z.uuid().optional().meta({ title: '自发货单' }),
  version: z.int().optional().meta({ title: '版本' }),
  origin: Origin.default('OFFLINE'),
  warehouseId: z.uuid('请选择发货仓').meta({ title: '发货仓' }),
  /** Of a document typed by hand: the store that it is counted to, if any. */
  authid: z.uuid().nullable().default(null).meta({ title: '店铺' }),
  to: Recipient.optional().meta({ title: '收件人' }),
  way: SelfWay.optional().meta({ title: '物流信息' }),
  remark: Words(500, '备注'),
  lines: z.array(SelfLineInput).min(1, '至少添加一行数据').max(MAX_SELF_LINES).meta({ title: '明细' }),
});
export type SelfInput = z.output<typeof SelfInput>;
