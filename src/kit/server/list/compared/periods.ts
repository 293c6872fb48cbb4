import { type RawBuilder, sql } from 'kysely';
import { comparedPeriod, lengthOf, type Period } from '../../../contract/compare.ts';
import { dayAfter } from '../../../contract/day.ts';
import type { Ctx } from '../../context.ts';
import { refused } from '../../errors.ts';
import type { ComparedFilter, ComparedList } from './def.ts';

/** A period and what it is held against. */
export interface Periods {
  now: Period;
  before: Period;
}

const MOST_DAYS = 400;
const USUAL_DAYS = 30;

const firstOf = (day: string): string => `${day.slice(0, 7)}-01`;
const lastOf = (day: string): string => dayAfter(firstOf(dayAfter(firstOf(day), 31)), -1);

/** Days as they are filtered, from thirty of them up to yesterday where nothing is said. */
function daysOf(today: string, { from, to }: NonNullable<ComparedFilter['dates']>): Period {
  const yesterday = dayAfter(today, -1);
  const end = to ?? (from && from > yesterday ? from : yesterday);
  return { from: from ?? dayAfter(end, 1 - USUAL_DAYS), to: end };
}

/** The months that a filter touches, whole; the last three that are over where it names none. */
function monthsOf(today: string, { from, to }: NonNullable<ComparedFilter['dates']>): Period {
  const end = lastOf(to ?? (from && from > firstOf(today) ? from : dayAfter(firstOf(today), -1)));
  return { from: firstOf(from ?? dayAfter(firstOf(dayAfter(firstOf(end), -1)), -1)), to: end };
}

/** The period of a filter, and what it is held against. @throws B0612 too long */
export function periodsOf(
  ctx: Pick<Ctx, 'clock'>,
  { dates = {}, compare = 'previous' }: ComparedFilter,
  step: ComparedList['step'],
): Periods {
  const now = (step === 'month' ? monthsOf : daysOf)(ctx.clock.today(), dates);
  if (lengthOf(now) > MOST_DAYS) throw refused(`对比的日期范围不能超过 ${MOST_DAYS} 天`, 'B0612');
  return { now, before: comparedPeriod(now, compare) };
}

/** Part of a period within one month, as days of the month, both included; `whole` where it is all of the month. */
export interface MonthPart {
  /** First day of the month, "yyyy-MM-dd". */
  month: string;
  from: number;
  to: number;
  whole: boolean;
}

/** A period month by month. */
export function monthParts({ from, to }: Period): MonthPart[] {
  const parts: MonthPart[] = [];
  for (let month = firstOf(from); month <= to; month = dayAfter(lastOf(month), 1)) {
    const [begin, end] = [from > month ? from : month, to < lastOf(month) ? to : lastOf(month)];
    const whole = begin === month && end === lastOf(month);
    parts.push({ month, from: Number(begin.slice(8)), to: Number(end.slice(8)), whole });
  }
  return parts;
}

/** Condition: a day is within a period. */
export const inside = ({ from, to }: Period, day = 'f.day'): RawBuilder<boolean> =>
  sql`${sql.ref(day)} BETWEEN ${from}::date AND ${to}::date`;

/** Condition: a day is within one of both periods. */
export const either = ({ now, before }: Periods, day = 'f.day'): RawBuilder<boolean> =>
  sql`(${inside(now, day)} OR ${inside(before, day)})`;
