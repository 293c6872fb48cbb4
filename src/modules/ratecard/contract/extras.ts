import type { z } from 'zod';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { Choice } from '#kit/contract/field.ts';
import { CM_PER_INCH, type Measures } from './fulfilment.ts';
import type { FeeTier } from './tiers.ts';
import type { Verified } from './verified.ts';

/** Storage of a cubic foot or metre for a month, in some months of the year. */
export interface StorageRate {
  country: string;
  from: string;
  currency: string;
  size: 'standard' | 'bulky';
  months: readonly [first: number, last: number];
  rate: string;
  unit: 'FOOT' | 'METRE';
  verified: Verified;
}

type Where = Pick<StorageRate, 'country' | 'from' | 'currency' | 'unit' | 'verified'>;
/** Rates of standard goods and bulky ones, each from January to September and from October on. */
const rates = (where: Where, [low, high]: [string, string], [bulkyLow, bulkyHigh]: [string, string]): StorageRate[] => [
  { ...where, size: 'standard', months: [1, 9], rate: low },
  { ...where, size: 'standard', months: [10, 12], rate: high },
  { ...where, size: 'bulky', months: [1, 9], rate: bulkyLow },
  { ...where, size: 'bulky', months: [10, 12], rate: bulkyHigh },
];
const at = (country: string, from: string, currency: string, unit: StorageRate['unit'], verified: Verified): Where => ({
  country,
  from,
  currency,
  unit,
  verified,
});

/** Rates of storage that are known, of goods other than clothes; other countries have none here. */
export const STORAGE_RATES: readonly StorageRate[] = [
  ...rates(at('US', '2024-04-01', 'USD', 'FOOT', 'OFFICIAL'), ['0.78', '2.40'], ['0.56', '1.40']),
  ...rates(at('CA', '2026-01-01', 'CAD', 'METRE', 'SECONDARY'), ['40.00', '77.00'], ['28.00', '49.00']),
  ...rates(at('UK', '2026-02-01', 'GBP', 'FOOT', 'SECONDARY'), ['0.76', '1.51'], ['0.55', '0.87']),
  ...['DE', 'FR', 'IT', 'ES'].flatMap((country) =>
    rates(at(country, '2026-02-01', 'EUR', 'METRE', 'SECONDARY'), ['27.54', '52.20'], ['21.78', '34.49']),
  ),
  ...rates(at('AU', '2026-06-10', 'AUD', 'METRE', 'UNVERIFIED'), ['37.00', '51.80'], ['34.20', '48.00']),
];

const CUBIC_INCHES_PER_FOOT = 1728;
const STANDARD: readonly FeeTier[] = [
  'SMALL_STANDARD',
  'LARGE_STANDARD',
  'ENVELOPE',
  'SMALL_ENVELOPE',
  'LIGHT_ENVELOPE',
  'STANDARD_ENVELOPE',
  'LARGE_ENVELOPE',
  'EXTRA_ENVELOPE',
  'PARCEL',
  'SMALL_PARCEL',
  'STANDARD_PARCEL',
  'STANDARD_SIZE',
];

/** Volume of a piece in the unit of a rate. */
function volumeOf(sides: Measures['sides'], unit: StorageRate['unit']): Decimal {
  const by = unit === 'FOOT' ? CM_PER_INCH : '100';
  const volume = sides.reduce((all, side) => all.times(new Decimal(side).div(by)), new Decimal(1));
  return unit === 'FOOT' ? volume.div(CUBIC_INCHES_PER_FOOT) : volume;
}

/** Storage of one piece for so many months from the month of a day on, rounded to the currency; null where no rate is known. */
export function storageFee(
  country: string,
  day: string,
  tier: FeeTier,
  { sides }: Pick<Measures, 'sides'>,
  months: string,
): string | null {
  const month = Number(day.slice(5, 7));
  const size = STANDARD.includes(tier) ? 'standard' : 'bulky';
  const found = STORAGE_RATES.find(
    (one) =>
      one.country === country &&
      one.size === size &&
      one.from <= day &&
      one.months[0] <= month &&
      month <= one.months[1],
  );
  if (!found) return null;
  return round(volumeOf(sides, found.unit).times(found.rate).times(months), currencyScale(found.currency));
}

/** Where a seller is established, as far as digital services fees ask. */
export const Establishment = Choice(
  { elsewhere: '中国/其他', UK: '英国', FR: '法国', IT: '意大利', ES: '西班牙' },
  '公司注册地',
);
export type Establishment = z.infer<typeof Establishment>;

/** Digital services fee: a share of the referral fee, and of the fulfilment fee where `onFulfilment`. */
export interface DsfRate {
  rate: string;
  onFulfilment: boolean;
}

/** Since then it is owed. */
export const DSF_FROM = '2024-10-01';
/** What sellers who are established there owe in every store of Europe. */
export const OWED_AT_HOME: Readonly<Record<Exclude<Establishment, 'elsewhere'>, string>> = {
  UK: '0.02',
  FR: '0.03',
  IT: '0.03',
  ES: '0.03',
};
/** What sellers established elsewhere owe, by store. */
export const OWED_ABROAD: Readonly<Record<string, DsfRate>> = {
  UK: { rate: '0.02', onFulfilment: true },
  FR: { rate: '0.02', onFulfilment: true },
  IT: { rate: '0.02', onFulfilment: false },
  ES: { rate: '0.02', onFulfilment: false },
};
const EUROPE: readonly string[] = ['UK', 'DE', 'FR', 'IT', 'ES'];

/** Digital services fee in a store on a day; a rate of 0 where none is owed. */
export function dsf(establishment: Establishment, country: string, day: string): DsfRate {
  const none = { rate: '0', onFulfilment: false };
  if (day < DSF_FROM || !EUROPE.includes(country)) return none;
  if (establishment === 'elsewhere') return OWED_ABROAD[country] ?? none;
  return { rate: OWED_AT_HOME[establishment], onFulfilment: true };
}
