import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Currency, Day, Decimal, Id, Instant, Money, Product, States, Store, Text } from '#kit/contract/field.ts';
import { DayRange, Words } from '../fields.ts';
import { Measure } from '../transport/fields.ts';
import {
  COST,
  FREIGHT_ADD,
  FREIGHT_AUDIT,
  FREIGHT_REVERSE,
  FreightBase,
  FreightKind,
  MAX_BILL_LINES,
  MatchState,
} from './fields.ts';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  confirmed: { title: '已入账', tone: 'done' },
  cancelled: { title: '已取消', tone: 'off' },
  reversed: { title: '已冲销', tone: 'trouble' },
} as const;
export const FreightBillState = States(STATES);
export type FreightBillState = z.infer<typeof FreightBillState>;

/** 物流账单: what a carrier asks for ship orders. */
export const freightBill = documentType({
  name: 'shipping.freight',
  title: '物流账单',
  number: 'WL{yyMMdd}{seq:4}',
  detail: '/erp/ship/freight/details',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: { title: '提交', from: ['draft'], to: 'pending', permission: FREIGHT_ADD, primary: true },
    withdraw: { title: '撤回', from: ['pending'], to: 'draft', permission: FREIGHT_ADD },
    reject: { title: '退回', from: ['pending'], to: 'draft', permission: FREIGHT_AUDIT, reason: true },
    confirm: {
      title: '确认入账',
      from: ['pending'],
      to: 'confirmed',
      permission: FREIGHT_AUDIT,
      primary: true,
      consequence: '费用分摊到发货单明细并计入库存成本，同时生成对物流商的应付',
    },
    cancel: { title: '取消', from: ['draft', 'pending'], to: 'cancelled', permission: FREIGHT_ADD, reason: true },
    reverse: {
      title: '冲销',
      from: ['confirmed'],
      to: 'reversed',
      permission: FREIGHT_REVERSE,
      reason: true,
      consequence: '撤回已分摊的成本和未付的应付；已付款的账单须先冲销付款',
    },
  },
});

export const FreightBillRow = z.object({
  id: Id,
  number: z.string().meta({ title: '单号', kind: 'code', width: 150, pinned: 'left' }),
  state: FreightBillState.meta({ width: 90 }),
  carrier: z.string().meta({ title: '物流商', width: 140 }),
  billNo: z.string().meta({ title: '账单号', kind: 'code', width: 150 }),
  day: Day.meta({ title: '账单日期', width: 110 }),
  orders: z.int().meta({ title: '发货单数', kind: 'integer', width: 90 }),
  amount: Money.meta({ title: '账单金额', currency: 'currency', width: 120 }),
  currency: Currency,
  amountCny: Money.nullable().meta({
    title: '折人民币',
    currency: 'CNY',
    width: 120,
    tip: '入账时按账单日期的汇率折算',
  }),
  base: FreightBase.meta({ width: 90 }),
  dueOn: Day.nullable().meta({ title: '应付日期', width: 110 }),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  confirmedByName: z.string().nullable().meta({ title: '审核人', kind: 'person', width: 100 }),
  confirmedAt: Instant.nullable().meta({ title: '入账时间', width: 130, optional: true }),
  version: z.int(),
});
export type FreightBillRow = z.infer<typeof FreightBillRow>;

export const FreightBillFilter = z.object({
  state: FreightBillState,
  carrier: z.array(Id).max(200).meta({ title: '物流商' }),
  day: DayRange('账单日期'),
  keyword: z.string().trim().max(100).meta({ title: '单号、账单号、发货单' }),
});
const AnyFilter = FreightBillFilter.partial();
export type FreightBillFilter = z.infer<typeof AnyFilter>;

const Positive = z
  .string()
  .trim()
  .regex(/^\d{1,10}(\.\d{1,2})?$/, '金额须为正数，最多2位小数')
  .refine((text) => /[1-9]/.test(text), '金额须大于0')
  .meta({ title: '金额', kind: 'rate' });

