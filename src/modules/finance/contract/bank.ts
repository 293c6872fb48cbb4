import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Money, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Amount, AmountOrNone, base, Reason } from './fields.ts';
import { PAY } from './requests.ts';

const VIEW = 'fin:account:view';
/** Bringing statements in and matching them. */
export const MATCH = 'fin:bank:import';
const at = (call: string) => `${base}/bank/${call}` as const;

export const BankState = States({
  OPEN: { title: '未匹配', tone: 'waiting' },
  MATCHED: { title: '已匹配', tone: 'done' },
  IGNORED: { title: '已忽略', tone: 'off' },
});

/** One line of a bank's statement. */
export const BankRow = z.object({
  id: Id,
  day: Day.meta({ title: '交易日期', width: 110, pinned: 'left' }),
  account: z.string().meta({ title: '账户', width: 140 }),
  state: BankState.meta({ width: 90 }),
  income: Money.nullable().meta({ title: '收入', currency: 'currency', width: 130 }),
  outgo: Money.nullable().meta({ title: '支出', currency: 'currency', width: 130 }),
  balance: Money.nullable().meta({ title: '余额', currency: 'currency', width: 140 }),
  counterparty: z.string().meta({ title: '对方户名', width: 180 }),
  counterpartyAccount: z.string().meta({ title: '对方账号', kind: 'code', width: 170 }),
  summary: z.string().meta({ title: '摘要', width: 200 }),
  serial: z.string().meta({ title: '流水号', kind: 'code', width: 170 }),
  matched: z.string().meta({ title: '匹配单号', kind: 'code', width: 170 }),
  reason: z.string().meta({ title: '忽略原因', width: 160 }),
  currency: Currency.meta({ title: '币种', optional: true }),
  cashAccountId: Id,
  /** With its sign: + came in. */
  amount: Money.meta({ hidden: true }),
});
export type BankRow = z.infer<typeof BankRow>;

export const BankFilter = z.object({
  state: BankState,
  cashAccount: z.array(Id).max(50).meta({ title: '账户' }),
  day: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '交易日期', kind: 'date' }),
  direction: Choice({ IN: '收入', OUT: '支出' }, '方向'),
  keyword: z.string().trim().max(100).meta({ title: '对方、摘要、流水号' }),
});
const Loose = BankFilter.partial();
export type BankFilter = z.infer<typeof Loose>;

export const listBank = endpoint({
  title: '银行流水',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(BankFilter),
  sortable: ['day', 'income', 'outgo'],
  reply: Page(BankRow),
});

export const countBank = endpoint({
  title: '银行流水各状态数量',
  method: 'POST',
  path: at('statusCounts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: BankFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportBank = endpoint({
  title: '导出银行流水',
  method: 'POST',
  path: at('export'),
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(BankFilter),
  reply: z.unknown(),
});

/** "-12.50" too: an account may be overdrawn. */
const Balance = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^(-?\d{1,12}(\.\d{1,2})?)?$/, '请输入正确的金额')
    .optional()
    .meta({ title });

export const BankUploadForm = z.object({
  cashAccountId: z.uuid('请选择账户').meta({ title: '账户' }),
  opening: Balance('期初余额'),
  closing: Balance('期末余额'),
});

/**
 * A statement of one account, xlsx or csv. Read only, unless `write` says so; then all new lines are written or nothing.
 * Lines that came before are left out: by 流水号, or by what they say where they have none.
 */
export const uploadBank = endpoint({
  title: '导入银行流水',
  method: 'POST',
  path: at('upload'),
  permission: MATCH,
  upload: true,
  body: BankUploadForm.extend({ write: z.enum(['no', 'yes']).default('no').meta({ title: '写入' }) }),
  reply: z.object({
    rows: z.int(),
    good: z.int(),
    /** Not there before. */
    fresh: z.int(),
    written: z.boolean(),
    summary: z.string().nullable(),
    problems: z.array(z.object({ line: z.int(), column: z.string(), value: z.string(), reason: z.string() })),
  }),
});

export const bankTemplate = endpoint({
  title: '银行流水模板',
  method: 'GET',
  path: at('template'),
  permission: MATCH,
  file: true,
  reply: z.unknown(),
});

/** An entry of the account's journal that no line of the bank is matched with. */
export const Candidate = z.object({
  /** Of the entry. */
  id: z.string(),
  day: Day.meta({ title: '日期', width: 100 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 120 }),
  title: z.string().meta({ title: '摘要', width: 160 }),
  number: z.string().meta({ title: '单号', kind: 'code', width: 150 }),
  party: z.string().meta({ title: '对方', width: 140 }),
  why: z.string().meta({ title: '依据', width: 160 }),
  currency: Currency.meta({ hidden: true }),
  /** Amount, day and payee agree. */
  best: z.boolean(),
});
export type Candidate = z.infer<typeof Candidate>;

