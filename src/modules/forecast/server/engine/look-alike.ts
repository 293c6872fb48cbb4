import { at, type Days, known } from './series.ts';

/** Units that say "as good as the reference" before anything is known. */
const PRIOR = 20;

/**
 * How a new product sells beside its reference: k = (own first units + 20) / (the reference's in the same days of its life
 * + 20), over the own days that are known. `own` begins with its first day on sale, `reference` with the reference's.
 */
export function likeness(own: Days, reference: Days): number {
  let mine = 0;
  let theirs = 0;
  for (let day = 0; day < Math.min(own.length, reference.length); day += 1) {
    if (Number.isNaN(at(own, day)) || Number.isNaN(at(reference, day))) continue;
    mine += at(own, day);
    theirs += at(reference, day);
  }
  return (mine + PRIOR) / (theirs + PRIOR);
}

/** The mean life of several references by day on sale; NaN on days that none of them knows. */
export function referenceCurve(references: readonly Days[]): Days {
  const length = Math.max(0, ...references.map((days) => days.length));
  return Float64Array.from({ length }, (_, day) => {
    const seen = known(Float64Array.from(references, (days) => days[day] ?? Number.NaN));
    return seen.count === 0 ? Number.NaN : seen.mean;
  });
}

/** New product: k × the reference's curve from the same age on; past its end, or where unknown, k × its mean of 28 days. */
export function lookAlike(own: Days, reference: Days, horizon: number): Days {
  const k = likeness(own, reference);
  const tail = known(reference.subarray(Math.max(0, reference.length - 28))).mean;
  return new Float64Array(horizon).map((_, ahead) => {
    const value = reference[own.length + ahead] ?? Number.NaN;
    return k * (Number.isNaN(value) ? tail : value);
  });
}
