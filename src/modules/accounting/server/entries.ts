import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { firstDay, laterOf, monthAfter } from '../contract/fields.ts';
import { type LedgerLine, PAGE_LINES, type subjectLedger } from '../contract/ledger.ts';
import { startOf } from './book.ts';
import { requireMonths } from './ledger.ts';
import { allSubjects, type Subject } from './subjects.ts';
import { leavesOf } from './sums.ts';
import { NOTHING, rolledUp, sideOf } from './trial.ts';

type Asked = z.output<typeof subjectLedger.body>;

interface Entry {
  lineNo: number;
  voucherId: string;
  day: string;
  number: string;
  summary: string;
  subjectId: string;
  debit: string;
  credit: string;
}

/** Which entries are of these leaves; those of one alone come out of its index in their order. */
const ofLeaves = (ids: readonly string[]) =>
  ids.length === 1 ? sql`subject_id = ${ids[0]}::uuid` : sql`subject_id = ANY (${ids}::uuid[])`;

/** The entries of leaves from a day (of a page: behind its mark) until before another one, one more than a page has. */
async function entriesOf(ctx: Ctx, ids: readonly string[], from: string, to: string, after: Asked['after']) {
  const behind = after
    ? sql`AND e.ledger_day >= ${after.day}::date
          AND (e.ledger_day, e.voucher_id, e.line_no) > (${after.day}::date, ${after.voucherId}::uuid, ${after.lineNo}::int)`
    : sql``;
  const { rows } = await sql<Entry>`
    SELECT e.line_no AS "lineNo", e.voucher_id AS "voucherId", e.ledger_day AS day, v.number, e.summary,
           e.subject_id AS "subjectId", e.debit::text AS debit, e.credit::text AS credit
      FROM accounting.entry AS e
      JOIN accounting.voucher AS v ON v.company_id = e.company_id AND v.id = e.voucher_id
     WHERE e.company_id = ${ctx.companyId} AND e.${ofLeaves(ids)}
       AND e.ledger_day >= ${from}::date AND e.ledger_day < ${to}::date ${behind}
     ORDER BY e.ledger_day, e.voucher_id, e.line_no LIMIT ${PAGE_LINES + 1}::int`.execute(ctx.db);
  return rows;
}

/** How many entries leaves have from a day until before another one, and what they came to up to a mark: debits less credits. */
async function passedOf(ctx: Ctx, ids: readonly string[], from: string, to: string, after: Asked['after']) {
  const passed = after
    ? sql`coalesce(sum(debit - credit) FILTER (
            WHERE (ledger_day, voucher_id, line_no) <= (${after.day}::date, ${after.voucherId}::uuid, ${after.lineNo}::int)), 0)`
    : sql`0`;
  const { rows } = await sql<{ count: number; passed: string }>`
    SELECT count(*)::int AS count, (${passed})::text AS passed FROM accounting.entry
     WHERE company_id = ${ctx.companyId} AND ${ofLeaves(ids)}
       AND ledger_day >= ${from}::date AND ledger_day < ${to}::date`.execute(ctx.db);
  return rows[0] ?? { count: 0, passed: '0' };
}

const shown = (amount: string) => (new Decimal(amount).isZero() ? null : amount);

interface Begun {
  /** Debits less credits before the first entry. */
  balance: string;
  day: string;
  summary: string;
}

/** Lines with the balance after each. */
function linesOf(entries: readonly Entry[], names: ReadonlyMap<string, Subject>, begun: Begun): LedgerLine[] {
  let balance = new Decimal(begun.balance);
  const stands = () => ({ side: sideOf(balance), balance: round(balance.abs(), 2) });
  const { day, summary } = begun;
  const empty = { number: '', subject: '', debit: null, credit: null, voucherId: null };
  const first: LedgerLine = { id: 'opening', day, summary, ...empty, ...stands() };
  return [
    first,
    ...entries.map(({ lineNo, subjectId, debit, credit, ...entry }) => {
      balance = balance.plus(debit).minus(credit);
      return {
        ...entry,
        id: `${entry.voucherId}-${lineNo}`,
        subject: names.get(subjectId)?.path ?? '',
        debit: shown(debit),
        credit: shown(credit),
        ...stands(),
      };
    }),
  ];
}

/**
 * A page of 明细账 of a subject and all below it; sums of the months come from the cached balances.
 * @throws notFound, refused B2714 for months in the wrong order, conflict where there are no books
 */
export async function detailOf(ctx: Ctx, asked: Asked): Promise<z.output<typeof subjectLedger.reply>> {
  requireMonths(asked);
  const start = await startOf(ctx);
  const subjects = await allSubjects(ctx);
  const subject = subjects.find(({ id }) => id === asked.subjectId);
  if (!subject) throw notFound();
  const below = subjects.filter(({ code, leaf }) => leaf && code.startsWith(subject.code));
  const { opening, debit, credit } =
    rolledUp(subjects, await leavesOf(ctx, asked.from, asked.to)).get(subject.code) ?? NOTHING;
  const [from, to] = [firstDay(laterOf(asked.from, start)), firstDay(monthAfter(asked.to, 1))];
  const ids = below.map(({ id }) => id);
  const entries = await entriesOf(ctx, ids, from, to, asked.after);
  const { count, passed } = await passedOf(ctx, ids, from, to, asked.after);
  const last = entries[PAGE_LINES - 1];
  const own = (amount: Decimal) => round(subject.direction === 'DEBIT' ? amount : amount.negated(), 2);
  const begun = {
    balance: new Decimal(opening).plus(passed).toFixed(),
    ...(asked.after ? { day: asked.after.day, summary: '承前页' } : { day: from, summary: '期初余额' }),
  };
  return {
    subject: { code: subject.code, name: subject.path, direction: subject.direction },
    opening: own(new Decimal(opening)),
    debit: round(debit, 2),
    credit: round(credit, 2),
    closing: own(new Decimal(opening).plus(debit).minus(credit)),
    count,
    lines: linesOf(entries.slice(0, PAGE_LINES), new Map(below.map((each) => [each.id, each])), begun),
    next:
      entries.length > PAGE_LINES && last ? { day: last.day, voucherId: last.voucherId, lineNo: last.lineNo } : null,
  };
}
