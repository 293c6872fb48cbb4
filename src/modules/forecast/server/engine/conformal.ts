import type { DemandClass } from './classes.ts';

/** The quantiles that safety stocks are made from. */
export const QUANTILES = [0.5, 0.8, 0.9, 0.95] as const;

/**
 * Split conformal (Vovk; Lei et al. 2018): the ⌈(n+1)·coverage⌉-th smallest residual, the largest where n is too small for
 * the coverage asked for; 0 of none. With absolute residuals the half-width of an interval, with signed ones the distance
 * of a one-sided bound.
 */
export function conformal(residuals: readonly number[], coverage: number): number {
  return ranked(Float64Array.from(residuals).sort(), coverage);
}

function ranked(sorted: Float64Array, coverage: number): number {
  // Rounded a little before: 0.8 · 5 must not become the fifth because floats make it 4.000000000000001.
  const rank = Math.ceil(Number(((sorted.length + 1) * coverage).toPrecision(12)));
  return sorted[Math.min(sorted.length, rank) - 1] ?? 0;
}

/** Residuals of lead-time sums, scaled by the level of their items, pooled by class. */
export class ResidualPool {
  readonly #all: number[] = [];
  readonly #distances = new Map<DemandClass, number[]>();
  readonly #classes = new Map<DemandClass, number[]>();

  /** Adds (actual − forecast) / scale of one item and origin. */
  add(kind: DemandClass, residual: number): void {
    this.#distances.clear();
    this.#all.push(residual);
    const list = this.#classes.get(kind) ?? [];
    this.#classes.set(kind, list);
    list.push(residual);
  }

  /**
   * Scaled distances of the quantiles from the mean forecast of a class; of all items together where it has too few, and those of
   * chance alone where nothing could be tried at all.
   */
  of(kind: DemandClass): number[] {
    // Asked for every item, sorted once.
    const kept = this.#distances.get(kind);
    if (kept) return kept;
    if (this.#all.length === 0) return [...POISSON];
    const own = this.#classes.get(kind) ?? [];
    const sorted = Float64Array.from(own.length >= LEAST ? own : this.#all).sort();
    const distances = QUANTILES.map((quantile) => ranked(sorted, quantile));
    this.#distances.set(kind, distances);
    return distances;
  }
}

/** Distances of QUANTILES by the root of the mean where demand is a matter of chance alone (Poisson, by its normal limit). */
const POISSON = [0, 0.8416, 1.2816, 1.6449] as const;
/** Residuals that a class needs to speak for itself: of fewer the p95 is a single bulk order. */
const LEAST = 200;