/** A line as it is written: `reference` is the order's number, its shipment's or its tracking number. */
export const FreightLineInput = z.object({
  reference: Text(100, '单号').meta({ title: '发货单/货件/追踪号' }),
  kind: FreightKind.default('FREIGHT'),
  amount: Positive,
  billedWeight: Measure('计费重')
    .refine((text) => /[1-9]/.test(text), '计费重须大于0')
    .nullable()
    .default(null)
    .meta({ title: '计费重', tip: '物流商账单上的计费重，可不填' }),
  remark: Words(200, '备注'),
});
export type FreightLineInput = z.infer<typeof FreightLineInput>;

export const FreightBillInput = z.object({
  id: z.uuid().optional().meta({ title: '物流账单' }),
  version: z.int().optional().meta({ title: '版本' }),
  carrierId: z.uuid('请选择物流商').meta({ title: '物流商' }),
  billNo: Text(60, '账单号'),
  day: Day.meta({ title: '账单日期' }),
  dueOn: Day.nullable().default(null).meta({ title: '应付日期', tip: '留空为账单日期' }),
  currency: Currency.default('CNY'),
  base: FreightBase.default('BILLABLE'),
  remark: Words(500, '备注'),
  lines: z
    .array(FreightLineInput)
    .min(1, '至少添加一行数据')
    .max(MAX_BILL_LINES, `一张账单最多${MAX_BILL_LINES}行`)
    .meta({ title: '明细' }),
});
export type FreightBillInput = z.infer<typeof FreightBillInput>;

/** A line of a bill on its page. */
export const FreightChargeRow = z.object({
  id: Id,
  orderId: Id,
  order: z.string().meta({ title: '发货单', kind: 'code', width: 150 }),
  shipmentNo: z.string().meta({ title: '货件编号', kind: 'code', width: 140 }),
  reference: z.string().meta({ title: '账单上的单号', kind: 'code', width: 150 }),
  kind: FreightKind.meta({ width: 90 }),
  billedWeight: Decimal.nullable().meta({ title: '计费重', kind: 'rate', width: 90 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 110 }),
  currency: Currency,
  amountCny: Money.nullable().meta({ title: '折人民币', currency: 'CNY', width: 110 }),
  remark: z.string().meta({ title: '备注', width: 160 }),
});
export type FreightChargeRow = z.infer<typeof FreightChargeRow>;

/** What was expected of an order against all that is billed of it, this bill included; duties are not estimated. CNY. */
export const FreightMatchRow = z.object({
  orderId: Id,
  order: z.string().meta({ title: '发货单', kind: 'code', width: 150 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  channel: z.string().meta({ title: '渠道', width: 150 }),
  state: MatchState.meta({ width: 90 }),
  estimated: Money.nullable().meta({ title: '预估', currency: 'CNY', width: 110, tip: '出库时按渠道价卡计算' }),
  billed: Money.nullable().meta({
    title: '账单',
    currency: 'CNY',
    width: 110,
    tip: '全部已入账账单和本账单，不含关税',
  }),
  difference: Money.nullable().meta({ title: '差异', currency: 'CNY', width: 110, good: 'down' }),
  share: Decimal.nullable().meta({ title: '差异率', kind: 'percent', width: 90 }),
  weight: Decimal.nullable().meta({ title: '预估计费重', kind: 'rate', width: 100 }),
  billedWeight: Decimal.nullable().meta({ title: '账单计费重', kind: 'rate', width: 100 }),
  why: z.string().meta({ title: '说明', width: 220 }),
});
export type FreightMatchRow = z.infer<typeof FreightMatchRow>;

/** What a bill brought to a line of an order, CNY. */
export const FreightShareRow = z.object({
  lineId: Id,
  order: z.string().meta({ title: '发货单', kind: 'code', width: 150 }),
  product: Product.meta({ title: '商品', kind: 'product', width: 220 }),
  qty: z.int().meta({ title: '发货量', kind: 'integer', width: 80 }),
  amount: Money.meta({ title: '本次分摊', currency: 'CNY', width: 110 }),
  toLayers: Money.meta({ title: '计入库存成本', currency: 'CNY', width: 120, permission: COST }),
  variance: Money.meta({
    title: '成本差异',
    currency: 'CNY',
    width: 110,
    permission: COST,
    tip: '已离开库存的数量对应的费用，计入本期成本差异',
  }),
  total: Money.meta({ title: '累计分摊', currency: 'CNY', width: 110 }),
});
export type FreightShareRow = z.infer<typeof FreightShareRow>;
