import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { firstDay, laterOf } from '../contract/fields.ts';
import { startOf } from './book.ts';
import type { Amounts } from './trial.ts';

/** The first month of the year of `month` that the books have, "yyyy-MM". @throws conflict where there are no books */
export async function sinceOf(ctx: Ctx, month: string): Promise<string> {
  return laterOf(`${month.slice(0, 4)}-01`, await startOf(ctx));
}

/**
 * Sums of the leaves by subject in CNY: before `from`, of the months asked for, and of the year of `to`; from the cached
 * months alone.
 * @throws conflict where there are no books
 */
export async function leavesOf(ctx: Ctx, from: string, to: string): Promise<Map<string, Amounts>> {
  const first = laterOf(from, await startOf(ctx));
  const since = await sinceOf(ctx, to);
  const { rows } = await sql<Amounts & { id: string }>`
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
