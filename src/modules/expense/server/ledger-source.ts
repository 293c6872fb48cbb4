import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { LedgerFact, LedgerPart, LedgerSource } from '#kit/server/ledger-source.ts';
import { feeTypes } from '#modules/costshare/server/index.ts';
import { expenseDocument } from '../contract/document.ts';
import { byType, spread } from './spread.ts';

/** Subjects of the usual types of expenses. */
const BY_TYPE: Readonly<Record<string, string>> = { 测评: '560109', 站外推广: '560104' };

interface Spent {
  id: string;
  number: string;
  spentOn: string;
  months: number;
  currency: string;
  amount: string;
  amountCny: string;
  lines: { feeType: string; amount: string }[];
}

/** Approved expenses that a month has a part of, those of its own days and those that were spread into it. */
async function spentIn(ctx: Ctx, month: string): Promise<Spent[]> {
  const { rows } = await sql<Spent>`
    SELECT d.id, d.number, d.spent_on::text AS "spentOn", d.months, d.currency, d.amount::text AS amount, d.amount_cny::text AS "amountCny",
           (SELECT jsonb_agg(jsonb_build_object('feeType', l.fee_type, 'amount', l.amount::text) ORDER BY l.line_no)
              FROM expense.line AS l WHERE l.company_id = d.company_id AND l.document_id = d.id) AS lines
      FROM expense.document AS d
     WHERE d.company_id = ${ctx.companyId} AND d.state IN ('approved', 'paid') AND d.amount_cny IS NOT NULL
       AND d.spent_on < (${month}::date + interval '1 month')::date
       AND date_trunc('month', d.spent_on) + make_interval(months => d.months) > ${month}::date
     ORDER BY d.spent_on, d.id`.execute(ctx.db);
  return rows;
}

const part = (name: string, amount: string, variant?: string): LedgerPart => ({
  part: name,
  ...(variant === undefined ? {} : { variant }),
  currency: 'CNY',
  amount,
});
const minus = (amount: string) => new Decimal(amount).negated().toFixed();

/** What an expense is in a month: the debt on its day, and the month's share of what is spread over several. */
function factsOf(doc: Spent, month: string): LedgerFact[] {
  const cells = spread({ ...doc, lines: byType(doc.lines), shares: [doc.amountCny] });
  const costs = (sign: (amount: string) => string, of = cells) =>
    of.map(({ feeType, amount }) => part('COST', sign(amount), feeType));
  const own = cells.filter((cell) => cell.month === month.slice(0, 7));
  const document = { type: expenseDocument.name, id: doc.id };
  const facts: LedgerFact[] = [];
  if (doc.spentOn.startsWith(month.slice(0, 7))) {
    const debit = doc.months === 1 ? costs((amount) => amount) : [part('DEFERRED', doc.amountCny)];
    facts.push({
      ref: doc.id,
      day: doc.spentOn,
      number: doc.number,
      document,
      parts: [...debit, { part: 'DUE', currency: doc.currency, amount: minus(doc.amount), base: minus(doc.amountCny) }],
    });
  }
  if (doc.months > 1 && own.length > 0) {
    facts.push({
      ref: `${doc.id} ${month.slice(0, 7)}`,
      day: doc.spentOn.startsWith(month.slice(0, 7)) ? doc.spentOn : month,
      number: `${doc.number} 摊销`,
      document,
      parts: [...costs((amount) => amount, own), ...own.map(({ amount }) => part('DEFERRED', minus(amount)))],
    });
  }
  return facts;
}

/** Approved expenses as the general ledger books them, at the rate of their day; finance books what is paid for them. */
export const expenseSource: LedgerSource = {
  name: 'expense',
  title: '费用单',
  about: '审核通过的费用：费用或待摊费用 对 其他应付款；跨月的按月摊销；付款在「资金与往来」结清其他应付款',
  sort: 40,
  by: 'DOCUMENT',
  parts: {
    COST: { title: '费用', subject: '560206' },
    DEFERRED: { title: '待摊费用', subject: '1801', exact: true },
    DUE: { title: '应付费用', subject: '2241', monetary: true, exact: true },
  },
  variants: async (ctx) => ({
    COST: (await feeTypes(ctx)).map(({ name }) => ({ key: name, title: name, subject: BY_TYPE[name] ?? '' })),
  }),
  facts: async (ctx, month) => (await spentIn(ctx, month)).flatMap((doc) => factsOf(doc, month)),
};
