/**
 * What Amazon measured of products that arrived, where it is not what they are: fees go by its measurement until it measures
 * anew. One measurement holds for all marketplaces of an account's region, which share their stock.
 */

import { formatMinor } from './amounts.ts';
import { priceOn } from './demand.ts';
import { Dice, draw } from './draws.ts';
import type { FbaMeasured } from './fba-types.ts';
import { fulfilmentFee } from './fees.ts';
import { DAY, localDate } from './marketplaces.ts';
import type { Lane, Shop } from './model.ts';
import type { SimProduct } from './types.ts';

/** Sides and weight, by whichever instrument. */
export type Sizes = Pick<SimProduct, 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'>;

/** How much too large something is measured: each side and the weight times these. */
export interface Mismeasure {
  sides: number;
  weight: number;
}

/** A wrong measurement that nobody notices in the fee is none worth planting: it has to make this much of it more. */
const LEAST_RISE = 0.05;
/** Planted within these days of the beginning. */
const FIRST_DAYS = [20, 60] as const;

const hundredth = (value: number): number => Math.round(value * 100) / 100;

const sizesOf = ({ lengthCm, widthCm, heightCm, weightKg }: SimProduct): Sizes => ({
  lengthCm,
  widthCm,
  heightCm,
  weightKg,
});

function enlarged(product: SimProduct, { sides, weight }: Mismeasure): Sizes {
  return {
    lengthCm: hundredth(product.lengthCm * sides),
    widthCm: hundredth(product.widthCm * sides),
    heightCm: hundredth(product.heightCm * sides),
    weightKg: hundredth(product.weightKg * weight),
  };
}

/** The product as Amazon's measurement of an instant has it. */
export function measuredAt(lane: Lane, at: number): SimProduct {
  const known = lane.measured.findLast((one) => one.at <= at);
  return known ? { ...lane.product, ...known.sizes } : lane.product;
}

/** Amazon measures a product of some shops: too large by a factor, or rightly where none is given. False where nobody has it. */
export function measure(shops: readonly Shop[], sku: string, at: number, wrong: Mismeasure | undefined): boolean {
  const lanes = shops.flatMap((shop) =>
    shop.lanes.filter(({ product }) => product.sku === sku && product.fulfilment === 'AFN'),
  );
  for (const lane of lanes) {
    lane.measured.push({ at, sizes: wrong ? enlarged(lane.product, wrong) : sizesOf(lane.product) });
  }
  return lanes.length > 0;
}

/** Plants wrong measurements of so many products of an account in one region; its shops are not walked yet. */
export function plantMeasures(shops: readonly Shop[], count: number): void {
  const [first] = shops;
  if (!first) return;
  const { seed, account, market, startAt } = first;
  const key = [seed, account.sellingPartnerId, account.region];
  const wrongOf = (sku: string): Mismeasure => {
    const dice = new Dice(...key, `mismeasured:${sku}`);
    return { sides: hundredth(dice.between(1.15, 1.4)), weight: hundredth(dice.between(1.1, 1.35)) };
  };
  const chosen = first.lanes
    .filter(({ product, refPrice }) => {
      if (product.fulfilment !== 'AFN') return false;
      const fee = (one: SimProduct): number => fulfilmentFee(market, one, refPrice, startAt);
      const rise = fee({ ...product, ...enlarged(product, wrongOf(product.sku)) }) / fee(product) - 1;
      return rise >= LEAST_RISE;
    })
    .sort((a, b) => draw(...key, `plant:${a.product.sku}`) - draw(...key, `plant:${b.product.sku}`))
    .slice(0, count);
  for (const { product } of chosen) {
    const at = startAt + new Dice(...key, `planted:${product.sku}`).int(...FIRST_DAYS) * DAY;
    measure(shops, product.sku, at, wrongOf(product.sku));
  }
}

/** The truth of it at an instant: every product of a shop whose measurement is wrong, and what its fee should be. */
export function mismeasuredIn(shop: Shop, now: number): FbaMeasured[] {
  const { market } = shop;
  return shop.lanes.flatMap((lane) => {
    const known = lane.measured.findLast(({ at }) => at <= now);
    const { product } = lane;
    if (
      !known ||
      Object.entries(sizesOf(product)).every(([side, value]) => known.sizes[side as keyof Sizes] === value)
    ) {
      return [];
    }
    const price = priceOn(shop, lane, localDate(market.timeZone, now));
    const fee = (one: SimProduct): string => formatMinor(fulfilmentFee(market, one, price, now), market.currency);
    return {
      sku: product.sku,
      since: known.at,
      measured: known.sizes,
      real: sizesOf(product),
      charged: fee({ ...product, ...known.sizes }),
      due: fee(product),
    };
  });
}
