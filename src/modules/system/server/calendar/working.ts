import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { isWorked, kindsBetween } from './calendar.ts';
import { afterWorking, dayOf, type IsWorkday, workedBetween } from './hours.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 7.5;
/** No plan waits longer; a calendar without any workday must not be searched for ever. */
const MAX_HOURS = 2000;
const MAX_DAYS = 1500;

async function workdaysFrom(ctx: Ctx, from: number, to: number, zone: string): Promise<IsWorkday> {
  const last = dayOf(to + DAY_MS, zone);
  const kindOf = await kindsBetween(ctx, dayOf(from - DAY_MS, zone), last);
  // Beyond the days that were read the search stops at once, and the caller sees that it went too far.
  return (day) => day > last || isWorked(kindOf(day));
}

/** Whether the company works on a calendar day "yyyy-MM-dd". */
export async function isWorkday(ctx: Ctx, day: string): Promise<boolean> {
  const kindOf = await kindsBetween(ctx, day, day);
  return isWorked(kindOf(day));
}

/**
 * The instant after `hours` working hours (may be fractional) since `instant`, both ISO 8601 in UTC. Working hours are
 * 09:00-12:00 and 13:30-18:00 on the company's workdays in the company's zone.
 * @throws AppError B0412 where the calendar has no room for so many hours
 */
export async function addWorkingHours(ctx: Ctx, instant: string, hours: number): Promise<string> {
  if (hours < 0 || hours > MAX_HOURS) throw refused(`工作时长须在0至${MAX_HOURS}小时之间`, 'B0412');
  const { zone } = ctx.clock;
  const start = Date.parse(instant);
  // Most weeks have five workdays; where holidays leave fewer, more days are read.
  for (let days = Math.ceil((hours / HOURS_A_DAY) * 1.4) + 16; days <= MAX_DAYS; days *= 2) {
    const end = start + days * DAY_MS;
    const due = afterWorking(start, hours * HOUR_MS, zone, await workdaysFrom(ctx, start, end, zone));
    if (due <= end) return new Date(due).toISOString();
  }
  throw refused('工作日历中没有足够的工作日', 'B0412');
}

/** Working hours between two instants (ISO 8601 in UTC), fractional. */
export async function workingHours(ctx: Ctx, from: string, to: string): Promise<number> {
  const { zone } = ctx.clock;
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  if (end <= begin) return 0;
  return workedBetween(begin, end, zone, await workdaysFrom(ctx, begin, end, zone)) / HOUR_MS;
}
