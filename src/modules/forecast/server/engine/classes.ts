import { type Days, known } from './series.ts';

export type DemandClass = 'smooth' | 'erratic' | 'intermittent' | 'lumpy' | 'new' | 'ending';

/** A product of fewer known days than this is new. */
const NEW_DAYS = 28;

/**
 * Class of demand after Syntetos, Boylan and Croston (2005): ADI = days / days with demand at 1.32, CV² of the sizes at
 * 0.49; `new` below 28 known days; `ending` is what its owner sells off, whatever its sales.
 */
export function classOf(days: Days, ending = false): DemandClass {
  if (ending) return 'ending';
  const { count } = known(days);
  if (count < NEW_DAYS) return 'new';
  const sizes = known(days.filter((value) => value > 0));
  const adi = sizes.count === 0 ? Number.POSITIVE_INFINITY : count / sizes.count;
  let squares = 0;
  for (const value of days) if (value > 0) squares += (value - sizes.mean) ** 2;
  const cv2 = sizes.count === 0 ? 0 : squares / sizes.count / sizes.mean ** 2;
  if (adi < 1.32) return cv2 < 0.49 ? 'smooth' : 'erratic';
  return cv2 < 0.49 ? 'intermittent' : 'lumpy';
}
