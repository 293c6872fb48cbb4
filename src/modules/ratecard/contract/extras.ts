import type { z } from 'zod';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { Choice } from '#kit/contract/field.ts';
import { CM_PER_INCH, type Measures } from './fulfilment.ts';
import type { FeeTier } from './tiers.ts';
import type { Verified } from './verified.ts';

/** Storage of a cubic foot for a month, in some months of the year. */
export interface StorageRate {
  country: string;
  from: string;
  currency: string;
  size: 'standard' | 'bulky';
  months: readonly [first: number, last: number];
  rate: string;
  verified: Verified;
}

const us = (size: StorageRate['size'], months: StorageRate['months'], rate: string): StorageRate => ({
  country: 'US',
  from: '2024-04-01',
  currency: 'USD',
  size,
  months,
  rate,
  verified: 'OFFICIAL',
});

/** Rates of storage that are known; other countries have none here. */
export const STORAGE_RATES: readonly StorageRate[] = [
  us('standard', [1, 9], '0.78'),
  us('standard', [10, 12], '2.40'),
  us('bulky', [1, 9], '0.56'),
  us('bulky', [10, 12], '1.40'),
];

const CUBIC_INCHES_PER_FOOT = 1728;
const STANDARD: readonly FeeTier[] = ['SMALL_STANDARD', 'LARGE_STANDARD'];

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
  const inches = sides.reduce((volume, side) => volume.times(new Decimal(side).div(CM_PER_INCH)), new Decimal(1));
  return round(inches.div(CUBIC_INCHES_PER_FOOT).times(found.rate).times(months), currencyScale(found.currency));
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

/** Since then, and by whom it is owed. */
export const DSF_FROM = '2024-10-01';
const OWED_AT_HOME: Readonly<Record<Exclude<Establishment, 'elsewhere'>, string>> = {
  UK: '0.02',
  FR: '0.03',
  IT: '0.03',
  ES: '0.03',
};
const OWED_ABROAD: Readonly<Record<string, DsfRate>> = {
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
