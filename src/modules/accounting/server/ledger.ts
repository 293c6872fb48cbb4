import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { firstDay, laterOf, monthAfter } from '../contract/fields.ts';
import { type LedgerLine, MOST_LINES, type subjectLedger, type trialBalance } from '../contract/ledger.ts';
import { startOf } from './book.ts';
import { allSubjects, type Subject } from './subjects.ts';
import { type Amounts, NOTHING, rolledUp, rowOf, totalsOf } from './trial.ts';

type Asked = z.output<typeof trialBalance.body>;

/** Sums of the leaves by subject: before `from`, of the months asked for, and of the year of `to`; from the cached months alone. */
async function leavesOf(ctx: Ctx, from: string, to: string): Promise<Map<string, Amounts>> {
  const start = await startOf(ctx);
  const first = laterOf(from, start);
  const year = `${to.slice(0, 4)}-01`;
  const since = laterOf(year, start);
  const { rows } = await sql<{
    id: string;
    opening: string;
    debit: string;
    credit: string;
    yearDebit: string;
    yearCredit: string;
  }>`
    SELECT subject_id AS id,
           coalesce(sum(debit - credit) FILTER (WHERE month < ${firstDay(first)}::date), 0)::text AS opening,
           coalesce(sum(debit) FILTER (WHERE month >= ${firstDay(first)}::date), 0)::text AS debit,
           coalesce(sum(credit) FILTER (WHERE month >= ${firstDay(first)}::date), 0)::text AS credit,
           coalesce(sum(debit) FILTER (WHERE month >= ${firstDay(since)}::date), 0)::text AS "yearDebit",
           coalesce(sum(credit) FILTER (WHERE month >= ${firstDay(since)}::date), 0)::text AS "yearCredit"
      FROM accounting.balance WHERE company_id = ${ctx.companyId} AND month <= ${firstDay(to)}::date
     GROUP BY subject_id`.execute(ctx.db);
  return new Map(rows.map(({ id, ...amounts }) => [id, amounts]));
}

/** @throws refused B2714 where the months are in the wrong order */
function requireMonths({ from, to }: { from: string; to: string }): void {
  if (from > to) throw refused('截止月份不能早于起始月份', 'B2714');
}

/** 科目余额表. @throws refused B2714 for months in the wrong order, conflict where there are no books */
export async function trialOf(ctx: Ctx, asked: Asked): Promise<z.output<typeof trialBalance.reply>> {
  requireMonths(asked);
  const leaves = await leavesOf(ctx, asked.from, asked.to);
  const subjects = await allSubjects(ctx);
  const sums = rolledUp(subjects, leaves);
  const rows = subjects.map((subject) => rowOf(subject, sums.get(subject.code) ?? NOTHING));
  const moves = (amounts: Amounts) => Object.values(amounts).some((amount) => !new Decimal(amount).isZero());
  const shown = subjects.map(({ code }) => !asked.moved || moves(sums.get(code) ?? NOTHING));
  return {
    rows: rows.filter((row, at) => row.level <= asked.level && shown[at]),
    totals: totalsOf(rows.filter(({ level }) => level === 1)),
  };
}

interface Entry {
  id: string;
  voucherId: string;
  day: string;
  number: string;
  summary: string;
  subjectId: string;
  debit: string;
  credit: string;
}

async function entriesOf(ctx: Ctx, ids: readonly string[], from: string, to: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    SELECT e.voucher_id || '-' || e.line_no AS id, e.voucher_id AS "voucherId", e.ledger_day AS day, v.number, e.summary,
           e.subject_id AS "subjectId", e.debit::text AS debit, e.credit::text AS credit
      FROM accounting.entry AS e
      JOIN accounting.voucher AS v ON v.company_id = e.company_id AND v.id = e.voucher_id
     WHERE e.company_id = ${ctx.companyId} AND e.subject_id = ANY (${ids}::uuid[])
       AND e.ledger_day >= ${from}::date AND e.ledger_day < ${to}::date
     ORDER BY e.ledger_day, e.voucher_id, e.line_no LIMIT ${MOST_LINES + 1}::int`.execute(ctx.db);
  return rows;
}

const side = (balance: Decimal) => (balance.isZero() ? '平' : balance.gt(0) ? '借' : '贷');
const shown = (amount: string) => (new Decimal(amount).isZero() ? null : amount);

/** Lines with the balance after each, which begins with `opening` (debits less credits). */
function linesOf(
  entries: readonly Entry[],
  names: ReadonlyMap<string, Subject>,
  opening: string,
  from: string,
): LedgerLine[] {
  let balance = new Decimal(opening);
  const first: LedgerLine = {
    id: 'opening',
    day: from,
    number: '',
    summary: '期初余额',
    subject: '',
    debit: null,
    credit: null,
    side: side(balance),
    balance: round(balance.abs(), 2),
    voucherId: null,
  };
  return [
    first,
    ...entries.map(({ id, day, number, summary, subjectId, debit, credit, voucherId }) => {
      balance = balance.plus(debit).minus(credit);
      const subject = names.get(subjectId)?.path ?? '';
      const after = { side: side(balance), balance: round(balance.abs(), 2) };
      return { id, day, number, summary, subject, debit: shown(debit), credit: shown(credit), voucherId, ...after };
    }),
  ];
}

/**
 * 明细账 of a subject and all below it; amounts of the months come from the cached balances.
 * @throws notFound, refused B2714 for months in the wrong order, conflict where there are no books
 */
export async function detailOf(
  ctx: Ctx,
  asked: z.output<typeof subjectLedger.body>,
): Promise<z.output<typeof subjectLedger.reply>> {
  requireMonths(asked);
  const start = await startOf(ctx);
  const subjects = await allSubjects(ctx);
  const subject = subjects.find(({ id }) => id === asked.subjectId);
  if (!subject) throw notFound();
  const below = subjects.filter(({ code, leaf }) => leaf && code.startsWith(subject.code));
  const { opening, debit, credit } =
    rolledUp(subjects, await leavesOf(ctx, asked.from, asked.to)).get(subject.code) ?? NOTHING;
  const from = firstDay(laterOf(asked.from, start));
  const ids = below.map(({ id }) => id);
  const entries = await entriesOf(ctx, ids, from, firstDay(monthAfter(asked.to, 1)));
  const own = (amount: Decimal) => round(subject.direction === 'DEBIT' ? amount : amount.negated(), 2);
  return {
    subject: { code: subject.code, name: subject.path, direction: subject.direction },
    opening: own(new Decimal(opening)),
    debit: round(debit, 2),
    credit: round(credit, 2),
    closing: own(new Decimal(opening).plus(debit).minus(credit)),
    lines: linesOf(entries.slice(0, MOST_LINES), new Map(below.map((each) => [each.id, each])), opening, from),
    cut: entries.length > MOST_LINES,
  };
}
