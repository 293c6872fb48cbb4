import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Currency, Day, Id, Instant, Money, Product, Quantity, States, Store } from '#kit/contract/field.ts';
import { StoreKey } from '#modules/costshare/contract/document.ts';
import { Amount, AmountOrNone, PartyInput, Words } from '#modules/finance/contract/fields.ts';

export const VIEW = 'fin:expense:view';
export const APPLY = 'fin:expense:apply';
export const APPROVE = 'fin:expense:approve';
export const PAY = 'fin:expense:pay';
export const REVERSE = 'fin:expense:reverse';

export const MOST_LINES = 50;
export const MOST_SHARES = 200;
export const MOST_MONTHS = 60;

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  submitted: { title: '待审核', tone: 'waiting' },
  approved: { title: '待付款', tone: 'waiting' },
  paid: { title: '已付款', tone: 'done' },
  returned: { title: '已退回', tone: 'trouble' },
  void: { title: '已作废', tone: 'off' },
  reversed: { title: '已冲销', tone: 'off' },
} as const;
export const ExpenseState = States(STATES);
export type ExpenseState = z.infer<typeof ExpenseState>;

/** 费用单: what somebody spent or asks to spend, until it is paid and borne by whom it belongs to. */
export const expenseDocument = documentType({
  name: 'expense.document',
  title: '费用单',
  number: 'FY-{yyyyMMdd}-{seq:4}',
  detail: '/f/e/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: {
      title: '提交',
      from: ['draft', 'returned'],
      to: 'submitted',
      permission: APPLY,
      primary: true,
      consequence: '提交后由审核人审核，审核前可以撤回',
    },
    withdraw: { title: '撤回', from: ['submitted'], to: 'draft', permission: APPLY },
    approve: {
      title: '通过',
      from: ['submitted'],
      to: 'approved',
      permission: APPROVE,
      primary: true,
      consequence: '通过后按月计入利润或期间费用，并等待付款',
    },
    return: { title: '退回', from: ['submitted'], to: 'returned', permission: APPROVE, reason: true },
    pay: { title: '付款', from: ['approved'], to: 'paid', permission: PAY, internal: true },
    unpay: { title: '付款冲销', from: ['paid'], to: 'approved', permission: PAY, internal: true },
    reverse: {
      title: '冲销',
      from: ['approved'],
      to: 'reversed',
      permission: REVERSE,
      reason: true,
      consequence: '冲回已计入利润与期间费用的金额，单据不能再修改',
    },
    void: { title: '作废', from: ['draft', 'returned'], to: 'void', permission: APPLY, reason: true },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'return', withdraw: 'withdraw', cancel: ['void'] },
});

export const ExpenseKind = Choice({ REIMBURSEMENT: '报销', DAILY: '日常费用' }, '类型');
export type ExpenseKind = z.infer<typeof ExpenseKind>;

export const Scope = Choice({ COMPANY: '公司', DEPARTMENT: '部门', STORE: '店铺', SKU: 'SKU' }, '归属');
export type Scope = z.infer<typeof Scope>;

