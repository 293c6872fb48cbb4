import { Decimal, ratio } from '#kit/contract/decimal.ts';
import type { MatchState } from '../../../contract/freight/fields.ts';

/** What was expected and what was billed, CNY; null where there is no estimate or no rate. */
export interface Compared {
  estimated: string | null;
  billed: string | null;
  /** Whether there is an estimate or a bill whose rate is not known. */
  unrated: boolean;
}

/**
 * Estimate against bills: what is billed less what was expected, its share of the latter ("0.05" is 5 %), and whether that is
 * beyond the threshold. Exactly the threshold fits.
 */
export function matched(
  { estimated, billed, unrated }: Compared,
  threshold: string,
): { state: MatchState; difference: string | null; share: string | null } {
  if (unrated) return { state: 'unrated', difference: null, share: null };
  if (estimated === null || billed === null) return { state: 'unknown', difference: null, share: null };
  const difference = new Decimal(billed).minus(estimated);
  const share = ratio(difference.toFixed(), estimated);
  const differs = share === null || new Decimal(share).abs().gt(threshold);
  return { state: differs ? 'differs' : 'fits', difference: difference.toFixed(2), share };
}
