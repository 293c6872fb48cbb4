import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Money } from '#kit/contract/field.ts';
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

/** Lines that one answer holds; more are told by `cut`. */
export const MOST_LINES = 500;

/** 明细账: entries of a subject and of all below it between two months, with the balance after each. */
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
  }),
  reply: z.object({
    subject: z.object({ code: z.string(), name: z.string(), direction: Direction }),
    /** On the subject's own side: − where the balance is on the other one. */
    opening: Money,
    debit: Money,
    credit: Money,
    closing: Money,
    lines: z.array(LedgerLine),
    /** Some entries are left out, the last ones. */
    cut: z.boolean(),
  }),
});
