import { at, type Days, median } from './series.ts';
import { commonWeek, weekSums } from './week.ts';

/** A day of one item is capped at this many times its median day with sales, and never below `CAP_FLOOR` units. */
const CAP_TIMES = 8;
const CAP_FLOOR = 10;
/** Days on which all items together would have sold this many and sold nothing: the shop was closed, not unlucky. */
const SURELY_OPEN = 12;

/**
 * Days of a shop on which it was closed out of turn (holidays): all its items together sold nothing, on a weekday on which
 * they sell. `total` is the sum over the items. Only what was known at its end is used.
 */
export function closedDays(total: Days): Uint8Array {
  const week = commonWeek([weekSums(total)]);
  const level = total.reduce((sum, value) => sum + value, 0) / Math.max(1, total.length);
  return Uint8Array.from(total, (value, day) => (value === 0 && level * at(week, day % 7) >= SURELY_OPEN ? 1 : 0));
}

/** Most units of a day that still are ordinary demand: more is a bulk order (大单), a sale but no sign of the next days. */
export function capOf(history: Days): number {
  return Math.max(CAP_FLOOR, CAP_TIMES * median(history.filter((value) => value > 0)));
}

/** Chance below which days without a sale are no chance. */
const NO_CHANCE = 1e-6;

/**
 * Runs of days without a sale that are too long for the item to be luck, and that ended: the product was not to be had,
 * whatever the stock records say. p is the share of known days with demand, a run of n days has the chance (1−p)ⁿ. A run
 * that still goes on is kept: it may be the end of the product. Changes `days` in place.
 */
export function dropLongGaps(days: Days): void {
  let demands = 0;
  let count = 0;
  for (const value of days) {
    if (Number.isNaN(value)) continue;
    count += 1;
    if (value > 0) demands += 1;
  }
  if (demands === 0 || demands === count) return;
  const longest = Math.log(NO_CHANCE) / Math.log(1 - demands / count);
  let run = 0;
  let begin = 0;
  for (let day = 0; day < days.length; day += 1) {
    const value = at(days, day);
    if (value === 0) run += 1;
    else if (value > 0) {
      if (run > longest) for (let gap = begin; gap < day; gap += 1) days[gap] = Number.NaN;
      run = 0;
      begin = day + 1;
    }
  }
}

/** What is known of one day's stock: share of the day in stock, units at its begin and end, of a sellable product. */
export interface StockDay {
  availability: number;
  before: number;
  after: number;
}

/**
 * Whether a day's sales say less than its demand was: less than half of it in stock, nothing in stock at both ends, or —
 * of a product of ten a day or more — sales of 30 % of the trailing mean or less with less than a day's stock left.
 */
export function isCensored(stock: StockDay, units: number, trailing: number): boolean {
  if (stock.availability < 0.5 || (stock.before <= 0 && stock.after <= 0)) return true;
  return trailing >= 10 && units <= 0.3 * trailing && stock.after < trailing;
}

/** Units that a day's missing stock cost: expected × (1 − availability). */
export function lostUnits(expected: number, availability: number): number {
  return expected * (1 - Math.min(1, Math.max(0, availability)));
}

/**
 * Demand of an item for the models: unknown until its first sale (that day itself is known only because it sold, so it
 * would make every slow product look quick), unknown on closed days and where `units` is, else capped, and no less than 0 on
 * days with more returns than sales.
 */
export function cleaned(units: Days, closed: Uint8Array): { days: Days; cap: number } {
  const cap = capOf(units);
  let begun = false;
  const days = units.map((value, day) => {
    const before = !begun;
    if (value > 0) begun = true;
    return before || closed[day] === 1 ? Number.NaN : Math.min(Math.max(0, value), cap);
  });
  dropLongGaps(days);
  return { days, cap };
}
