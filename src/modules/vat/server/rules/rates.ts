import type { COUNTRIES } from '../../contract/fields.ts';
import type { RateRow } from '../../contract/settings.ts';

const ALWAYS = '2000-01-01';
const STANDARD = {
  DE: '19',
  GB: '20',
  FR: '20',
  IT: '22',
  ES: '21',
  NL: '21',
  PL: '23',
  SE: '25',
  BE: '21',
  CZ: '21',
  IE: '23',
  AT: '20',
} as const satisfies Record<keyof typeof COUNTRIES, string>;

/** Standard rates where the company says nothing else, as the European Commission lists them (2026) and HMRC. */
export const USUAL_RATES: readonly RateRow[] = Object.entries(STANDARD).map(([country, rate]) => ({
  country: country as RateRow['country'],
  rate,
  validFrom: ALWAYS,
}));

/**
 * Rate of a country on a day, percent; undefined for a country without one. Of several the one with the latest first day
 * counts, and of those with the same day the last.
 */
export function rateOf(rates: readonly RateRow[], country: string, day: string): string | undefined {
  const fit = [...USUAL_RATES, ...rates].filter((one) => one.country === country && one.validFrom <= day);
  return fit.reduce<RateRow | undefined>(
    (best, one) => (best && best.validFrom > one.validFrom ? best : one),
    undefined,
  )?.rate;
}
