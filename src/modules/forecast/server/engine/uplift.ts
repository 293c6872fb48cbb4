import { weekLevel } from './methods/level.ts';
import { at, type Days } from './series.ts';
import type { Week } from './week.ts';

/** Type of promotion by day: 0 none. */
export type Events = Uint8Array;
/** By type of promotion: how many times the usual demand it sells, and from how many days that is known. */
export type Uplifts = ReadonlyMap<number, { factor: number; days: number }>;

/** Days of the category that count as much as those of the item. */
const SHRINK_DAYS = 4;
/** Speed of the level that promotions are measured against. */
const ALPHA = 0.03;

/** An item with its promotions: `days` are those without. */
export interface Promoted {
  units: Days;
  days: Days;
  week: Week;
  events: Events | undefined;
}

/** Shrunk multiple: (n·own + 4·category) / (n + 4). */
export function shrunkUplift(own: number, days: number, category: number): number {
  return (days * own + SHRINK_DAYS * category) / (days + SHRINK_DAYS);
}

function sums(items: readonly Promoted[]): Map<number, { sold: number; expected: number; days: number }> {
  const types = new Map<number, { sold: number; expected: number; days: number }>();
  for (const { units, days, week, events } of items) {
    if (!events) continue;
    const level = weekLevel(days, week, ALPHA);
    for (let day = 0; day < days.length; day += 1) {
      const type = events[day] ?? 0;
      const expected = level * at(week, day % 7);
      if (type === 0 || Number.isNaN(at(units, day)) || expected === 0) continue;
      const sum = types.get(type) ?? { sold: 0, expected: 0, days: 0 };
      types.set(type, sum);
      sum.sold += at(units, day);
      sum.expected += expected;
      sum.days += 1;
    }
  }
  return types;
}

/** Multiples of a category by type of promotion: Σ sold / Σ expected on its days. */
export function categoryUplifts(items: readonly Promoted[]): Uplifts {
  return new Map([...sums(items)].map(([type, sum]) => [type, { factor: sum.sold / sum.expected, days: sum.days }]));
}

/** Multiples of an item, drawn towards those of its category. */
export function ownUplifts(item: Promoted, category: Uplifts): Uplifts {
  const own = sums([item]);
  return new Map(
    [...category].map(([type, common]) => {
      const sum = own.get(type);
      const days = sum?.days ?? 0;
      return [type, { factor: shrunkUplift(sum ? sum.sold / sum.expected : 0, days, common.factor), days }];
    }),
  );
}

/**
 * Multiplies the days of planned promotions: by what somebody expects of them (NaN: nothing said), else by what such days
 * brought before. `first` is the day of the shop that a forecast begins with.
 */
export function withEvents(
  forecast: Days,
  first: number,
  { events, expected }: { events?: Events | undefined; expected?: Days | undefined },
  uplifts: Uplifts,
): Days {
  if (!events) return forecast;
  return forecast.map((value, ahead) => {
    const said = expected?.[first + ahead] ?? Number.NaN;
    return value * (Number.isNaN(said) ? (uplifts.get(events[first + ahead] ?? 0)?.factor ?? 1) : said);
  });
}
