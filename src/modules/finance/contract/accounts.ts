import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, States, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Amount, AmountOrNone, base, Reason, Saved, Words } from './fields.ts';

const VIEW = 'fin:account:view';
const EDIT = 'fin:account:edit';

export const Method = Choice(
  {
    BANK: '银行卡',
    CASH: '现金',
    ALIPAY: '支付宝',
    WECHAT: '微信支付',
    CREDIT_CARD: '信用卡',
    WALLET: '跨境收款',
    PLATFORM_TERM: '平台账期',
    OTHER: '其他',
  },
  '付款方式',
);

export const AccountRow = z.object({
  id: Id,
  name: z.string().meta({ title: '账户', width: 160 }),
  method: Method.meta({ width: 100 }),
  currency: Currency,
  balance: Money.meta({ title: '余额', currency: 'currency' }),
  overdraft: Money.meta({ title: '可透支', currency: 'currency' }),
  bankName: z.string().meta({ title: '开户行' }),
  tail: z.string().meta({ title: '账号尾号', kind: 'code' }),
  isDefault: z.boolean().meta({ title: '默认', kind: 'boolean' }),
  disabled: z.boolean().meta({ title: '停用', kind: 'boolean' }),
  remark: z.string().meta({ title: '备注' }),
  version: z.int(),
});
export type AccountRow = z.infer<typeof AccountRow>;

export const AccountForm = z.object({
  name: Text(50, '账户名称'),
  method: Method.default('BANK'),
  currency: Currency.default('CNY'),
  bankName: Words(100, '开户行'),
  tail: Words(10, '账号尾号'),
  overdraft: AmountOrNone('可透支额度').default('0'),
  remark: Words(200, '备注'),
});

/** A new account may come with what is in it; that is an entry like any other. */
export const NewAccountForm = AccountForm.extend({
  opening: AmountOrNone('期初余额').default('0'),
  openingDay: Day.optional().meta({ title: '期初日期' }),
});

/** All accounts, those in use first; a handful. */
export const listAccounts = endpoint({
  title: '资金账户',
  method: 'GET',
  path: `${base}/account/list`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(AccountRow),
});

export const addAccount = endpoint({
  title: '添加账户',
  method: 'POST',
  path: `${base}/account/add`,
  permission: EDIT,
  body: NewAccountForm,
  reply: Saved,
});

/** The currency of an account stays. */
export const changeAccount = endpoint({
  title: '修改账户',
  method: 'POST',
  path: `${base}/account/save`,
  permission: EDIT,
  body: AccountForm.omit({ currency: true }).extend({
    id: Id.meta({ title: '账户' }),
    version: z.int().optional().meta({ title: '版本' }),
  }),
  reply: Saved,
});

export const switchAccount = endpoint({
  title: '停用或恢复账户',
  method: 'POST',
  path: `${base}/account/disable`,
  permission: EDIT,
  body: z.object({ id: Id.meta({ title: '账户' }), disabled: z.boolean().meta({ title: '停用' }) }),
  reply: Saved,
});

export const defaultAccount = endpoint({
  title: '设为默认账户',
  method: 'POST',
  path: `${base}/account/default`,
  permission: EDIT,
  body: z.object({ id: Id.meta({ title: '账户' }) }),
  reply: Saved,
});

export const CategoryRow = z.object({
  id: Id,
  name: z.string(),
  direction: z.enum(['IN', 'OUT']),
  disabled: z.boolean(),
});
export type CategoryRow = z.infer<typeof CategoryRow>;

export const listCategories = endpoint({
  title: '收支项',
  method: 'GET',
  path: `${base}/project/list`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(CategoryRow),
});

export const CategoryForm = z.object({
  name: Text(30, '收支项'),
  direction: Choice({ IN: '收入', OUT: '支出' }, '方向').default('OUT'),
});

export const saveCategory = endpoint({
  title: '保存收支项',
  method: 'POST',
  path: `${base}/project/save`,
  permission: EDIT,
  body: CategoryForm.extend({
    id: Id.optional().meta({ title: '收支项' }),
    disabled: z.boolean().default(false).meta({ title: '停用' }),
  }),
  reply: Saved,
});

export const JournalState = States({
  POSTED: { title: '已记账', tone: 'done' },
  REVERSED: { title: '已撤销', tone: 'off' },
  REVERSAL: { title: '冲销', tone: 'side' },
});

