import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Money, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Amount, base, PartyKind, Saved, Words } from './fields.ts';

const VIEW = 'fin:dealing:view';
const APPLY = 'fin:dealing:apply';

export const Book = Choice({ PAYABLE: '应付', PREPAID: '预付', RECEIVABLE: '应收' }, '性质');
export const ItemKind = Choice(
  {
    GOODS: '货款',
    FREIGHT: '运费',
    LATE: '后到费用',
    FEE: '费用',
    DEPOSIT: '定金',
    CREDIT: '退货与折让',
    LOAN: '借款',
    ON_BEHALF: '代付',
    COST: '成本转移',
    OPENING: '期初',
    OTHER: '其他',
  },
  '款项',
);
export const Ageing = Choice({ D30: '0-30天', D60: '31-60天', D90: '61-90天', OVER: '90天以上' }, '账龄');

export const ItemRow = z.object({
  id: Id,
  party: z.string().meta({ title: '往来单位', width: 150, pinned: 'left' }),
  book: Book.meta({ width: 80 }),
  kind: ItemKind.meta({ width: 100 }),
  subject: z.string().meta({ title: '关联单号', kind: 'code', width: 176 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  open: Money.meta({ title: '未结', currency: 'currency', width: 130 }),
  dueOn: Day.nullable().meta({ title: '到期日', width: 110 }),
  age: z.int().meta({ title: '账龄(天)', kind: 'integer', width: 90 }),
  title: z.string().meta({ title: '摘要', width: 220 }),
  day: Day.meta({ title: '发生日期', width: 110 }),
  settled: Money.meta({ title: '已结', currency: 'currency', width: 130 }),
  base: Money.nullable().meta({
    title: '未结（人民币）',
    currency: 'CNY',
    width: 130,
    optional: true,
    tip: '未结金额按入账汇率折合，不随汇率变动',
  }),
  currency: Currency.meta({ title: '币种', optional: true }),
  partyKind: PartyKind.meta({ hidden: true }),
  partyId: Id,
  /** The kind of document that it belongs to, and which one; both '' for none. */
  subjectType: z.string(),
  subjectId: z.string(),
});
export type ItemRow = z.infer<typeof ItemRow>;

export const ItemFilter = z.object({
  book: Book,
  open: Choice({ OPEN: '未结清', DONE: '已结清' }, '结清'),
  kind: z.array(ItemKind).max(11).meta({ title: '款项' }),
  age: Ageing,
  due: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '到期日', kind: 'date' }),
  party: z.array(Id).max(200).meta({ title: '往来单位' }),
  keyword: z.string().trim().max(100).meta({ title: '摘要、单号' }),
});
const LooseItem = ItemFilter.partial();
export type ItemFilter = z.infer<typeof LooseItem>;

export const listItems = endpoint({
  title: '应付与预付',
  method: 'POST',
  path: `${base}/payable/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ItemFilter),
  sortable: ['day', 'dueOn', 'age', 'amount', 'open'],
  reply: Page(ItemRow),
});

export const exportItems = endpoint({
  title: '导出应付与预付',
  method: 'POST',
  path: `${base}/payable/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(ItemFilter),
  reply: z.unknown(),
});

/** What is open with one party in one currency, by age. */
export const DealingRow = z.object({
  id: z.string().meta({ hidden: true }),
  party: z.string().meta({ title: '往来单位', width: 180, pinned: 'left' }),
  partyKind: PartyKind.meta({ width: 100 }),
  currency: Currency,
  payable: Money.meta({ title: '应付', currency: 'currency', width: 130 }),
  prepaid: Money.meta({ title: '预付', currency: 'currency', width: 130 }),
  receivable: Money.meta({ title: '应收', currency: 'currency', width: 130 }),
  net: Money.meta({ title: '净额', currency: 'currency', width: 140, tip: '应收 + 预付 − 应付，负数为我方欠款' }),
  d30: Money.meta({ title: '0-30天', currency: 'currency', width: 120, group: '应付账龄' }),
  d60: Money.meta({ title: '31-60天', currency: 'currency', width: 120, group: '应付账龄' }),
  d90: Money.meta({ title: '61-90天', currency: 'currency', width: 120, group: '应付账龄' }),
  over: Money.meta({ title: '90天以上', currency: 'currency', width: 120, group: '应付账龄' }),
  overdue: Money.meta({ title: '已逾期', currency: 'currency', width: 120 }),
  partyId: Id,
});
export type DealingRow = z.infer<typeof DealingRow>;

export const DealingFilter = z.object({
  partyKind: PartyKind,
  keyword: z.string().trim().max(100).meta({ title: '往来单位' }),
  currency: z.string().trim().max(3).meta({ title: '币种' }),
});
const LooseDealing = DealingFilter.partial();
export type DealingFilter = z.infer<typeof LooseDealing>;

export const listDealings = endpoint({
  title: '往来',
  method: 'POST',
  path: `${base}/dealing/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(DealingFilter),
  sortable: ['payable', 'prepaid', 'net', 'over', 'overdue'],
  reply: Page(DealingRow),
});

export const exportDealings = endpoint({
  title: '导出往来',
  method: 'POST',
  path: `${base}/dealing/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(DealingFilter),
  reply: z.unknown(),
});

