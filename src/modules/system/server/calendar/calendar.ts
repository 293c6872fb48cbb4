import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { CalendarDay, DayKind } from '../../contract/holidays.ts';
import { PLATFORM } from '../../contract/shared.ts';
import { daysOfYear, isAnnounced, legalDay } from './legal.ts';

const RESOURCE = 'system.holiday';

interface DbDay {
  company_id: string;
  day: string;
  kind: string;
  name: string;
  by_hand: boolean;
}

/** Rows of the company and of the platform between two days, by day; the company's stand for both. */
async function written(ctx: Ctx, from: string, to: string): Promise<Map<string, DbDay>> {
  const rows = await ctx.db
    .selectFrom('system.holiday')
    .selectAll()
    .where('company_id', 'in', [ctx.companyId, PLATFORM])
    .where('day', '>=', from)
    .where('day', '<=', to)
    // The company's rows come last and stay.
    .orderBy(sql`company_id = ${ctx.companyId}`)
    .execute();
  return new Map(rows.map((row) => [row.day, row]));
}

function dayFrom(day: string, row: DbDay | undefined, companyId: string): CalendarDay {
  if (!row) return { ...legalDay(day), byHand: false };
  const byHand = row.by_hand && row.company_id === companyId;
  return { day, kind: row.kind as DayKind, name: row.name, byHand };
}

export function isWorked(kind: DayKind): boolean {
  return kind === 'work' || kind === 'makeup';
}

/** Kind of every day between two days, both included. */
export async function kindsBetween(ctx: Ctx, from: string, to: string): Promise<(day: string) => DayKind> {
  const rows = await written(ctx, from, to);
  return (day) => dayFrom(day, rows.get(day), ctx.companyId).kind;
}

/** The year as the company counts it. */
export async function yearOf(ctx: Ctx, year: number) {
  const rows = await written(ctx, `${year}-01-01`, `${year}-12-31`);
  const days = daysOfYear(year).map((day) => dayFrom(day, rows.get(day), ctx.companyId));
  return {
    year,
    generated: [...rows.values()].some((row) => row.company_id === ctx.companyId && !row.by_hand),
    announced: isAnnounced(year) || [...rows.values()].some((row) => row.company_id === PLATFORM),
    workdays: days.filter((each) => isWorked(each.kind)).length,
    days,
  };
}

/** Writes a year of the platform's calendar, or of the legal one, for the company; what was set by hand stays. */
export async function generate(ctx: Ctx, year: number, reset: boolean): Promise<{ days: number; kept: number }> {
  const [from, to] = [`${year}-01-01`, `${year}-12-31`];
  let old = ctx.db
    .deleteFrom('system.holiday')
    .where('company_id', '=', ctx.companyId)
    .where('day', '>=', from)
    .where('day', '<=', to);
  if (!reset) old = old.where('by_hand', '=', false);
  await old.execute();
  const rows = await written(ctx, from, to);
  const days = daysOfYear(year).map((day) => dayFrom(day, rows.get(day), ctx.companyId));
  const fresh = days.filter((each) => rows.get(each.day)?.company_id !== ctx.companyId || ctx.companyId === PLATFORM);
  await ctx.db
    .insertInto('system.holiday')
    .values(fresh.map(({ day, kind, name }) => ({ company_id: ctx.companyId, day, kind, name })))
    .onConflict((on) => on.columns(['company_id', 'day']).doNothing())
    .execute();
  const kept = days.filter((each) => each.byHand).length;
  await audit(ctx, {
    action: '生成年度日历',
    resource: RESOURCE,
    resourceId: String(year),
    after: { year, reset, days: days.length, kept },
  });
  return { days: days.length, kept };
}

/** @throws AppError B0411 for a day beyond the years that can be kept */
export async function changeKind(ctx: Ctx, day: string, kind: DayKind, name: string | undefined): Promise<void> {
  const year = Number(day.slice(0, 4));
  if (year < 2020 || year > 2040) throw refused('年份须在2020至2040之间', 'B0411');
  const rows = await written(ctx, day, day);
  const before = dayFrom(day, rows.get(day), ctx.companyId);
  const row = { kind, name: name ?? (kind === before.kind ? before.name : ''), by_hand: true };
  await ctx.db
    .insertInto('system.holiday')
    .values({ company_id: ctx.companyId, day, ...row })
    .onConflict((on) => on.columns(['company_id', 'day']).doUpdateSet(row))
    .execute();
  await audit(ctx, {
    action: '修改日期类型',
    resource: RESOURCE,
    resourceId: day,
    before: { kind: before.kind, name: before.name },
    after: { kind, name: row.name },
  });
}
