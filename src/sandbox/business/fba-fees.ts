/** What Amazon's warehouses cost per product: storage of the months that are over, and the fees of selling one piece. */
import { formatMinor } from './amounts.ts';
import { priceOn } from './demand.ts';
import { centresOf, daysOf } from './fba-ledger.ts';
import type { FbaFeePreview, FbaFees, FbaStorage } from './fba-types.ts';
import { fulfilmentFee, referralFee, scheduleOf } from './fees.ts';
import { localDate, localMidnight, nextDay } from './marketplaces.ts';
import { measuredAt } from './measured.ts';
import type { Lane, Shop } from './model.ts';
import type { SimProduct } from './types.ts';

const CUBIC_CM_PER_FOOT = 28_316.846592;

function volumeOf({ lengthCm, widthCm, heightCm }: SimProduct): number {
  return lengthCm * widthCm * heightCm;
}

function daysIn(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/** Storage of one product by month: pieces at the end of each day, averaged over the month, times volume and rate. */
function storageOf(shop: Shop, lane: Lane, until: number): FbaStorage[] {
  const present = localDate(shop.market.timeZone, until).slice(0, 7);
  const days = Map.groupBy(daysOf(shop, lane, until), ({ day }) => day.slice(0, 7));
  return [...days].flatMap(([month, rows]) => {
    if (month >= present) return [];
    const pieceDays = rows.reduce((sum, one) => sum + one.end + one.inTransit, 0);
    if (pieceDays === 0) return [];
    const average = pieceDays / daysIn(month);
    const [low, high] = scheduleOf(shop.market.countryCode).storage;
    const rate = Number(month.slice(5)) >= 10 ? high : low;
    const product = measuredAt(lane, localMidnight(shop.market.timeZone, nextDay(`${month}-${daysIn(month)}`)));
    const feet = volumeOf(product) / CUBIC_CM_PER_FOOT;
    const places = shop.market.currency === 'JPY' ? 0 : 2;
    return {
      product,
      month,
      centre: centresOf(shop)[0],
      average: average.toFixed(2),
      volume: feet.toFixed(4),
      totalVolume: (average * feet).toFixed(4),
      rate: formatMinor(rate, shop.market.currency),
      fee: ((average * feet * rate) / 10 ** places).toFixed(4),
    };
  });
}

/** What Amazon would keep of one piece sold at today's price. */
function feePreviewOf(shop: Shop, lane: Lane, until: number): FbaFeePreview {
  const { market } = shop;
  const price = priceOn(shop, lane, localDate(market.timeZone, until));
  const referral = referralFee(market.countryCode, price, 1, until);
  const product = measuredAt(lane, until);
  const fulfilment = fulfilmentFee(market, product, price, until);
  const money = (minor: number): string => formatMinor(minor, market.currency);
  return {
    product,
    price: money(price),
    referral: money(referral),
    fulfilment: money(fulfilment),
    total: money(referral + fulfilment),
  };
}

/** Both for all products that Amazon keeps. The shop must be walked up to `until`. */
export function fbaFees(shop: Shop, until: number): FbaFees {
  const lanes = shop.lanes.filter(({ product }) => product.fulfilment === 'AFN');
  return {
    storage: lanes.flatMap((lane) => storageOf(shop, lane, until)),
    previews: lanes.map((lane) => feePreviewOf(shop, lane, until)),
  };
}
