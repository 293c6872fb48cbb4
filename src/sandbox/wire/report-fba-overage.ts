import type { FbaDay, FbaStorage, SimMarketplace } from '../business/index.ts';
import { type Cells, dayIn, fbaTable, overPeriod } from './report-fba.ts';
import type { ReportType } from './report-types.ts';

const OVERAGE = [
  'charged_date',
  'country_code',
  'storage_type',
  'charge_rate',
  'storage_usage_volume',
  'storage_limit_volume',
  'overage_volume',
  'volume_unit',
  'charged_fee_amount',
  'currency_code',
];

const CUBIC_CM_PER_FOOT = 28_316.846592;
/** Of a cubic foot for a month, in yen. */
const RATE = 1000;

/** Amazon stopped charging for it in America, Europe and Britain in July 2024. */
const isCharged = (market: SimMarketplace): boolean => market.region === 'fe';

function daysIn(month: string): number {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/**
 * Cubic feet that all products take at the end of each day of the months that are over: the pieces, and the volumes by
 * Amazon's own measurement, that storage is charged for.
 */
function usageOf(days: readonly FbaDay[], storage: readonly FbaStorage[]): Map<string, number> {
  const measured = new Map(storage.map(({ product, month }) => [`${month} ${product.sku}`, product]));
  const usage = new Map<string, number>();
  for (const { day, end, inTransit, product } of days) {
    const known = measured.get(`${day.slice(0, 7)} ${product.sku}`);
    if (!known) continue;
    const feet = (known.lengthCm * known.widthCm * known.heightCm) / CUBIC_CM_PER_FOOT;
    usage.set(day, (usage.get(day) ?? 0) + (end + inTransit) * feet);
  }
  return usage;
}

/** "6/9/2026". */
const american = (day: string): string => {
  const [year, month, date] = day.split('-').map(Number);
  return `${month}/${date}/${year}`;
};

/**
 * Days of months that are over on which more lay in the warehouses than the seller may keep there. How much that is the
 * business does not know: here it is what a month had there on average, in whole cubic feet.
 */
const overage = fbaTable(OVERAGE, ({ world, account, books, market, from, until, asOf }) => {
  if (!isCharged(market)) return [];
  const [first, last] = [dayIn(market, from), dayIn(market, until)];
  const present = dayIn(market, asOf).slice(0, 7);
  const { storage } = world.business.fbaFees(account, market.marketplaceId, asOf);
  const months = Map.groupBy(usageOf(books.days, storage), ([day]) => day.slice(0, 7));
  return [...months].flatMap(([month, usage]): Cells[] => {
    if (month >= present) return [];
    const limit = Math.floor(usage.reduce((sum, [, feet]) => sum + feet, 0) / daysIn(month));
    return usage
      .filter(([day, feet]) => day >= first && day <= last && feet > limit)
      .map(([day, feet]) => ({
        charged_date: american(day),
        country_code: market.countryCode,
        storage_type: 'Sortable',
        charge_rate: String(RATE),
        storage_usage_volume: feet.toFixed(2),
        storage_limit_volume: limit.toFixed(2),
        overage_volume: (feet - limit).toFixed(2),
        volume_unit: 'cubic feet',
        charged_fee_amount: (((feet - limit) * RATE) / daysIn(month)).toFixed(2),
        currency_code: market.currency,
      }));
  });
});

/** What is charged for more volume than a seller may use; by day, once the month is over. */
export const overageTypes: Readonly<Record<string, ReportType>> = {
  GET_FBA_OVERAGE_FEE_CHARGES_DATA: overPeriod(32, overage),
};
