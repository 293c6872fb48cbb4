import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { businessDay, localToInstant } from '../files/zones.ts';
import type { AccountRef, ReachingPlan, ReportPlan } from '../streams.ts';
import { isByDate, lookBackOf } from './limits.ts';
import type { FoundReports } from './look.ts';
import { enqueueReport, historyWindows, windowPriority } from './plan.ts';
import { askedFor, groupsOf, zoneOfStock } from './stocks.ts';
import { notYetRead, type WishedReport, withSubjects } from './subjects.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SAFETY_LAG_MS = 5 * 60_000;

type Windows = Pick<ReachingPlan, 'windowDays' | 'historyDays' | 'overlapDays' | 'byMonth' | 'byWeek' | 'wholeDays'>;

const midnight = (day: number, zone: string): Date => new Date(localToInstant(day * DAY_MS, zone));

/** First instant of a day "yyyy-MM-dd" of a stock's zone. */
export const midnightOf = (day: string, zone: string): Date => midnight(Date.parse(day) / DAY_MS, zone);

/**
 * The times of a window [from, to) as createReport takes them: the instants themselves, further apart where the type needs
 * it; for types that go by dates the first and the last day of the stock's zone, whatever hour is written behind them.
 */
export function askedTimes(
  reportType: string,
  marketplaceIds: readonly string[],
  [from, to]: [Date, Date],
): { dataStartTime: string; dataEndTime: string } {
  if (!isByDate(reportType)) {
    // An hour more, as the clocks of both sides differ.
    const hours = lookBackOf(reportType);
    const least = hours === 0 ? from.getTime() : to.getTime() - (hours + 1) * HOUR_MS;
    const start = new Date(Math.min(from.getTime(), least));
    return { dataStartTime: start.toISOString(), dataEndTime: to.toISOString() };
  }
  const zone = zoneOfStock(marketplaceIds);
  const dateOf = (time: number) => `${businessDay(time, zone)}T00:00:00Z`;
  return { dataStartTime: dateOf(from.getTime()), dataEndTime: dateOf(Math.max(from.getTime(), to.getTime() - 1)) };
}