/** One entry of an account. */
export const JournalRow = z.object({
  id: z.string().meta({ hidden: true }),
  day: Day.meta({ title: '日期', width: 110, pinned: 'left' }),
  account: z.string().meta({ title: '账户', width: 140 }),
  project: z.string().meta({ title: '收支项', width: 120 }),
  income: Money.nullable().meta({ title: '收入', currency: 'currency', width: 130 }),
  outgo: Money.nullable().meta({ title: '支出', currency: 'currency', width: 130 }),
  after: Money.meta({ title: '结余', currency: 'currency', width: 140, tip: '记账顺序下，这一笔之后的账户余额' }),
  gain: Money.nullable().meta({
    title: '汇兑损益',
    currency: 'CNY',
    width: 120,
    good: 'up',
    optional: true,
    tip: '这一笔结清外币往来时实现的汇兑损益，负数为损失',
  }),
  title: z.string().meta({ title: '摘要', width: 200 }),
  number: z.string().meta({ title: '关联单号', kind: 'code', width: 150 }),
  state: JournalState.meta({ width: 90 }),
  memo: z.string().meta({ title: '备注', width: 180 }),
  by: z.string().meta({ title: '记账人', kind: 'person', width: 110 }),
  at: Instant.meta({ title: '记账时间', width: 140, optional: true }),
  currency: Currency.meta({ title: '币种', optional: true }),
  cashAccountId: Id,
  postingId: Id,
  /** Whether it was written by hand, so that it can be taken back here. */
  byHand: z.boolean(),
});
export type JournalRow = z.infer<typeof JournalRow>;

export const JournalFilter = z.object({
  cashAccount: z.array(Id).max(50).meta({ title: '账户' }),
  day: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' }),
  direction: Choice({ IN: '收入', OUT: '支出' }, '方向'),
  keyword: z.string().trim().max(100).meta({ title: '单号、摘要、备注' }),
});
const Loose = JournalFilter.partial();
export type JournalFilter = z.infer<typeof Loose>;

export const listJournal = endpoint({
  title: '收支流水',
  method: 'POST',
  path: `${base}/journal/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(JournalFilter),
  sortable: ['day', 'account', 'income', 'outgo'],
  reply: Page(JournalRow),
});

export const exportJournal = endpoint({
  title: '导出收支流水',
  method: 'POST',
  path: `${base}/journal/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(JournalFilter),
  reply: z.unknown(),
});

export const JournalForm = z.object({
  cashAccountId: z.uuid('请选择账户').meta({ title: '账户' }),
  direction: Choice({ IN: '收入', OUT: '支出' }, '方向').default('OUT'),
  categoryId: z.uuid('请选择收支项').optional().meta({ title: '收支项' }),
  amount: Amount('金额'),
  day: Day.optional().meta({ title: '日期' }),
  memo: Words(200, '备注'),
});

export const addJournal = endpoint({
  title: '记一笔',
  method: 'POST',
  path: `${base}/journal/save`,
  permission: EDIT,
  body: JournalForm,
  reply: z.object({ number: z.string(), postingId: Id }),
});

export const TransferForm = z.object({
  fromId: z.uuid('请选择转出账户').meta({ title: '转出账户' }),
  toId: z.uuid('请选择转入账户').meta({ title: '转入账户' }),
  amount: Amount('转出金额'),
  received: Amount('转入金额').optional().meta({ title: '转入金额' }),
  fee: AmountOrNone('手续费').default('0'),
  day: Day.optional().meta({ title: '日期' }),
  memo: Words(200, '备注'),
});

/** Between two accounts; `received` in the currency of the second, needed where it differs. The fee is the first one's. */
export const addTransfer = endpoint({
  title: '账户互转',
  method: 'POST',
  path: `${base}/journal/transfer`,
  permission: EDIT,
  body: TransferForm,
  reply: z.object({ number: z.string(), postingId: Id }),
});

export const undoJournal = endpoint({
  title: '撤销流水',
  method: 'POST',
  path: `${base}/journal/reverse`,
  permission: EDIT,
  body: z.object({ postingId: Id.meta({ title: '流水' }), reason: Reason }),
  reply: z.object({ postingId: Id }),
});

/** An account day by day, and what it was used for. */
export const accountTrend = endpoint({
  title: '账户走势',
  method: 'POST',
  path: `${base}/account/trend`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    id: Id.meta({ title: '账户' }),
    from: Day.meta({ title: '开始' }),
    to: Day.meta({ title: '结束' }),
  }),
  reply: z.object({
    currency: Currency,
    days: z.array(z.object({ day: Day, income: Money, outgo: Money, balance: Money })),
    projects: z.array(z.object({ project: z.string(), direction: z.enum(['IN', 'OUT']), amount: Money })),
  }),
});