export const ExpenseRow = z.object({
  id: Id,
  number: z.string().meta({ title: '费用单号', kind: 'code', width: 170, pinned: 'left' }),
  kind: ExpenseKind.meta({ width: 90 }),
  state: ExpenseState.meta({ width: 92 }),
  feeTypes: z.string().meta({ title: '费用类型', width: 150 }),
  department: z.string().meta({ title: '部门', width: 110 }),
  spentOn: Day.meta({ title: '费用日期', width: 110 }),
  payee: z.string().meta({ title: '收款方', width: 150 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  amountCny: Money.nullable().meta({
    title: '折合人民币',
    currency: 'CNY',
    width: 130,
    tip: '审核通过时按费用日期的汇率折算',
  }),
  scope: Scope.meta({ width: 80 }),
  months: Quantity.meta({ title: '摊销月数', width: 90 }),
  request: z.string().meta({ title: '请款单', kind: 'code', width: 160 }),
  createdByName: z.string().meta({ title: '申请人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '申请时间', width: 140 }),
  approvedByName: z.string().meta({ title: '审核人', kind: 'person', width: 110, optional: true }),
  approvedAt: Instant.nullable().meta({ title: '审核时间', width: 140, optional: true }),
  remark: z.string().meta({ title: '备注', width: 200 }),
  currency: Currency.meta({ title: '货币', optional: true }),
  departmentId: Id.nullable(),
  partyKind: z.string(),
  partyId: Id,
  requestId: Id.nullable(),
  version: z.int(),
});
export type ExpenseRow = z.infer<typeof ExpenseRow>;

export const ExpenseFilter = z.object({
  state: ExpenseState,
  kind: z.array(ExpenseKind).max(2).meta({ title: '类型' }),
  feeType: z.array(z.string().max(40)).max(100).meta({ title: '费用类型' }),
  department: z.array(z.uuid()).max(200).meta({ title: '部门' }),
  scope: z.array(Scope).max(4).meta({ title: '归属' }),
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '费用日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '单号、收款方、备注' }),
});
const Loose = ExpenseFilter.partial();
export type ExpenseFilter = z.infer<typeof Loose>;

export const LineInput = z.object({
  feeType: z.string().trim().min(1, '请选择费用类型').max(40).meta({ title: '费用类型' }),
  amount: Amount('金额'),
  tax: AmountOrNone('其中税额').nullish().meta({ title: '其中税额' }),
  remark: Words(200, '备注'),
});
export type LineInput = z.output<typeof LineInput>;

/** Who bears a part: a department, a store, or a SKU in a store, as the document's scope says. */
export const ShareInput = z.object({
  departmentId: z.uuid('请选择部门').optional().meta({ title: '部门' }),
  store: StoreKey.optional(),
  sku: z.string().trim().max(100).default('').meta({ title: 'SKU' }),
  amount: Amount('分摊金额'),
});
export type ShareInput = z.output<typeof ShareInput>;

export const ExpenseHead = z.object({
  kind: ExpenseKind,
  departmentId: z.uuid('请选择部门').nullish().meta({ title: '部门', kind: 'choice' }),
  spentOn: Day.meta({ title: '费用日期' }),
  currency: Currency.default('CNY').meta({ title: '货币' }),
  scope: Scope,
  months: z
    .int('请输入 1 到 60 的整数')
    .min(1, '请输入 1 到 60 的整数')
    .max(MOST_MONTHS, '请输入 1 到 60 的整数')
    .default(1)
    .meta({ title: '摊销月数', kind: 'integer' }),
  remark: Words(500, '备注'),
});

export const ExpenseInput = ExpenseHead.extend({
  id: Id.optional().meta({ title: '费用单' }),
  version: z.int().optional().meta({ title: '版本' }),
  party: PartyInput.meta({ title: '收款方' }),
  lines: z.array(LineInput).min(1, '至少添加一行数据').max(MOST_LINES).meta({ title: '费用明细' }),
  /** None for what the company bears. */
  shares: z.array(ShareInput).max(MOST_SHARES, `最多分摊 ${MOST_SHARES} 行`).default([]).meta({ title: '归属明细' }),
});
export type ExpenseInput = z.output<typeof ExpenseInput>;

export const LineRow = z.object({
  lineNo: z.int().meta({ title: '行', kind: 'integer', width: 48 }),
  feeType: z.string().meta({ title: '费用类型', width: 160 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  tax: Money.nullable().meta({ title: '其中税额', currency: 'currency', width: 120 }),
  remark: z.string().meta({ title: '备注', width: 240 }),
  currency: Currency.meta({ hidden: true }),
});
export type LineRow = z.infer<typeof LineRow>;

export const ShareRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  departmentId: Id.nullable(),
  storeKey: z.string().meta({ title: '店铺', hidden: true }),
  sku: z.string().meta({ title: 'SKU', hidden: true }),
  department: z.string().meta({ title: '部门', width: 160 }),
  store: Store.nullable().meta({ title: '店铺', kind: 'store', width: 160 }),
  product: Product.nullable().meta({ title: '商品', kind: 'product', width: 260 }),
  amount: Money.meta({ title: '分摊金额', currency: 'currency', width: 130 }),
  currency: Currency.meta({ hidden: true }),
});
export type ShareRow = z.infer<typeof ShareRow>;

/** What a month bears. */
export const MonthRow = z.object({
  month: z.string().meta({ title: '月份', kind: 'code', width: 100 }),
  amount: Money.meta({ title: '摊销金额', currency: 'currency', width: 130 }),
  amountCny: Money.nullable().meta({ title: '折合人民币', currency: 'CNY', width: 130 }),
  currency: Currency.meta({ hidden: true }),
});
export type MonthRow = z.infer<typeof MonthRow>;

/** A cost document that the expense made. */
export const CostMade = z.object({
  id: Id,
  number: z.string().meta({ title: '费用分摊单', kind: 'code', width: 176 }),
  state: z.string().meta({ title: '状态', width: 90 }),
  feeType: z.string().meta({ title: '费用类型', width: 120 }),
  from: Day.meta({ title: '分摊开始', width: 110 }),
  to: Day.meta({ title: '分摊结束', width: 110 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  currency: Currency.meta({ hidden: true }),
});
export type CostMade = z.infer<typeof CostMade>;