/** Number of the day that a calendar month begins with, `months` after that of a day. */
function monthStart(day: number, months: number): number {
  const date = new Date(day * DAY_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY_MS;
}

/** Number of the Sunday on or before a day, `weeks` after that. 1 January 1970 was a Thursday. */
function weekStart(day: number, weeks: number): number {
  return day - ((day + 4) % 7) + weeks * 7;
}

/** First day of the present calendar period of a plan that has such, or of one before it. */
function periodStart(plan: Windows, day: number, periods: number): number | undefined {
  if (plan.byMonth) return monthStart(day, periods);
  return plan.byWeek ? weekStart(day, periods) : undefined;
}

/** First days of the windows, newest first, down to the one that holds `begin`. */
function firstDays(plan: Windows, today: number, begin: number): number[] {
  const days: number[] = [];
  for (let back = 1; ; back += 1) {
    const period = periodStart(plan, today, -back);
    const from = period ?? today - back * plan.windowDays + 1;
    days.push(period ?? Math.max(from, begin));
    if (from <= begin) return days;
  }
}

/**
 * The day number that reading begins with: that of the history at first, later that of the days that may still change. What
 * was not read for longer than that, as nobody worked, is read from where a reading each day would have gone on, so that no
 * day is left out and each was read when it had stopped to change; not further back than the history.
 */
function firstDay(plan: Windows, readAt: Date | null, zone: string, today: number): number {
  const history = today - plan.historyDays + 1;
  if (readAt === null) return history;
  const overlap = plan.overlapDays ?? plan.windowDays;
  const readOn = Date.parse(businessDay(readAt.getTime(), zone)) / DAY_MS - Number(plan.wholeDays ?? false);
  const usual = today - overlap + 1;
  return Math.min(usual, Math.max(history, readOn - overlap + 2));
}

/**
 * Windows of business days, newest first, from the plan's first day on; `readAt` is when it was read last, null at first.
 * Each begins and ends at midnight of the stock, but for the newest, which ends now unless the plan wants whole days; months
 * and weeks are those that are over.
 */
export function dayWindows(plan: Windows, readAt: Date | null, zone: string, now: Date): [Date, Date][] {
  const end = now.getTime() - SAFETY_LAG_MS;
  // The day that is not over has no report of its own.
  const today = Date.parse(businessDay(end, zone)) / DAY_MS - Number(plan.wholeDays ?? false);
  const begin = firstDay(plan, readAt, zone, today);
  const present = periodStart(plan, today, 0);
  const open = plan.wholeDays ? midnight(today + 1, zone) : new Date(end);
  let to = present === undefined ? open : midnight(present, zone);
  return firstDays(plan, today, begin).flatMap((day) => {
    const from = midnight(day, zone);
    if (from >= to) return [];
    const window: [Date, Date] = [from, to];
    to = from;
    return [window];
  });
}

/** Asks for the windows of a plan that are due: the rows are written before any call, as for every report. */
export function windowRequests(plan: ReachingPlan, watermark: string | null, now: Date): FoundReports {
  const readAt = watermark === null ? null : new Date(watermark);
  return { count: 1, land: (ctx, account) => landRequests(ctx, account, plan, readAt, now) };
}

const ANEW = {
  status: 'planned',
  generation: 1,
  attempts: 0,
  error: null,
  report_id: null,
  remote_document_id: null,
  document_id: null,
  rows: null,
  finished_at: null,
  creating_since: null,
  creating_at: null,
  empty_at: null,
  calls: 0,
  throttled: 0,
  priority: sql`excluded.priority`,
};

/** Business days from the one that holds an instant to today, both counted. */
function daysSince(from: Date, now: Date): number {
  return Math.ceil((now.getTime() - from.getTime()) / DAY_MS) + 1;
}

/** Asks for all reports of a plan from an instant on, whatever has been read of them. Returns how many there are. */
export async function requestWindows(
  ctx: Ctx,
  account: AccountRef,
  plan: ReportPlan,
  from: Date,
  now: Date,
): Promise<number> {
  const reaching: ReachingPlan = { ...plan, historyDays: daysSince(from, now) };
  const windows =
    plan.how === 'window'
      ? windowsOf(await askedFor(ctx, account, plan), reaching, null, now)
      : indexed([...account.marketplaceIds], historyWindows(reaching, now));
  return landWindows(ctx, account, plan, await withSubjects(ctx, account, plan, windows), now);
}

const indexed = (sites: string[], windows: readonly [Date, Date][]) =>
  windows.map(([from, to], index) => ({ sites, from, to, index }));

function windowsOf({ marketplaceIds }: AccountRef, plan: ReachingPlan, readAt: Date | null, now: Date) {
  return groupsOf(plan, marketplaceIds).flatMap((sites) =>
    indexed(sites, dayWindows(plan, readAt, zoneOfStock(sites), now)),
  );
}

async function landRequests(
  ctx: Ctx,
  account: AccountRef,
  plan: ReachingPlan,
  readAt: Date | null,
  now: Date,
): Promise<number> {
  const wished = await withSubjects(
    ctx,
    account,
    plan,
    windowsOf(await askedFor(ctx, account, plan), plan, readAt, now),
  );
  return landWindows(ctx, account, plan, await notYetRead(ctx, account, plan, wished), now);
}

async function landWindows(
  ctx: Ctx,
  account: AccountRef,
  plan: ReportPlan,
  wished: readonly WishedReport[],
  now: Date,
): Promise<number> {
  const wanted = wished.map(({ sites, from, to, index, subject }) => ({
    company_id: ctx.companyId,
    account_id: account.id,
    plan: plan.code,
    report_type: plan.reportType,
    marketplace_ids: sites,
    data_from: from,
    data_to: to,
    subject,
    priority: windowPriority(plan, index, to, now),
    past: index > 0,
  }));
  if (wanted.length === 0) return 0;
  const rows = await ctx.db
    .insertInto('marketplace.report_request')
    .values(wanted)
    // A month is asked for again under the same dates: its row begins anew, unless it is still under way.
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'account_id', 'report_type', 'marketplace_ids', 'data_from', 'data_to', 'subject'])
        .where('data_from', 'is not', null)
        .doUpdateSet({ ...ANEW, created_at: sql`kit.now()`, next_at: sql`kit.now()` } as never)
        .where('marketplace.report_request.status', 'in', ['loaded', 'empty', 'failed']),
    )
    .returning(['id', 'priority'])
    .execute();
  for (const row of rows) await enqueueReport(ctx, row.id, row.priority);
  return rows.length;
}
