import { annualIndex } from './annual.ts';
import type { Model } from './choose.ts';
import { classOf, type DemandClass } from './classes.ts';
import { cleaned, closedDays } from './clean.ts';
import { trendOf } from './methods/shared-trend.ts';
import { at, type Days, known } from './series.ts';
import { categoryUplifts, type Events, ownUplifts, type Uplifts } from './uplift.ts';
import { commonWeek, ownWeek, type Week, type WeekSums, weekSums } from './week.ts';

/** What is forecast: one SKU in one pool of stock. */
export interface Item {
  /** Units by day from the shop's day 0; NaN where demand was censored. All items of a shop are as long. */
  units: Days;
  category: string;
  /** What its owner sells off. */
  ending?: boolean;
  /** Promotions by day, beyond the last day as far as they are planned (0 none, else the number of its type). */
  events?: Events;
  /** How many times the usual demand somebody expects of each of these days; NaN where nobody said. As long as `events`. */
  expected?: Days;
  /** Lives of the products that a new one is like, each from its first day on sale. */
  references?: readonly Days[];
  /** What it is forecast with now; undefined for the first time. */
  present?: Model;
  /** What somebody wants it to be forecast with, whatever scores say. */
  locked?: Model;
}

/** What the items of a shop know of each other at an origin: made only of the days before it. */
export interface Shop {
  origin: number;
  closed: Uint8Array;
  categories: Map<string, Category>;
}

interface Category {
  week: Week;
  uplifts: Uplifts;
  annual: Float64Array | undefined;
  trend: Float64Array;
}

/** An item as an origin knows it. */
export interface View {
  /** Demand that models learn from: unknown days NaN, bulk orders capped, days of promotions left out. */
  days: Days;
  week: Week;
  class: DemandClass;
  /** Multiple of the mean week by day, through the horizon; undefined below 90 weeks of history. */
  annual: Float64Array | undefined;
  /** Level of the category before each day and after the last. */
  trend: Float64Array;
  uplifts: Uplifts;
}

/** Demand of an item before an origin, without days of promotions. */
function baseOf(item: Item, origin: number, closed: Uint8Array): Days {
  const { days } = cleaned(item.units.subarray(0, origin), closed);
  if (item.events) for (let day = 0; day < origin; day += 1) if (item.events[day]) days[day] = Number.NaN;
  return days;
}

/** Reads what a shop's items have in common before an origin: closed days, shape of week and year, promotions. */
export function shopAt(items: readonly Item[], origin: number): Shop {
  const total = new Float64Array(origin);
  for (const { units } of items)
    for (let day = 0; day < origin; day += 1)
      if (!Number.isNaN(at(units, day))) total[day] = at(total, day) + at(units, day);
  const closed = closedDays(total);
  const parts = new Map<string, { sums: WeekSums[]; bases: { item: Item; days: Days }[]; total: Float64Array }>();
  for (const item of items) {
    const days = baseOf(item, origin, closed);
    const part = parts.get(item.category) ?? { sums: [], bases: [], total: new Float64Array(origin) };
    parts.set(item.category, part);
    part.sums.push(weekSums(days));
    if (item.events) part.bases.push({ item, days });
    for (let day = 0; day < origin; day += 1)
      if (!Number.isNaN(at(days, day))) part.total[day] = at(part.total, day) + at(days, day);
  }
  const categories: Shop['categories'] = new Map();
  for (const [category, part] of parts) {
    const week = commonWeek(part.sums);
    const promoted = part.bases.map(({ item, days }) => ({ units: item.units, days, week, events: item.events }));
    categories.set(category, {
      week,
      uplifts: categoryUplifts(promoted),
      annual: annualIndex(part.total),
      trend: trendOf(part.total, week, closed),
    });
  }
  return { origin, closed, categories };
}

/** An item as it was known at the origin of a shop. */
export function viewOf(item: Item, shop: Shop): View {
  const days = baseOf(item, shop.origin, shop.closed);
  const common = shop.categories.get(item.category);
  if (!common) throw new RangeError(`no category ${item.category}`);
  const demands = known(days.filter((value) => value > 0)).count;
  const week = ownWeek(weekSums(days), common.week, demands);
  const promoted = { units: item.units, days, week, events: item.events };
  return {
    days,
    week,
    class: classOf(days, item.ending),
    annual: common.annual,
    trend: common.trend,
    uplifts: item.events ? ownUplifts(promoted, common.uplifts) : common.uplifts,
  };
}
