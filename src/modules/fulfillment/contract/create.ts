import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, OptionalText, Product, Quantity, Text } from '#kit/contract/field.ts';
import { PLATFORMS } from '#modules/channel/contract/fields.ts';
import { Site } from '#modules/listing/contract.ts';
import { ADD, base, CANCEL, Policy, Speed, VIEW } from './states.ts';

const { AMAZON: _, ...ELSEWHERE } = PLATFORMS;
/** Platforms whose orders are sent this way: all but Amazon itself. */
export const FromPlatform = Choice(ELSEWHERE, '平台');

/** Who gets it: limits are those of Amazon's own address. */
export const Recipient = z.object({
  name: Text(50, '收件人'),
  line1: Text(180, '地址1'),
  line2: OptionalText(60, '地址2'),
  city: Text(50, '城市'),
  region: OptionalText(150, '州/省'),
  postalCode: Text(20, '邮政编码').regex(/^[A-Za-z0-9 -]+$/, '邮政编码只能包含字母、数字、空格和连字符'),
  country: z
    .string('国家不能为空')
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, '国家应为两位字母代码，如 US')
    .meta({ title: '国家' }),
  phone: OptionalText(20, '电话'),
});
export type Recipient = z.infer<typeof Recipient>;

/** Amazon takes no more pieces in one order. */
const MOST_UNITS = 250;
export const WishedLine = z.object({
  sku: Text(50, 'MSKU'),
  quantity: z.int().min(1, '数量至少为 1').max(MOST_UNITS, `数量不能超过 ${MOST_UNITS}`).meta({ title: '数量' }),
});
export type WishedLine = z.infer<typeof WishedLine>;
const Lines = z
  .array(WishedLine)
  .min(1, '请选择商品')
  .max(100, '一个订单最多 100 行商品')
  .refine((all) => all.reduce((sum, { quantity }) => sum + quantity, 0) <= MOST_UNITS, `一个订单最多 ${MOST_UNITS} 件`)
  .refine((all) => new Set(all.map(({ sku }) => sku)).size === all.length, '同一个 MSKU 只能填写一行')
  .meta({ title: '商品' });

/** What a form asks of an order beside its goods. */
export const OrderForm = z.object({
  site: Site.meta({ title: '店铺/站点', kind: 'choice' }),
  platform: FromPlatform,
  orderNo: Text(40, '平台订单号').meta({ title: '平台订单号', kind: 'code' }),
  ...Recipient.shape,
  policy: Policy,
  hold: z.boolean().meta({ title: '暂存', tip: '亚马逊先保留库存，放行后才发货；14 天不放行自动取消' }),
  blankBox: z.boolean().meta({ title: '无标纸箱' }),
  comment: OptionalText(500, '装箱单留言'),
});

export const McfWish = OrderForm.extend({
  /** Left out: made here. Amazon knows the order by it for good. */
  number: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9._-]{1,40}$/, '履约单号最多 40 个字母、数字、点、横线或下划线')
    .optional()
    .meta({ title: '履约单号', kind: 'code' }),
  speed: Speed,
  lines: Lines,
});
export type McfWish = z.infer<typeof McfWish>;

export const createMcf = endpoint({
  title: '新建多渠道订单',
  method: 'POST',
  path: `${base}/create`,
  permission: ADD,
  body: McfWish.extend({ draft: z.boolean().default(false).meta({ title: '存为草稿' }) }),
  reply: z.object({ id: Id }),
});

/** What sending costs at one speed, and when it arrives. */
export const Offer = z.object({
  speed: Speed,
  fulfillable: z.boolean().meta({ title: '可配送' }),
  fee: Money.nullable().meta({ title: '配送费', currency: 'currency' }),
  currency: Currency.nullable(),
  arrivesFrom: Instant.nullable().meta({ title: '最早送达' }),
  arrivesTo: Instant.nullable().meta({ title: '最晚送达' }),
  /** Why not, or which pieces not, in Chinese. */
  problems: z.array(z.string()),
});
export type Offer = z.infer<typeof Offer>;

export const previewMcf = endpoint({
  title: '预览多渠道配送费用与时效',
  method: 'POST',
  path: `${base}/preview`,
  permission: ADD,
  access: 'read',
  body: z.object({
    site: Site.meta({ title: '店铺/站点' }),
    recipient: Recipient.meta({ title: '收件人' }),
    lines: Lines,
  }),
  reply: z.array(Offer),
});

export const Goods = z.object({
  id: z.string(),
  product: Product,
  fulfillable: Quantity.meta({ title: '可售' }),
});
export type Goods = z.infer<typeof Goods>;

export const mcfGoods = endpoint({
  title: '多渠道可发商品',
  method: 'POST',
  path: `${base}/goods`,
  permission: ADD,
  access: 'read',
  body: z.object({ site: Site.meta({ title: '店铺/站点' }), keyword: OptionalText(100, 'MSKU/标题') }),
  reply: z.array(Goods),
});

const One = z.object({ id: Id.meta({ title: '多渠道订单' }) });

export const submitMcf = endpoint({
  title: '提交多渠道订单',
  method: 'POST',
  path: `${base}/submit`,
  permission: ADD,
  body: z.object({ ids: z.array(Id).min(1).max(200).meta({ title: '多渠道订单' }) }),
  reply: z.object({ submitted: z.int() }),
});

export const releaseMcf = endpoint({
  title: '放行多渠道订单',
  method: 'POST',
  path: `${base}/release`,
  permission: ADD,
  body: One,
  reply: z.literal('success'),
});

export const cancelMcf = endpoint({
  title: '取消多渠道订单',
  method: 'POST',
  path: `${base}/cancel`,
  permission: CANCEL,
  body: One,
  reply: z.literal('success'),
});

export const refreshMcf = endpoint({
  title: '同步多渠道订单',
  method: 'POST',
  path: `${base}/refresh`,
  permission: VIEW,
  body: One,
  reply: z.literal('success'),
});

/** Tells who gets an order: each look stands in the operation log. */
export const mcfRecipient = endpoint({
  title: '查看多渠道订单收件人',
  method: 'POST',
  path: `${base}/recipient`,
  permission: ADD,
  body: One,
  reply: Recipient.partial(),
});
