import { sql } from 'kysely';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { firstDay, monthAfter } from '../../contract/fields.ts';
import type { readStatement, StatementPart } from '../../contract/statements.ts';
import { allSubjects, type Subject } from '../subjects.ts';
import { leavesOf } from '../sums.ts';
import { NOTHING } from '../trial.ts';
import { CASH, CASH_FLOW, CLOSING, isPaid, lineOf, OPENING, UNTOLD } from './cash-flow.ts';
import { filled, partOf } from './fill.ts';

type Read = Reply<typeof readStatement>;

interface Moved {
  id: string;
  received: string;
  paid: string;
  monthReceived: string;
  monthPaid: string;
}

/**
 * Entries opposite to cash by subject, CNY: since `since` and of `month`. In a voucher with cash all other entries together
 * are what cash changed by, so that each of them is taken whole and nothing has to be shared out.
 */
async function movedOf(ctx: Ctx, cash: readonly string[], since: string, month: string): Promise<Moved[]> {
  const { rows } = await sql<Moved>`
    WITH touched AS MATERIALIZED (
      SELECT DISTINCT voucher_id AS id FROM accounting.entry
       WHERE company_id = ${ctx.companyId} AND subject_id = ANY (${cash}::uuid[])
         AND ledger_day >= ${firstDay(since)}::date AND ledger_day < ${firstDay(monthAfter(month, 1))}::date
    )
    SELECT e.subject_id AS id, sum(e.credit)::text AS received, sum(e.debit)::text AS paid,
           coalesce(sum(e.credit) FILTER (WHERE e.ledger_day >= ${firstDay(month)}::date), 0)::text AS "monthReceived",
           coalesce(sum(e.debit) FILTER (WHERE e.ledger_day >= ${firstDay(month)}::date), 0)::text AS "monthPaid"
      FROM touched JOIN accounting.entry AS e ON e.company_id = ${ctx.companyId} AND e.voucher_id = touched.id
     WHERE e.subject_id <> ALL (${cash}::uuid[])
     GROUP BY e.subject_id`.execute(ctx.db);
  return rows;
}

/** Parts by the number of their line; amounts of what is paid are what was paid. */
function partsOf(moved: readonly Moved[], subjects: ReadonlyMap<string, Subject>): Map<number, StatementPart[]> {
  const flows = moved.flatMap(({ id, ...amounts }) => {
    const subject = subjects.get(id);
    if (!subject) return [];
    return [
      {
        no: lineOf(subject.code, 'received'),
        subject,
        first: amounts.received,
        second: amounts.monthReceived,
        sign: 1,
      },
      { no: lineOf(subject.code, 'paid'), subject, first: amounts.paid, second: amounts.monthPaid, sign: -1 },
    ];
  });
  const parts = new Map<number, StatementPart[]>();
  // A subject whose both sides belong to one line is one part of it.
  for (const same of Map.groupBy(flows, ({ no, subject }) => `${no} ${subject.id}`).values()) {
    const [one] = same;
    if (!one) continue;
    const total = (key: 'first' | 'second') =>
      new Decimal(sum(same.map((flow) => new Decimal(flow[key]).times(flow.sign).toFixed()))).times(
        isPaid(one.no) ? -1 : 1,
      );
    const part = partOf(one.subject, total('first'), total('second'));
    if (part) parts.set(one.no, [...(parts.get(one.no) ?? []), part]);
  }
  return parts;
}

/** 现金流量表 by the direct method: the year so far and the month, held against the balances of the cash subjects. */
export async function cashOf(ctx: Ctx, since: string, month: string): Promise<Omit<Read, 'since'>> {
  const sums = await leavesOf(ctx, month, month);
  const subjects = await allSubjects(ctx);
  const cash = subjects.filter(({ code, leaf }) => leaf && CASH.some((prefix) => code.startsWith(prefix)));
  const byId = new Map(subjects.map((subject) => [subject.id, subject]));
  const ids = cash.map(({ id }) => id);
  const parts = partsOf(await movedOf(ctx, ids, since, month), byId);
  const standing = cash.map((subject) => {
    const { opening, debit, credit, yearDebit, yearCredit } = sums.get(subject.id) ?? NOTHING;
    const closing = new Decimal(opening).plus(debit).minus(credit);
    return { subject, closing, first: closing.minus(yearDebit).plus(yearCredit), second: new Decimal(opening) };
  });
  parts.set(
    OPENING,
    standing.flatMap(({ subject, first, second }) => partOf(subject, first, second) ?? []),
  );
  const told = CASH_FLOW.filter(({ no }) => no !== UNTOLD || parts.has(UNTOLD));
  const lines = filled(told, ({ no }) => parts.get(no ?? -1) ?? []);
  const closing = lines.find(({ no }) => no === String(CLOSING));
  const stands = round(sum(standing.map((each) => each.closing.toFixed())), 2);
  const proof = (key: 'first' | 'second', when: string) => ({
    text: `${when}现金流量与现金科目一致`,
    off: `${when}现金流量与现金科目不一致`,
    one: closing?.[key] ?? '0',
    other: stands,
  });
  const untold = parts.get(UNTOLD) ?? [];
  return {
    lines,
    proofs: [proof('first', '本年'), proof('second', '本月')],
    unmapped: untold.flatMap(({ subjectId, code, name }) => (subjectId ? [{ id: subjectId, code, name }] : [])),
  };
}
