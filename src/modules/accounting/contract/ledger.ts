import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Money } from '#kit/contract/field.ts';
import { DEFAULT_PAGE_SIZE } from '#kit/contract/page.ts';
import { base, Direction, Month, VIEW } from './fields.ts';

const Amount = (title: string, group: string) => Money.meta({ title, group, currency: 'CNY', width: 130 });

/** Level of the deepest subjects. */
export const LEVELS = 3;

export const BalanceRow = z.object({
  id: Id,
  code: z.string().meta({ title: '科目编码', kind: 'code', width: 110 }),
  name: z.string().meta({ title: '科目名称', width: 220 }),
  openingDebit: Amount('期初借方', '期初余额'),
  openingCredit: Amount('期初贷方', '期初余额'),
  debit: Amount('本期借方', '本期发生'),
  credit: Amount('本期贷方', '本期发生'),
  yearDebit: Amount('本年借方', '本年累计'),
  yearCredit: Amount('本年贷方', '本年累计'),
  closingDebit: Amount('期末借方', '期末余额'),
  closingCredit: Amount('期末贷方', '期末余额'),
  level: z.int().meta({ hidden: true }),
});
export type BalanceRow = z.infer<typeof BalanceRow>;

/** Sums of all leaves, by the amounts of a row. */
export const BalanceTotals = BalanceRow.pick({
  openingDebit: true,
  openingCredit: true,
  debit: true,
  credit: true,
  yearDebit: true,
  yearCredit: true,
  closingDebit: true,
  closingCredit: true,
});
export type BalanceTotals = z.infer<typeof BalanceTotals>;

/** 科目余额表 of some months; parents come before their children. */
export const trialBalance = endpoint({
  title: '科目余额表',
  method: 'POST',
  path: `${base}/ledger/balance`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    from: Month.meta({ title: '起始月份', kind: 'month' }),
    to: Month.meta({ title: '截止月份', kind: 'month' }),
    level: z.int().min(1).max(LEVELS).default(LEVELS).meta({ title: '科目级次' }),
    /** Without subjects that have neither a balance nor entries. */
    moved: z.boolean().default(true).meta({ title: '只看有余额或发生额' }),
  }),
  reply: z.object({ rows: z.array(BalanceRow), totals: BalanceTotals }),
});

export const LedgerLine = z.object({
  id: z.string().meta({ hidden: true }),
  day: Day.nullable().meta({ title: '日期', width: 110 }),
  number: z.string().meta({ title: '凭证号', kind: 'code', width: 150 }),
  summary: z.string().meta({ title: '摘要', width: 260 }),
  subject: z.string().meta({ title: '科目', width: 240 }),
  debit: Money.nullable().meta({ title: '借方金额', currency: 'CNY', width: 130 }),
  credit: Money.nullable().meta({ title: '贷方金额', currency: 'CNY', width: 130 }),
  side: z.string().meta({ title: '方向', width: 60 }),
  balance: Money.meta({ title: '余额', currency: 'CNY', width: 140 }),
  voucherId: Id.nullable(),
});
export type LedgerLine = z.infer<typeof LedgerLine>;

/** Entries that one page of 明细账 holds. */
export const PAGE_LINES = 200;

/**
 * 明细账: entries of a subject and of all below it between two months, with the balance after each. The answer is a page of
 * them, which begins behind `after`, with the balance brought forward.
 */
export const subjectLedger = endpoint({
  title: '明细账',
  method: 'POST',
  path: `${base}/ledger/detail`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    subjectId: z.uuid('请选择科目').meta({ title: '科目' }),
    from: Month.meta({ title: '起始月份', kind: 'month' }),
    to: Month.meta({ title: '截止月份', kind: 'month' }),
    /** The `next` of the page before. */
    after: z
      .object({
        day: Day.meta({ title: '日期' }),
        voucherId: z.uuid().meta({ title: '凭证' }),
        lineNo: z.int().min(1).meta({ title: '行' }),
      })
      .optional()
      .meta({ title: '翻页位置' }),
  }),
  reply: z.object({
    subject: z.object({ code: z.string(), name: z.string(), direction: Direction }),
    /** On the subject's own side: − where the balance is on the other one. */
    opening: Money,
    debit: Money,
    credit: Money,
    closing: Money,
    /** How many entries there are on all pages. */
    count: z.int(),
    lines: z.array(LedgerLine),
    /** Where the next page begins; null on the last one. */
    next: z.object({ day: Day, voucherId: Id, lineNo: z.int() }).nullable(),
  }),
});

export const GeneralLine = z.object({
  id: z.string().meta({ hidden: true }),
  code: z.string().meta({ title: '科目编码', kind: 'code', width: 110 }),
  name: z.string().meta({ title: '科目名称', width: 220 }),
  month: z.string().meta({ title: '期间', width: 90 }),
  summary: z.string().meta({ title: '摘要', width: 100 }),
  debit: Money.nullable().meta({ title: '借方金额', currency: 'CNY', width: 140 }),
  credit: Money.nullable().meta({ title: '贷方金额', currency: 'CNY', width: 140 }),
  side: z.string().meta({ title: '方向', width: 60 }),
  balance: Money.meta({ title: '余额', currency: 'CNY', width: 150 }),
  subjectId: Id,
});
export type GeneralLine = z.infer<typeof GeneralLine>;

/** 总账: subjects between two codes, each with its opening, and by month its turnover, the year so far and the balance. */
export const generalLedger = endpoint({
  title: '总账',
  method: 'POST',
  path: `${base}/ledger/general`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    from: Month.meta({ title: '起始月份', kind: 'month' }),
    to: Month.meta({ title: '截止月份', kind: 'month' }),
    /** Codes; a subject counts with all below it. */
    first: z.string().max(8).default('').meta({ title: '起始科目' }),
    last: z.string().max(8).default('').meta({ title: '截止科目' }),
    level: z.int().min(1).max(LEVELS).default(1).meta({ title: '科目级次' }),
    page: z.int().min(1).default(1).meta({ title: '页码' }),
    /** Subjects of a page. */
    size: z.int().min(1).max(100).default(DEFAULT_PAGE_SIZE).meta({ title: '每页条数' }),
  }),
  reply: z.object({
    lines: z.array(GeneralLine),
    /** Subjects on all pages. */
    total: z.int(),
  }),
});
