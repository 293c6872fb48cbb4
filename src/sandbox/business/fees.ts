/**
 * The compact fee schedule of the simulated marketplace, in minor units. US, UK and JP fulfilment figures follow the
 * published rate cards of early 2026 (non-peak, non-apparel); Canada, Germany and France are the neighbouring card
 * times a fixed level, which is this sandbox's own simplification.
 */
import { share } from './amounts.ts';
import type { SimMarketplace, SimProduct } from './types.ts';

const CM_PER_INCH = 2.54;
const POUND_KG = 0.45359237;

/** The referral percentage and minimum, and the flat monthly figures, by country. */
interface Schedule {
  referralBasisPoints: number;
  referralMinimum: number;
  refundAdminCap: number;
  /** Share of selling fees charged as digital services fee, basis points. */
  digitalServices: number;
  subscription: number;
  /** Per cubic foot and month: January to September, October to December. */
  storage: readonly [number, number];
  couponRedemption: number;
  disposal: number;
}

const SCHEDULES: Record<string, Schedule> = {
  US: schedule(30, 500, 0, 3999, [78, 240], 60, 52),
  CA: schedule(40, 500, 0, 2999, [104, 312], 80, 70),
  GB: schedule(25, 500, 200, 2500, [65, 91], 60, 45),
  DE: schedule(30, 500, 0, 3900, [74, 102], 60, 50),
  FR: schedule(30, 500, 200, 3900, [74, 102], 60, 50),
  JP: schedule(30, 500, 0, 4900, [146, 262], 60, 50),
};

function schedule(
  referralMinimum: number,
  refundAdminCap: number,
  digitalServices: number,
  subscription: number,
  storage: readonly [number, number],
  couponRedemption: number,
  disposal: number,
): Schedule {
  return {
    referralBasisPoints: 1500,
    referralMinimum,
    refundAdminCap,
    digitalServices,
    subscription,
    storage,
    couponRedemption,
    disposal,
  };
}

/** Fee schedule of a country. Throws RangeError for one that is not simulated. */
export function scheduleOf(countryCode: string): Schedule {
  const found = SCHEDULES[countryCode];
  if (!found) throw new RangeError(`no fee schedule for ${countryCode}`);
  return found;
}

const JP_RAISE = Date.UTC(2026, 3, 1);
const FUEL_SURCHARGE = Date.UTC(2026, 3, 17);

/**
 * Referral fee of a line, positive minor units: 15 % of what the buyer pays for goods (and for shipping when the
 * merchant ships), at least the minimum per piece. JP adds 0.4 points above 750 yen a piece from 2026-04-01.
 */
export function referralFee(countryCode: string, base: number, quantity: number, at: number): number {
  const { referralBasisPoints, referralMinimum } = scheduleOf(countryCode);
  const raised = countryCode === 'JP' && at >= JP_RAISE && base > 750 * quantity;
  return Math.max(referralMinimum * quantity, share(base, referralBasisPoints + (raised ? 40 : 0), 10_000));
}

/** What is kept of a refunded commission: 20 % of it, at most 5.00 (500 yen in JP). Positive minor units. */
export function refundAdminFee(countryCode: string, commission: number): number {
  return Math.min(scheduleOf(countryCode).refundAdminCap, share(commission, 20, 100));
}

/** Digital services fee on selling and fulfilment fees, for sellers established outside the country. */
export function digitalServicesFee(countryCode: string, fees: number): number {
  return share(fees, scheduleOf(countryCode).digitalServices, 10_000);
}

/** Storage of a month: piece-days times cubic centimetres, over all SKUs, as average cubic feet times the rate. */
export function storageFee(
  countryCode: string,
  cubicCentimetreDays: number,
  month: number,
  daysInMonth: number,
): number {
  const [low, high] = scheduleOf(countryCode).storage;
  const rate = month >= 10 ? high : low;
  return share(cubicCentimetreDays, rate * 100, 2_831_685 * daysInMonth);
}

/** Fulfilment fee of one piece shipped by Amazon, positive minor units. `price` is the piece's price. */
export function fulfilmentFee(market: SimMarketplace, product: SimProduct, price: number, at: number): number {
  switch (market.countryCode) {
    case 'US':
      return surcharged(usCard(product, price), at);
    case 'CA':
      return surcharged(share(usCard(product, share(price, 100, 136)), 130, 100), at);
    case 'GB':
      return ukCard(product);
    case 'DE':
      return share(ukCard(product), 122, 100);
    case 'FR':
      return share(ukCard(product), 135, 100);
    case 'JP':
      return jpCard(product);
    default:
      throw new RangeError(`no fulfilment card for ${market.countryCode}`);
  }
}

/** 3.5 % fuel and logistics surcharge in North America from 2026-04-17. */
function surcharged(fee: number, at: number): number {
  return at >= FUEL_SURCHARGE ? fee + share(fee, 35, 1000) : fee;
}

