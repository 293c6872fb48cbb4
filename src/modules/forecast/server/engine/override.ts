import { at, type Days } from './series.ts';

/** A change that somebody made to a forecast, from and to as days after the cut-off (both inclusive). */
export interface Override {
  from: number;
  to: number;
  /** ABS: units of each day. PCT: the model × value. MONTH: units of all its days together. */
  mode: 'ABS' | 'PCT' | 'MONTH';
  /** 0 sells none; whoever wants no change has no override. */
  value: number;
}

/**
 * Whole units of a sum over days by weights, largest remainder first, ties to the earlier day; they add up exactly. Without
 * any weight all days weigh the same. A sum that is no whole number leaves its fraction on the last share.
 */
export function spreadTotal(total: number, weights: ArrayLike<number>): number[] {
  const list = Array.from(weights, (weight) => Math.max(0, weight));
  const sum = list.reduce((all, weight) => all + weight, 0);
  const shares = list.map((weight) => (sum > 0 ? (total * weight) / sum : total / list.length));
  const units = shares.map((share) => Math.floor(share + 1e-9));
  const whole = Math.floor(total + 1e-9);
  const left = whole - units.reduce((all, unit) => all + unit, 0);
  const byRemainder = shares
    .map((share, day) => ({ day, rest: Number((share - (units[day] ?? 0)).toFixed(9)) }))
    .sort((a, b) => b.rest - a.rest || a.day - b.day);
  for (const { day } of byRemainder.slice(0, left)) units[day] = (units[day] ?? 0) + 1;
  const last = byRemainder[left]?.day ?? byRemainder[0]?.day;
  if (last !== undefined && total > whole) units[last] = Number(((units[last] ?? 0) + total - whole).toFixed(4));
  return units;
}

/**
 * What is published: the last ABS or MONTH of a day, else the model × all PCT of that day. `weights` are those of the days
 * by which months are spread (the shape of the week). Overrides in the order in which they were made.
 */
export function merged(model: Days, overrides: readonly Override[], weights: Days): Days {
  const fixed = new Float64Array(model.length).fill(Number.NaN);
  const factor = new Float64Array(model.length).fill(1);
  for (const { from, to, mode, value } of overrides) {
    const first = Math.max(0, from);
    const last = Math.min(model.length - 1, to);
    const month = mode === 'MONTH' ? spreadTotal(value, weights.subarray(first, last + 1)) : [];
    for (let day = first; day <= last; day += 1) {
      if (mode === 'PCT') factor[day] = at(factor, day) * value;
      else fixed[day] = mode === 'ABS' ? value : (month[day - first] ?? 0);
    }
  }
  return model.map((value, day) => (Number.isNaN(at(fixed, day)) ? value * at(factor, day) : at(fixed, day)));
}
