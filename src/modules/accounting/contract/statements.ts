import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Money } from '#kit/contract/field.ts';
import { base, Month, VIEW } from './fields.ts';

/** 财务报表 of the 小企业会计准则. */
export const STATEMENTS = { balance: '资产负债表', income: '利润表', cash: '现金流量表' } as const;
export type Statement = keyof typeof STATEMENTS;

/** What the two amounts of a line are, by statement. */
export const AMOUNTS = {
  balance: ['期末余额', '年初余额'],
  income: ['本年累计金额', '本月金额'],
  cash: ['本年累计金额', '本月金额'],
} as const satisfies Record<Statement, readonly [first: string, second: string]>;

const Amount = (title: string) => Money.nullable().meta({ title, currency: 'CNY', width: 150 });
const amountsOf = ([first, second]: readonly [string, string]) => ({ first: Amount(first), second: Amount(second) });

/** What an amount is made of: a subject, or another line where `subjectId` is null. CNY, with the sign that it has in the line. */
const Part = (titles: readonly [string, string]) =>
  z.object({
    code: z.string().meta({ title: '编码/行次', kind: 'code', width: 110 }),
    name: z.string().meta({ title: '名称', width: 260 }),
    ...amountsOf(titles),
    subjectId: Id.nullable(),
  });

const Line = (titles: readonly [string, string]) =>
  z.object({
    title: z.string().meta({ title: '项目', width: 320 }),
    no: z.string().meta({ title: '行次', kind: 'code', width: 60 }),
    ...amountsOf(titles),
    /** 0 for headings and totals. */
    indent: z.int().meta({ hidden: true }),
    /** Whether the line adds up others. */
    total: z.boolean().meta({ hidden: true }),
    /** Assets stand left, what they were paid from right; all other statements have a left side alone. */
    side: z.enum(['left', 'right']).meta({ hidden: true }),
    parts: z.array(Part(titles)),
  });

export const LINES = { balance: Line(AMOUNTS.balance), income: Line(AMOUNTS.income), cash: Line(AMOUNTS.cash) };
export const PARTS = { balance: Part(AMOUNTS.balance), income: Part(AMOUNTS.income), cash: Part(AMOUNTS.cash) };
export type StatementLine = z.infer<typeof LINES.balance>;
export type StatementPart = z.infer<typeof PARTS.balance>;

const Asked = z.object({
  statement: Choice(STATEMENTS, '报表'),
  month: Month.meta({ title: '月份' }),
});
export type StatementAsked = z.output<typeof Asked>;

/** Two sums that have to be equal, and what it means where they are not. */
const Proven = z.object({ text: z.string(), off: z.string(), one: Money, other: Money });

/** A statement of one month. An amount is null where the line is a heading. */
export const readStatement = endpoint({
  title: '财务报表',
  method: 'POST',
  path: `${base}/report/statement`,
  permission: VIEW,
  access: 'read',
  body: Asked,
  reply: z.object({
    /** First month of what is counted since the beginning of the year. */
    since: Month,
    lines: z.array(LINES.balance),
    proofs: z.array(Proven),
    /** Subjects with amounts that no line takes. */
    unmapped: z.array(z.object({ id: Id, code: z.string(), name: z.string() })),
  }),
});

export const exportStatement = endpoint({
  title: '导出财务报表',
  method: 'POST',
  path: `${base}/report/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: Asked,
  reply: z.unknown(),
});

export const printStatement = endpoint({
  title: '打印财务报表',
  method: 'POST',
  path: `${base}/report/print`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: Asked,
  reply: z.unknown(),
});
