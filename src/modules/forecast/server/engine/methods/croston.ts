import { at, type Days, demandsOf } from '../series.ts';

/** Where Croston's method stands: size of a demand, days between two of them. */
export interface CrostonState {
  size: number;
  interval: number;
}

/**
 * Croston (1972): sizes and intervals of demands smoothed apart, both only on a day with demand; an interval counts its
 * last day. Unknown days are left out of the interval. Begins with `start`, else with the first demand and the mean interval.
 */
export function croston(history: Days, alpha: number, start?: CrostonState): CrostonState {
  const state = start ? { ...start } : firstDemand(history);
  let since = 0;
  for (let day = 0; day < history.length; day += 1) {
    const value = at(history, day);
    if (Number.isNaN(value)) continue;
    since += 1;
    if (value === 0) continue;
    state.size += alpha * (value - state.size);
    state.interval += alpha * (since - state.interval);
    since = 0;
  }
  return state;
}

function firstDemand(history: Days): CrostonState {
  const { days, demands, units } = demandsOf(history);
  return demands === 0 ? { size: 0, interval: 1 } : { size: units / demands, interval: days / demands };
}

/** Units a day after Croston. */
export function crostonRate({ size, interval }: CrostonState): number {
  return size / interval;
}

/** Units a day after Syntetos and Boylan (2005), who take Croston's bias away: × (1 − α/2). */
export function sbaRate(state: CrostonState, alpha: number): number {
  return (1 - alpha / 2) * crostonRate(state);
}
