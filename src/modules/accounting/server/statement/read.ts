import { sql } from 'kysely';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { firstDay, monthAfter } from '../../contract/fields.ts';
import type { readStatement, StatementAsked, StatementLine } from '../../contract/statements.ts';
import { PROFIT, TRANSFER } from '../closing.ts';
import { allSubjects, type Subject } from '../subjects.ts';
import { leavesOf, sinceOf } from '../sums.ts';
import { NOTHING } from '../trial.ts';
import { ASSETS, BALANCE_SHEET, SOURCES } from './balance-sheet.ts';
import { cashOf } from './cash.ts';
import { filled, type Held, taken, unmappedOf } from './fill.ts';
import { INCOME, NET_PROFIT } from './income.ts';

type Read = Reply<typeof readStatement>;
type Proven = Read['proofs'][number];

/** Subjects that take entries, or once took some. */
const leavesIn = (subjects: readonly Subject[]) => subjects.filter(({ leaf }) => leaf);

const named = (subjects: readonly Subject[]): Read['unmapped'] =>
  subjects.map(({ id, code, path }) => ({ id, code, name: path }));

/** The amounts of one line. */
const at = (lines: readonly StatementLine[], no: number, key: 'first' | 'second'): string =>
  lines.find((line) => line.no === String(no))?.[key] ?? '0';

/** 资产负债表: what stands at the end of the month, and stood when the year began. */
async function balanceSheet(ctx: Ctx, month: string): Promise<Omit<Read, 'since'>> {
  const sums = await leavesOf(ctx, month, month);
  const held = leavesIn(await allSubjects(ctx)).map((subject): Held => {
    const { opening, debit, credit, yearDebit, yearCredit } = sums.get(subject.id) ?? NOTHING;
    const first = new Decimal(opening).plus(debit).minus(credit);
    return { subject, first, second: first.minus(yearDebit).plus(yearCredit) };
  });
  const lines = filled(BALANCE_SHEET, (def) => taken(def, held));
  const proof = (key: 'first' | 'second', when: string): Proven => ({
    text: `${when}资产等于负债加权益`,
    off: `${when}资产不等于负债加权益`,
    one: at(lines, ASSETS, key),
    other: at(lines, SOURCES, key),
  });
  return {
    lines,
    proofs: [proof('first', '期末'), proof('second', '年初')],
    unmapped: named(unmappedOf(BALANCE_SHEET, held)),
  };
}

/**
 * Turnover of leaves by vouchers that carry profit and loss to 本年利润, debits less credits since `since` and of `month`:
 * those that closing wrote, what took them back, and whatever people book on 本年利润 themselves.
 */
async function carried(ctx: Ctx, subjects: readonly Subject[], since: string, month: string) {
  const profit = leavesIn(subjects).filter(({ code }) => code.startsWith(PROFIT));
  const [from, to] = [firstDay(since), firstDay(monthAfter(month, 1))];
  const { rows } = await sql<{ id: string; first: string; second: string }>`
    WITH gone AS MATERIALIZED (
      SELECT v.id FROM accounting.voucher AS v
        LEFT JOIN accounting.voucher AS o ON o.company_id = v.company_id AND o.id = v.reversal_of
       WHERE v.company_id = ${ctx.companyId} AND v.type = 'TRANSFER' AND v.month >= ${from}::date AND v.month < ${to}::date
         AND (v.source = ${TRANSFER} OR o.source = ${TRANSFER})
      UNION
      SELECT voucher_id FROM accounting.entry
       WHERE company_id = ${ctx.companyId} AND subject_id = ANY (${profit.map(({ id }) => id)}::uuid[])
         AND ledger_day >= ${from}::date AND ledger_day < ${to}::date
    )
    SELECT e.subject_id AS id, sum(e.debit - e.credit)::text AS first,
           coalesce(sum(e.debit - e.credit) FILTER (WHERE e.ledger_day >= ${firstDay(month)}::date), 0)::text AS second
      FROM gone JOIN accounting.entry AS e ON e.company_id = ${ctx.companyId} AND e.voucher_id = gone.id
     WHERE e.ledger_day IS NOT NULL GROUP BY e.subject_id`.execute(ctx.db);
  return new Map(rows.map(({ id, ...amounts }) => [id, amounts]));
}

/** 利润表: turnover of the year so far and of the month, before it is carried to 本年利润. */
async function income(ctx: Ctx, since: string, month: string): Promise<Omit<Read, 'since'>> {
  const sums = await leavesOf(ctx, month, month);
  const subjects = await allSubjects(ctx);
  const gone = await carried(ctx, subjects, since, month);
  const held = leavesIn(subjects)
    .filter(({ kind }) => kind === 'PROFIT')
    .map((subject): Held => {
      const { debit, credit, yearDebit, yearCredit } = sums.get(subject.id) ?? NOTHING;
      const off = gone.get(subject.id);
      return {
        subject,
        first: new Decimal(yearDebit).minus(yearCredit).minus(off?.first ?? 0),
        second: new Decimal(debit).minus(credit).minus(off?.second ?? 0),
      };
    });
  const lines = filled(INCOME, (def) => taken(def, held));
  const proof = (key: 'first' | 'second', when: string): Proven => ({
    text: `${when}净利润与损益科目一致`,
    off: `${when}净利润与损益科目不一致`,
    one: at(lines, NET_PROFIT, key),
    other: round(sum(held.map((each) => each[key].negated().toFixed())), 2),
  });
  return {
    lines,
    proofs: [proof('first', '本年'), proof('second', '本月')],
    unmapped: named(unmappedOf(INCOME, held)),
  };
}

/**
 * A statement of a month, amounts in CNY.
 * @throws refused B2718 for a month before the books begin; conflict where there are none
 */
export async function statementOf(ctx: Ctx, { statement, month }: StatementAsked): Promise<Read> {
  const since = await sinceOf(ctx, month);
  if (month < since) throw refused(`账套从 ${since} 启用，没有更早的报表`, 'B2718');
  const made = {
    balance: () => balanceSheet(ctx, month),
    income: () => income(ctx, since, month),
    cash: () => cashOf(ctx, since, month),
  };
  return { since, ...(await made[statement]()) };
}
