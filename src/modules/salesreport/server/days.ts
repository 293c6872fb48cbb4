import { type Comparison, comparedPeriod, lengthOf, type Period } from '#kit/contract/compare.ts';
import { dayAfter } from '#kit/contract/day.ts';
import type { Column } from '../contract/details.ts';
import type { Grain } from '../contract/fields.ts';

/** A day of `before` is held against one of the period; `open` days are not over and held against nothing. */
export type Side = 'now' | 'open' | 'before' | 'year';

/** Every day of a reading with its place (the number of its period) and side; a day may stand at several. */
export interface DayMap {
  days: string[];
  places: number[];
  sides: Side[];
}

/** Place of a day that is held against no day of its own: a month before that was longer. */
export const BESIDE_NONE = -1;

const weekday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
const firstOf = (day: string): string => `${day.slice(0, 7)}-01`;
const lastOf = (day: string): string => dayAfter(firstOf(dayAfter(firstOf(day), 31)), -1);

/** The whole day, week (from Monday on) or month that a day belongs to. The one calendar of all sales reports. */
export function wholeOf(day: string, grain: Grain): Period {
  if (grain === 'month') return { from: firstOf(day), to: lastOf(day) };
  if (grain === 'day') return { from: day, to: day };
  const monday = dayAfter(day, -weekday(day));
  return { from: monday, to: dayAfter(monday, 6) };
}

function titleOf({ from, to }: Period, grain: Grain, years: boolean): string {
  const short = (day: string) => (years ? day.slice(2) : day.slice(5));
  if (grain === 'month') return from.slice(0, 7);
  return grain === 'day' ? short(from) : `${short(from)}~${to.slice(5)}`;
}

/** The periods that some days fall into, the oldest first. `today` is the first day that is not over at every site. */
export function placesOf({ from, to }: Period, grain: Grain, today: string): Column[] {
  const places: Column[] = [];
  const years = from.slice(0, 4) !== to.slice(0, 4);
  for (let day = from; day <= to; ) {
    const whole = wholeOf(day, grain);
    const own = { from: whole.from < from ? from : whole.from, to: whole.to > to ? to : whole.to };
    const partial = own.from > whole.from || own.to < whole.to || whole.to >= today;
    places.push({ key: `p${places.length}`, title: titleOf(own, grain, years), ...own, partial });
    day = dayAfter(whole.to, 1);
  }
  return places;
}

const daysOf = (period: Period): string[] =>
  Array.from({ length: lengthOf(period) }, (_, index) => dayAfter(period.from, index));

/** The days of a period that are over; null where none is. */
function overOf({ from, to }: Period, today: string): Period | null {
  if (from >= today) return null;
  return { from, to: to < today ? to : dayAfter(today, -1) };
}

/** What is known of sales: from the first day on, up to the day that is not over. */
export interface Known {
  since: string | null;
  today: string;
}

/** Whether anything is known of a period. */
export const isKnown = ({ since }: Pick<Known, 'since'>, { to }: Pick<Period, 'to'>): boolean =>
  since !== null && to >= since;

/** What the days of a period that are over are held against; null where none is, or where that was before anything is known. */
export function beforeOf(period: Period, how: Comparison, { since, today }: Known): Period | null {
  const over = overOf(period, today);
  const before = over && comparedPeriod(over, how);
  return before && since !== null && before.from >= since ? before : null;
}

/**
 * Days of a period at their places, and those of the one before at the places of their counterparts: the first beside the
 * first and so on; whole months beside whole months, whatever their lengths.
 */
export function heldAgainst(
  period: Period,
  places: readonly Column[],
  before: Period | null,
  { today, grain }: { today: string; grain: Grain },
): DayMap {
  const map: DayMap = { days: [], places: [], sides: [] };
  const put = (day: string, place: number, side: Side) => {
    map.days.push(day);
    map.places.push(place);
    map.sides.push(side);
  };
  const placeOf = new Map(places.flatMap((place, index) => daysOf(place).map((day) => [day, index] as const)));
  const days = daysOf(period);
  for (const day of days) put(day, placeOf.get(day) ?? 0, day < today ? 'now' : 'open');
  if (!before) return map;
  const months = grain === 'month' && before.from.endsWith('-01') && period.from.endsWith('-01');
  for (const [index, day] of daysOf(before).entries()) {
    const month = (Number(day.slice(0, 4)) - Number(before.from.slice(0, 4))) * 12 + Number(day.slice(5, 7));
    const beside = days[index];
    const place = months
      ? month - Number(before.from.slice(5, 7))
      : beside === undefined
        ? undefined
        : placeOf.get(beside);
    put(day, place ?? BESIDE_NONE, 'before');
  }
  return map;
}

/** The days that a period of a summary is held against: the one before it, or the same a year ago (52 weeks for weeks). */
function counterpart({ from, to }: Period, grain: Grain, how: Comparison): Period {
  if (grain === 'day') return how === 'previous' ? shifted(from, to, -1) : comparedPeriod({ from, to }, 'year');
  if (grain === 'week') return shifted(from, to, how === 'previous' ? -7 : -364);
  const whole = wholeOf(from, 'month');
  const other = wholeOf(how === 'previous' ? dayAfter(whole.from, -1) : comparedPeriod(whole, 'year').from, 'month');
  if (from === whole.from && to === whole.to) return other;
  const at = (day: string) => {
    const same = `${other.from.slice(0, 8)}${day.slice(8)}`;
    return same > other.to ? other.to : same;
  };
  return { from: at(from), to: at(to) };
}
const shifted = (from: string, to: string, days: number): Period => ({
  from: dayAfter(from, days),
  to: dayAfter(to, days),
});

/**
 * Days of each period with those of the period before and of the year before. An unfinished period is held against as much of them,
 * and none against days of which nothing is known.
 */
export function eachHeldAgainst(places: readonly Column[], grain: Grain, { since, today }: Known): DayMap {
  const map: DayMap = { days: [], places: [], sides: [] };
  const put = (period: Period, place: number, side: (day: string) => Side) => {
    for (const day of daysOf(period)) {
      map.days.push(day);
      map.places.push(place);
      map.sides.push(side(day));
    }
  };
  for (const [index, { from, to }] of places.entries()) {
    put({ from, to }, index, (day) => (day < today ? 'now' : 'open'));
    const over = overOf({ from, to }, today);
    if (!over) continue;
    for (const [how, side] of [
      ['previous', 'before'],
      ['year', 'year'],
    ] as const) {
      const other = counterpart(over, grain, how);
      if (since !== null && other.from >= since) put(other, index, () => side);
    }
  }
  return map;
}

/** The stretches of days without a gap that a map reads. */
export function spansOf({ days }: Pick<DayMap, 'days'>): Period[] {
  const spans: Period[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = spans.at(-1);
    if (last && dayAfter(last.to, 1) === day) last.to = day;
    else spans.push({ from: day, to: day });
  }
  return spans;
}

/** The same days on the same sides, all at one place: for sums that tell no periods apart. */
export const undivided = ({ days, sides }: DayMap): DayMap => ({ days, sides, places: days.map(() => 0) });
