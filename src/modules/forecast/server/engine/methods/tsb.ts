import { at, type Days, demandsOf } from '../series.ts';

/** Where the method stands: chance that a day has a demand, and its size. */
export interface TsbState {
  chance: number;
  size: number;
}

/**
 * Teunter, Syntetos, Babai (2011): the chance of a demand is smoothed every known day (β), its size on days with demand
 * (α), so that a product nobody buys any more fades. Units a day = chance × size.
 */
export function tsb(history: Days, alpha: number, beta: number, start?: TsbState): TsbState {
  const state = start ? { ...start } : meanDemand(history);
  for (let day = 0; day < history.length; day += 1) {
    const value = at(history, day);
    if (Number.isNaN(value)) continue;
    if (value === 0) {
      state.chance *= 1 - beta;
    } else {
      state.chance += beta * (1 - state.chance);
      state.size += alpha * (value - state.size);
    }
  }
  return state;
}

function meanDemand(history: Days): TsbState {
  const { days, demands, units } = demandsOf(history);
  return demands === 0 ? { chance: 0, size: 0 } : { chance: demands / days, size: units / demands };
}
