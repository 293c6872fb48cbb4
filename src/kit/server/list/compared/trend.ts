import { type RawBuilder, sql } from 'kysely';
import { type ComparedTrend, lengthOf, type Period } from '../../../contract/compare.ts';
import { dayAfter } from '../../../contract/day.ts';
import type { Ctx } from '../../context.ts';
import { hiddenFields } from '../page.ts';
import type { ComparedFilter, ComparedList, Figures } from './def.ts';
import { either, type Periods, periodsOf } from './periods.ts';
import { divided } from './totals.ts';

/** Days, or first days of months, of a period. */
function stepsOf({ from, to }: Period, step: 'day' | 'month'): string[] {
  const days = Array.from({ length: lengthOf({ from, to }) }, (_, index) => dayAfter(from, index));
  return step === 'day' ? days : days.filter((day) => day.endsWith('-01'));
}

/** Each measure of each fact by day. */
function pointsOf(list: ComparedList, periods: Periods): RawBuilder<unknown> {
  if (list.points) return list.points(periods);
  const measures = Object.entries(list.measures).map(([name, { of }]) => sql`${sql.raw(of)} AS ${sql.ref(name)}`);
  return sql`SELECT f.day, f.currency, ${sql.join(measures)} FROM (${list.facts}) AS f WHERE ${either(periods)}`;
}

type Point = { day: string; currency: string; other: string } & Figures;

async function sumsByDay(ctx: Ctx, list: ComparedList, periods: Periods): Promise<Point[]> {
  const sums = Object.entries(list.measures).map(
    ([name, { kind }]) => `sum("${name}")${kind === 'integer' ? '::bigint' : ''} AS "${name}"`,
  );
  const { rows } = await sql<Point>`
    SELECT day, min(currency) AS currency, max(currency) AS other, ${sql.raw(sums.join(', '))}
      FROM (${pointsOf(list, periods)}) AS p GROUP BY day`.execute(ctx.db);
  return rows;
}

/** Both periods point by point, at the same places. Amounts are there where all are of one currency. */
export async function comparedTrend(ctx: Ctx, filter: ComparedFilter, list: ComparedList): Promise<ComparedTrend> {
  const periods = periodsOf(ctx, filter, list.step);
  const { measures, ratios = {} } = list;
  const rows = await sumsByDay(ctx, list, periods);
  const currencies = new Set(rows.flatMap(({ currency, other }) => [currency, other]));
  const [only = null] = currencies.size === 1 ? currencies : [];
  const hidden = new Set(hiddenFields(ctx, list.row));
  const charted = list.charted.filter((name) => !hidden.has(name));
  const { rows: toldDays } = await sql<{ day: string }>`
    SELECT DISTINCT d.day FROM (${list.told}) AS d WHERE ${either(periods, 'd.day')}`.execute(ctx.db);
  const known = new Set(toldDays.map(({ day }) => day));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const figures = (day: string | undefined): Figures =>
    Object.fromEntries(
      charted.map((name) => {
        const parts = ratios[name];
        if (day === undefined || !known.has(day)) return [name, null];
        const row = byDay.get(day);
        if (!row) return [name, parts ? null : 0];
        if (parts) return [name, divided(row[parts[0]], row[parts[1]])];
        return [name, measures[name]?.kind === 'money' && only === null ? null : (row[name] ?? null)];
      }),
    );
  const [days, daysBefore] = [stepsOf(periods.now, list.step), stepsOf(periods.before, list.step)];
  const points = Array.from({ length: Math.max(days.length, daysBefore.length) }, (_, index) => ({
    day: days[index] ?? null,
    dayBefore: daysBefore[index] ?? null,
    now: figures(days[index]),
    before: figures(daysBefore[index]),
  }));
  const told = (of: readonly string[]): number => of.filter((day) => known.has(day)).length;
  return {
    period: periods.now,
    before: periods.before,
    told: { now: told(days), before: told(daysBefore) },
    currency: only,
    points,
  };
}