/** One change of what is open with a party. */
export const StatementLine = z.object({
  id: z.string().meta({ hidden: true }),
  day: Day.meta({ title: '日期', width: 100 }),
  title: z.string().meta({ title: '摘要', width: 200 }),
  number: z.string().meta({ title: '单号', kind: 'code', width: 140 }),
  debit: Money.nullable().meta({ title: '付款与冲减', currency: 'currency', width: 120 }),
  credit: Money.nullable().meta({ title: '应付增加', currency: 'currency', width: 120 }),
  balance: Money.meta({ title: '余额', currency: 'currency', width: 120 }),
  gain: Money.nullable().meta({ title: '汇兑损益', currency: 'CNY', width: 110, good: 'up' }),
  currency: Currency.meta({ hidden: true }),
  /** The kind of document that changed it, and which one. */
  sourceType: z.string(),
  sourceId: z.string(),
});
export type StatementLine = z.infer<typeof StatementLine>;

/** Balances are what the company has or is owed (+) and what it owes (−): opening + Σ lines = closing. */
export const Statement = z.object({
  party: z.string(),
  currency: Currency,
  from: Day,
  to: Day,
  opening: Money,
  debit: Money,
  credit: Money,
  closing: Money,
  /** Realised by changes of the period; CNY, − is a loss. */
  gain: Money,
  lines: z.array(StatementLine),
});
export type Statement = z.infer<typeof Statement>;

const StatementQuery = z.object({
  partyId: Id.meta({ title: '往来单位' }),
  currency: Currency,
  from: Day.meta({ title: '开始' }),
  to: Day.meta({ title: '结束' }),
});

export const partyStatement = endpoint({
  title: '往来对账单',
  method: 'POST',
  path: `${base}/dealing/statement`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: StatementQuery,
  reply: Statement,
});

export const printStatement = endpoint({
  title: '打印往来对账单',
  method: 'POST',
  path: `${base}/dealing/statement/print`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: StatementQuery,
  reply: z.unknown(),
});

export const SettleForm = z.object({
  /** A prepayment or a receivable. */
  prepaidId: Id.meta({ title: '预付或应收' }),
  payableId: Id.meta({ title: '应付' }),
  amount: Amount('核销金额'),
});

/** Uses what was paid in advance, or what a party owes, for a debt to the same party. */
export const settleItems = endpoint({
  title: '核销',
  method: 'POST',
  path: `${base}/payable/settle`,
  permission: APPLY,
  body: SettleForm,
  reply: z.object({ postingId: Id }),
});

/** What a supplier or partner pays back, or owes and pays, comes into an account. */
export const receiveMoney = endpoint({
  title: '登记收款',
  method: 'POST',
  path: `${base}/payable/receive`,
  permission: APPLY,
  body: z.object({
    itemId: Id.meta({ title: '款项' }),
    cashAccountId: z.uuid('请选择账户').meta({ title: '收款账户' }),
    amount: Amount('收款金额'),
    day: Day.optional().meta({ title: '日期' }),
    memo: Words(200, '备注'),
  }),
  reply: z.object({ postingId: Id }),
});

export const PartnerKind = Choice(
  { GROUP: '集团内公司', CARRIER: '物流商', PLATFORM: '平台', EMPLOYEE: '员工', OTHER: '其他' },
  '类型',
);

export const PartyChoice = z.object({
  kind: PartyKind,
  id: Id,
  name: z.string(),
  currency: Currency,
  /** Of a partner: what it is to the company. */
  partner: PartnerKind.nullable(),
});
export type PartyChoice = z.infer<typeof PartyChoice>;

/** Suppliers and partners that can be paid, by name. */
export const partyChoices = endpoint({
  title: '可选往来单位',
  method: 'GET',
  path: `${base}/party/choices`,
  permission: 'login',
  concurrent: true,
  reply: z.array(PartyChoice),
});

export const PartnerForm = z.object({
  name: Text(100, '名称'),
  kind: PartnerKind.default('OTHER'),
  remark: Words(200, '备注'),
});

export const savePartner = endpoint({
  title: '保存往来单位',
  method: 'POST',
  path: `${base}/party/save`,
  permission: APPLY,
  body: PartnerForm.extend({ id: Id.optional().meta({ title: '往来单位' }) }),
  reply: Saved,
});

/** What is open with a party, for the lines of a request. */
export const openDebts = endpoint({
  title: '未结应付',
  method: 'POST',
  path: `${base}/payable/open`,
  permission: 'fin:payreq:apply',
  access: 'read',
  concurrent: true,
  body: z.object({ partyId: Id.meta({ title: '往来单位' }), currency: Currency }),
  reply: z.array(
    z.object({
      id: Id,
      title: z.string(),
      subject: z.string(),
      open: Money,
      /** Of that, what no other request holds. */
      free: Money,
      dueOn: Day.nullable(),
    }),
  ),
});

export const DealingForm = z.object({
  partyId: z.uuid('请选择往来单位').meta({ title: '往来单位' }),
  direction: Choice({ LEND: '借出或代付', BORROW: '借入' }, '方向').default('LEND'),
  cashAccountId: z.uuid('请选择账户').meta({ title: '账户' }),
  amount: Amount('金额'),
  title: Text(100, '摘要'),
  day: Day.optional().meta({ title: '日期' }),
  dueOn: Day.optional().meta({ title: '到期日' }),
});

/** Money lent to a partner or borrowed from one: it stays open until it is paid back. */
export const addDealing = endpoint({
  title: '登记往来',
  method: 'POST',
  path: `${base}/dealing/save`,
  permission: APPLY,
  body: DealingForm,
  reply: z.object({ postingId: Id }),
});
