import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Currency, Day, Id, Instant, Money, Product, Quantity, States, Store } from '#kit/contract/field.ts';

export const VIEW = 'fin:costshare:view';
export const EDIT = 'fin:costshare:edit';
export const POST = 'fin:costshare:post';

/** What costs of one's own are usually for; a company adds its own types and stops those that it does not use. */
export const USUAL_TYPES: readonly string[] = ['测评', '站外推广', '摄影', '样品', '检测认证', '软件', '其它'];

/** Rows of one document, days of its period, and lines that both may come to. */
export const MOST_ROWS = 1000;
export const MOST_DAYS = 366;
export const MOST_LINES = 50_000;

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  posted: { title: '已入账', tone: 'done' },
  reversed: { title: '已作废', tone: 'off' },
} as const;
export const CostState = States(STATES);
export type CostState = z.infer<typeof CostState>;

/** 费用分摊单: a cost of one's own that the profit of some SKUs or stores bears. */
export const costDocument = documentType({
  name: 'costshare.document',
  title: '费用分摊单',
  number: 'FT-{yyyyMMdd}-{seq:4}',
  detail: '/f/c/c',
  states: STATES,
  initial: 'draft',
  transitions: {
    post: {
      title: '入账',
      from: ['draft'],
      to: 'posted',
      permission: POST,
      primary: true,
      consequence: '入账后计入所选商品的利润',
    },
    unpost: {
      title: '反审',
      from: ['posted'],
      to: 'draft',
      permission: POST,
      reason: true,
      consequence: '冲回已计入利润的金额，单据回到草稿，可以修改',
    },
    void: {
      title: '作废',
      from: ['draft', 'posted'],
      to: 'reversed',
      permission: POST,
      reason: true,
      consequence: '冲回已计入利润的金额，单据不能再修改',
    },
  },
});

export const CostRow = z.object({
  id: Id,
  number: z.string().meta({ title: '单据号', kind: 'code', width: 176, pinned: 'left' }),
  state: CostState.meta({ width: 92 }),
  feeType: z.string().meta({ title: '费用类型', width: 120 }),
  from: Day.meta({ title: '分摊开始', width: 110 }),
  to: Day.meta({ title: '分摊结束', width: 110 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  amountCny: Money.nullable().meta({
    title: '折合人民币',
    currency: 'CNY',
    width: 130,
    tip: '入账时按分摊开始日的汇率折算',
  }),
  rows: Quantity.meta({ title: '分摊行数', width: 90 }),
  remark: z.string().meta({ title: '备注', width: 220 }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '创建时间', width: 140 }),
  postedByName: z.string().meta({ title: '入账人', kind: 'person', width: 110, optional: true }),
  postedAt: Instant.nullable().meta({ title: '入账时间', width: 140, optional: true }),
  source: z.string().meta({ title: '来源单据', kind: 'code', width: 176, optional: true }),
  sourceId: Id.nullable(),
  /** Where the source is shown, at `?id=`; '' without one. */
  sourcePath: z.string().meta({ hidden: true }),
  /** An ITEM is a cost of one SKU, which has a list of its own. */
  kind: z.enum(['SHARE', 'ITEM']).meta({ title: '种类', hidden: true }),
  currency: Currency.meta({ title: '货币', optional: true }),
  version: z.int(),
});
export type CostRow = z.infer<typeof CostRow>;

export const CostFilter = z.object({
  state: CostState,
  stores: z.array(z.string().max(80)).max(200).meta({ title: '店铺' }),
  feeType: z.array(z.string().max(40)).max(100).meta({ title: '费用类型' }),
  /** Days that the period of a document touches. */
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '分摊日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '单据号、SKU、备注' }),
});
const Loose = CostFilter.partial();
export type CostFilter = z.infer<typeof Loose>;

/** A store: "<marketplace>-<account>". */
export const StoreKey = z
  .string()
  .regex(/^[A-Z0-9]+-[0-9a-f-]{36}$/, '请选择店铺')
  .meta({ title: '店铺' });

/** More than 0; decimals that the currency has not are refused with the field's name. */
export const Amount = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,4})?$/, '请输入正确的金额')
    .refine((text) => /[1-9]/.test(text), '请输入正确的金额')
    .meta({ title, kind: 'money' });

export const CostRowInput = z.object({
  store: StoreKey,
  /** '' is the whole store. */
  sku: z.string().trim().max(100).default('').meta({ title: 'SKU' }),
  amount: Amount('分摊金额'),
});
export type CostRowInput = z.output<typeof CostRowInput>;

export const CostHead = z.object({
  feeType: z.string().trim().min(1, '请选择费用类型').max(40).meta({ title: '费用类型', kind: 'choice' }),
  currency: Currency.default('CNY').meta({ title: '货币' }),
  amount: Amount('金额'),
  from: Day.meta({ title: '分摊开始' }),
  to: Day.meta({ title: '分摊结束' }),
  remark: z.string().trim().max(500, '备注不能超过500个字符').default('').meta({ title: '备注' }),
});

export const CostInput = CostHead.extend({
  id: Id.optional().meta({ title: '费用分摊单' }),
  version: z.int().optional().meta({ title: '版本' }),
  rows: z.array(CostRowInput).min(1, '请添加分摊商品').max(MOST_ROWS, `一张单据最多 ${MOST_ROWS} 行`).meta({
    title: '分摊商品',
  }),
});
export type CostInput = z.output<typeof CostInput>;

/** What a cost is shared by. */
export const ShareBase = Choice({ NET_SALES: '净销售额', UNITS: '销量', EQUAL: '平均' }, '分摊规则');
export type ShareBase = z.infer<typeof ShareBase>;

/** A row as the document shows it. */
export const CostDetailRow = z.object({
  storeKey: z.string().meta({ title: '店铺', hidden: true }),
  sku: z.string().meta({ title: 'SKU', hidden: true }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 160 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  amount: Money.meta({ title: '分摊金额', currency: 'currency', width: 130 }),
  currency: Currency.meta({ title: '货币', hidden: true }),
});
export type CostDetailRow = z.infer<typeof CostDetailRow>;

/** What documents put on a day or a month, summed by document, store and SKU. */
export const CostLineRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  documentId: Id.meta({ title: '单据', hidden: true }),
  /** "yyyy-MM-dd", or "yyyy-MM" of a month. */
  day: z.string().meta({ title: '日期', kind: 'code', width: 130, pinned: 'left' }),
  number: z.string().meta({ title: '单据号', kind: 'code', width: 176 }),
  feeType: z.string().meta({ title: '费用类型', width: 120 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 160 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  amount: Money.meta({ title: '分摊金额', currency: 'currency', width: 130 }),
  amountCny: Money.meta({ title: '折合人民币', currency: 'CNY', width: 130 }),
  currency: Currency.meta({ title: '货币', optional: true }),
});
export type CostLineRow = z.infer<typeof CostLineRow>;
