import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { firstDay, laterOf, monthAfter } from '../contract/fields.ts';
import type { GeneralLine, generalLedger } from '../contract/ledger.ts';
import { startOf } from './book.ts';
import { requireMonths } from './ledger.ts';
import { allSubjects, type Subject } from './subjects.ts';
import { sideOf } from './trial.ts';

interface Turnover {
  id: string;
  month: string;
  debit: string;
  credit: string;
}

/** Turnover of leaves by month "yyyy-MM" up to one, CNY. */
async function turnoverOf(ctx: Ctx, ids: readonly string[], to: string): Promise<Turnover[]> {
  const { rows } = await sql<Turnover>`
    SELECT subject_id AS id, to_char(month, 'YYYY-MM') AS month, debit::text AS debit, credit::text AS credit
      FROM accounting.balance
     WHERE company_id = ${ctx.companyId} AND month <= ${firstDay(to)}::date AND subject_id = ANY (${ids}::uuid[])`.execute(
    ctx.db,
  );
  return rows;
}

const within = (rows: readonly Turnover[], from: string, to: string) =>
  rows
    .filter(({ month }) => month >= from && month <= to)
    .reduce((sum, { debit, credit }) => ({ debit: sum.debit.plus(debit), credit: sum.credit.plus(credit) }), {
      debit: new Decimal(0),
      credit: new Decimal(0),
    });

/** The lines of one subject: its opening, and two for every month. */
function linesOf(subject: Subject, rows: readonly Turnover[], months: readonly string[], start: string): GeneralLine[] {
  const { id, code, path } = subject;
  const line = (month: string, summary: string, balance: Decimal, sums?: { debit: Decimal; credit: Decimal }) => ({
    id: `${id} ${month} ${summary}`,
    subjectId: id,
    code,
    name: path,
    month,
    summary,
    debit: sums ? round(sums.debit, 2) : null,
    credit: sums ? round(sums.credit, 2) : null,
    side: sideOf(balance),
    balance: round(balance.abs(), 2),
  });
  const standing = (to: string) => {
    const { debit, credit } = within(rows, '', to);
    return debit.minus(credit);
  };
  const [first = start] = months;
  return [
    line(first, '期初余额', standing(monthAfter(first, -1))),
    ...months.flatMap((month) => [
      line(month, '本期合计', standing(month), within(rows, month, month)),
      line(month, '本年累计', standing(month), within(rows, laterOf(`${month.slice(0, 4)}-01`, start), month)),
    ]),
  ];
}

/**
 * 总账: a page of the subjects up to a level that have ever held anything, from the cached months alone.
 * @throws refused B2714 for months in the wrong order, conflict where there are no books
 */
export async function generalOf(
  ctx: Ctx,
  asked: z.output<typeof generalLedger.body>,
): Promise<z.output<typeof generalLedger.reply>> {
  requireMonths(asked);
  const start = await startOf(ctx);
  const subjects = await allSubjects(ctx);
  const inRange = ({ code }: Subject) =>
    code >= asked.first && (asked.last === '' || code <= asked.last || code.startsWith(asked.last));
  const wanted = subjects.filter((subject) => inRange(subject) && subject.code.length / 2 - 1 <= asked.level);
  const leaves = subjects.filter(({ leaf, code }) => leaf && wanted.some((above) => code.startsWith(above.code)));
  const rows = await turnoverOf(
    ctx,
    leaves.map(({ id }) => id),
    asked.to,
  );
  const byLeaf = Map.groupBy(rows, ({ id }) => id);
  const below = (code: string) =>
    leaves.filter((leaf) => leaf.code.startsWith(code)).flatMap(({ id }) => byLeaf.get(id) ?? []);
  const used = wanted.map((subject) => ({ subject, rows: below(subject.code) })).filter((each) => each.rows.length > 0);
  const first = laterOf(asked.from, start);
  const months: string[] = [];
  for (let month = first; month <= asked.to; month = monthAfter(month, 1)) months.push(month);
  const page = used.slice((asked.page - 1) * asked.size, asked.page * asked.size);
  return {
    total: used.length,
    lines: page.flatMap((each) => linesOf(each.subject, each.rows, months, start)),
  };
}