type Row = readonly [limit: number, under10: number, to50: number, above: number];

/** Upper weight limit in ounces, then the fee by price band. */
const US_SMALL: readonly Row[] = [
  [2, 243, 332, 358],
  [4, 249, 342, 368],
  [6, 256, 345, 371],
  [8, 266, 354, 380],
  [10, 277, 368, 394],
  [12, 282, 378, 404],
  [14, 292, 391, 417],
  [16, 295, 396, 422],
];
const US_LARGE: readonly Row[] = [
  [4, 291, 373, 399],
  [8, 313, 395, 421],
  [12, 338, 420, 446],
  [16, 378, 460, 486],
  [20, 422, 504, 530],
  [24, 460, 542, 568],
  [28, 475, 557, 583],
  [32, 500, 582, 608],
  [36, 510, 592, 618],
  [40, 528, 610, 636],
  [44, 544, 626, 652],
  [48, 585, 667, 693],
];

const US_ABOVE_3_POUNDS: Row = [320, 615, 697, 723];

function usCard(product: SimProduct, price: number): number {
  const [l, m, s] = edges(product, CM_PER_INCH);
  const ounces = (product.weightKg / POUND_KG) * 16;
  const band = price < 1000 ? 1 : price <= 5000 ? 2 : 3;
  if (l <= 15 && m <= 12 && s <= 0.75 && ounces <= 16) return lookUp(US_SMALL, ounces)[band];
  const billable = Math.max(ounces, ((l * m * s) / 139) * 16);
  if (l <= 18 && m <= 14 && s <= 8 && billable <= 320) {
    if (billable <= 48) return lookUp(US_LARGE, billable)[band];
    return US_ABOVE_3_POUNDS[band] + 8 * Math.ceil((billable - 48) / 4);
  }
  return (band === 1 ? 678 : 755) + 38 * Math.max(0, Math.ceil(billable / 16) - 1);
}

/** Upper weight limit in grams and the fee in pence. */
const UK_SMALL_PARCEL: readonly (readonly [number, number])[] = [
  [150, 291],
  [400, 300],
  [900, 304],
  [1400, 305],
  [1900, 325],
  [3900, 327],
];
const UK_STANDARD_PARCEL: readonly (readonly [number, number])[] = [
  [150, 294],
  [400, 301],
  [900, 306],
  [1400, 326],
  [1900, 348],
  [2900, 349],
  [3900, 354],
  [5900, 356],
  [8900, 357],
  [11_900, 358],
];

function ukCard(product: SimProduct): number {
  const [l, m, s] = edges(product, 1);
  const grams = product.weightKg * 1000;
  if (l <= 33 && m <= 23 && s <= 2.5 && grams <= 460) return grams <= 210 ? 210 : 216;
  if (l <= 33 && m <= 23 && s <= 4 && grams <= 960) return 272;
  if (l <= 33 && m <= 23 && s <= 6 && grams <= 960) return 294;
  const billable = Math.max(grams, ((l * m * s) / 5000) * 1000);
  if (l <= 35 && m <= 25 && s <= 12 && billable <= 3900) return lookUp(UK_SMALL_PARCEL, billable)[1];
  if (l <= 45 && m <= 34 && s <= 26 && billable <= 11_900) return lookUp(UK_STANDARD_PARCEL, billable)[1];
  return 349 + 22 * Math.max(0, Math.ceil(billable / 1000 - 0.76));
}

/** Upper limits of the sum of edges in cm and of the weight in kg, and the fee in yen. */
const JP_TIERS: readonly (readonly [number, number, number])[] = [
  [60, 2, 434],
  [80, 5, 514],
  [100, 9, 603],
  [120, 15, 815],
  [140, 20, 975],
];

function jpCard(product: SimProduct): number {
  const [l, m, s] = edges(product, 1);
  if (l <= 25 && m <= 18 && s <= 2 && product.weightKg <= 0.25) return 288;
  if (l <= 33 && m <= 24 && s <= 2.8 && product.weightKg <= 1) return 318;
  const sum = l + m + s;
  for (const [limit, kg, fee] of JP_TIERS) if (sum <= limit && product.weightKg <= kg) return fee;
  return 1532;
}

function edges(product: SimProduct, unit: number): [number, number, number] {
  const [l = 0, m = 0, s = 0] = [product.lengthCm, product.widthCm, product.heightCm].sort((a, b) => b - a);
  return [l / unit, m / unit, s / unit];
}

/** First row whose limit is not exceeded, else the last. */
function lookUp<T extends readonly [number, ...number[]]>(rows: readonly T[], value: number): T {
  const found = rows.find(([limit]) => value <= limit) ?? rows.at(-1);
  if (!found) throw new RangeError('empty rate card');
  return found;
}