/** A request that is approved and that a line may have paid. */
export const PayableRequest = z.object({
  id: Id,
  version: z.int(),
  number: z.string().meta({ title: '请款单', kind: 'code', width: 150 }),
  payee: z.string().meta({ title: '收款方', width: 160 }),
  open: Money.meta({ title: '待付', currency: 'currency', width: 130 }),
  why: z.string().meta({ title: '依据', width: 160 }),
  currency: Currency.meta({ hidden: true }),
});
export type PayableRequest = z.infer<typeof PayableRequest>;

const Ids = (title: string) => z.array(Id).min(1, '请选择银行流水').max(100).meta({ title });

/** What lines of one account may be: entries of the same sum first, near in time and with the same payee. */
export const suggestBank = endpoint({
  title: '银行流水·匹配建议',
  method: 'POST',
  path: at('suggest'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ ids: Ids('银行流水') }),
  reply: z.object({
    /** Of the lines, with its sign. */
    amount: Money,
    currency: Currency,
    candidates: z.array(Candidate),
    requests: z.array(PayableRequest),
    /** Entries that the lines are matched with already. */
    matched: z.array(Candidate),
  }),
});

/** Says that lines and entries of one account are the same money; their sums must be equal. */
export const matchBank = endpoint({
  title: '银行流水·匹配',
  method: 'POST',
  path: at('match'),
  permission: MATCH,
  body: z.object({
    ids: Ids('银行流水'),
    entries: z
      .array(z.string().regex(/^\d{1,18}$/))
      .min(1, '请选择账户流水')
      .max(100)
      .meta({ title: '账户流水' }),
  }),
  reply: z.object({ matchId: Id, amount: Money }),
});

/** Matches every line that agrees with exactly one entry in amount and within three days, and that entry with it alone. */
export const autoMatch = endpoint({
  title: '银行流水·自动匹配',
  method: 'POST',
  path: at('autoMatch'),
  permission: MATCH,
  body: z.object({ cashAccountId: z.uuid('请选择账户').meta({ title: '账户' }) }),
  reply: z.object({ matched: z.int() }),
});

/** Takes the whole match of a line apart: all its lines are open again. */
export const unmatchBank = endpoint({
  title: '银行流水·取消匹配',
  method: 'POST',
  path: at('unmatch'),
  permission: MATCH,
  body: z.object({ id: Id.meta({ title: '银行流水' }) }),
  reply: z.object({ lines: z.int() }),
});

export const ignoreBank = endpoint({
  title: '银行流水·忽略',
  method: 'POST',
  path: at('ignore'),
  permission: MATCH,
  body: z.object({ ids: Ids('银行流水'), reason: Reason }),
  reply: z.object({ changed: z.int() }),
});

export const restoreBank = endpoint({
  title: '银行流水·恢复',
  method: 'POST',
  path: at('restore'),
  permission: MATCH,
  body: z.object({ ids: Ids('银行流水') }),
  reply: z.object({ changed: z.int() }),
});

export const BankPayForm = z.object({
  amount: Amount('付款金额'),
  fee: AmountOrNone('其中手续费').default('0'),
});

/**
 * Pays an approved request by what a line says that the bank paid, on its day, and matches both. `amount` is in the currency
 * of the request; what left the account is the line less the fee.
 */
export const payFromBank = endpoint({
  title: '银行流水·生成付款',
  method: 'POST',
  path: at('pay'),
  permission: PAY,
  body: BankPayForm.extend({
    id: Id.meta({ title: '银行流水' }),
    requestId: Id.meta({ title: '请款单' }),
    version: z.int().optional().meta({ title: '版本' }),
    batchId: Id.meta({ title: '付款批次' }),
  }),
  reply: z.object({ matchId: Id, amount: Money }),
});

const Part = z.object({ amount: Money, count: z.int() });

/** bank − book = opening + unbooked + ignored − unbanked, exactly. */
export const reconcileBank = endpoint({
  title: '银行余额调节',
  method: 'POST',
  path: at('reconcile'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ cashAccountId: z.uuid('请选择账户').meta({ title: '账户' }) }),
  reply: z.object({
    currency: Currency,
    /** Of the first and the last line; null while there is none. */
    from: Day.nullable(),
    to: Day.nullable(),
    book: Money,
    bank: Money,
    difference: Money,
    /** What the bank had before its first line, less what the books say without a line for it. */
    opening: Money,
    /** In the bank, not in the books. */
    unbooked: Part,
    ignored: Part,
    /** In the books, not in the bank. */
    unbanked: Part,
  }),
});
