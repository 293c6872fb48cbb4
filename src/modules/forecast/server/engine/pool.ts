import type { Scores } from './backtest.ts';
import { CANDIDATES } from './candidates.ts';
import type { DemandClass } from './classes.ts';
import { at } from './series.ts';

/** Origins of the whole shop that count as much as those of a class. */
const SHRINK = 40;

/** Sums of scores over items: which method does well on which class of demand. Sums of several workers add up. */
export class ScorePool {
  readonly #sums = new Map<string, { sums: Float64Array; counts: Float64Array }>();

  /** Adds an item's scores to its class and to the whole shop. */
  add(kind: DemandClass, { scores, origins }: Scores): void {
    for (const key of [kind, ALL]) {
      const entry = this.#of(key);
      for (let n = 0; n < CANDIDATES.length; n += 1) {
        if (Number.isNaN(at(scores, n))) continue;
        entry.sums[n] = at(entry.sums, n) + origins * at(scores, n);
        entry.counts[n] = at(entry.counts, n) + origins;
      }
    }
  }

  /** Mean scores of a class, drawn towards those of the whole shop while it has few items; infinite where none is known. */
  of(kind: DemandClass): Float64Array {
    const own = this.#of(kind);
    const all = this.#of(ALL);
    return Float64Array.from(CANDIDATES, (_, n) => {
      if (at(all.counts, n) === 0) return Number.POSITIVE_INFINITY;
      const common = at(all.sums, n) / at(all.counts, n);
      return (at(own.sums, n) + SHRINK * common) / (at(own.counts, n) + SHRINK);
    });
  }

  #of(key: string) {
    const entry = this.#sums.get(key) ?? {
      sums: new Float64Array(CANDIDATES.length),
      counts: new Float64Array(CANDIDATES.length),
    };
    this.#sums.set(key, entry);
    return entry;
  }
}

const ALL = 'all';
