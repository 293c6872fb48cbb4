import type { SimMarketplace, SimProduct } from '../business/index.ts';
import { sizeTier } from '../business/size-tiers.ts';
import { type Cells, DAILY_MIN, dayIn, fbaTable, named, ofPresent, overPeriod } from './report-fba.ts';
import type { ReportType } from './report-types.ts';

const STORAGE = [
  'asin',
  'fnsku',
  'product_name',
  'fulfillment_center',
  'country_code',
  'longest_side',
  'median_side',
  'shortest_side',
  'measurement_units',
  'weight',
  'weight_units',
  'item_volume',
  'volume_units',
  'product_size_tier',
  'average_quantity_on_hand',
  'average_quantity_pending_removal',
  'estimated_total_item_volume',
  'month_of_charge',
  'storage_utilization_ratio',
  'storage_utilization_ratio_units',
  'base_rate',
  'utilization_surcharge_rate',
  'est_base_msf',
  'est_sus',
  'currency',
  'estimated_monthly_storage_fee',
  'dangerous_goods_storage_type',
  'eligible_for_inventory_discount',
  'qualifies_for_inventory_discount',
  'total_incentive_fee_amount',
  'breakdown_incentive_fee_amount',
  'average_quantity_customer_orders',
];

const PREVIEW = [
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'product-group',
  'brand',
  'fulfilled-by',
  'your-price',
  'sales-price',
  'longest-side',
  'median-side',
  'shortest-side',
  'length-and-girth',
  'unit-of-dimension',
  'item-package-weight',
  'unit-of-weight',
  'product-size-tier',
  'currency',
  'estimated-fee-total',
  'estimated-referral-fee-per-unit',
  'estimated-variable-closing-fee',
  'expected-fulfillment-fee-per-unit',
];

const AGED = [
  'snapshot-date',
  'sku',
  'fnsku',
  'asin',
  'product-name',
  'condition',
  'per-unit-volume',
  'currency',
  'volume-unit',
  'country',
  'qty-charged',
  'amount-charged',
  'surcharge-age-tier',
  'rate-surcharge',
];

/** Edges, longest first, and weight: inches and pounds in North America, centimetres and kilograms elsewhere. */
function sizeOf(product: SimProduct, market: SimMarketplace) {
  const american = market.region === 'na';
  const edges = [product.lengthCm, product.widthCm, product.heightCm].sort((a, b) => b - a);
  const [longest = 0, median = 0, shortest = 0] = edges.map((edge) => (american ? edge / 2.54 : edge));
  const weight = american ? product.weightKg / 0.45359237 : product.weightKg;
  const units = american ? { length: 'inches', weight: 'pounds' } : { length: 'centimeters', weight: 'kilograms' };
  const text = (value: number): string => value.toFixed(2);
  const girth = longest + 2 * (median + shortest);
  return {
    longest: text(longest),
    median: text(median),
    shortest: text(shortest),
    girth: text(girth),
    weight: text(weight),
    units,
    tier: sizeTier(market, product),
  };
}

/** Months that are over and begin in the period. */
const storage = fbaTable(STORAGE, ({ world, account, market, from, until, asOf }) => {
  const [first, last] = [dayIn(market, from).slice(0, 7), dayIn(market, until).slice(0, 7)];
  return world.business
    .fbaFees(account, market.marketplaceId, asOf)
    .storage.filter(({ month }) => month >= first && month <= last)
    .map((one): Cells => {
      const size = sizeOf(one.product, market);
      return {
        asin: one.product.asin,
        fnsku: one.product.fnsku,
        product_name: named(one.product, market)['product-name'],
        fulfillment_center: one.centre,
        country_code: market.countryCode,
        longest_side: size.longest,
        median_side: size.median,
        shortest_side: size.shortest,
        measurement_units: size.units.length,
        weight: size.weight,
        weight_units: size.units.weight,
        item_volume: one.volume,
        volume_units: 'cubic feet',
        product_size_tier: size.tier,
        average_quantity_on_hand: one.average,
        average_quantity_pending_removal: '0.00',
        estimated_total_item_volume: one.totalVolume,
        month_of_charge: one.month,
        base_rate: one.rate,
        utilization_surcharge_rate: '0.00',
        est_base_msf: one.fee,
        est_sus: '0.0000',
        currency: market.currency,
        estimated_monthly_storage_fee: one.fee,
        dangerous_goods_storage_type: '--',
        eligible_for_inventory_discount: 'N',
        qualifies_for_inventory_discount: 'N',
        total_incentive_fee_amount: '0.0000',
      };
    });
});

const preview = fbaTable(PREVIEW, ({ world, account, market, until }) =>
  world.business.fbaFees(account, market.marketplaceId, until).previews.map((one): Cells => {
    const size = sizeOf(one.product, market);
    return {
      ...named(one.product, market),
      'product-group': one.product.productType,
      brand: one.product.brand,
      'fulfilled-by': 'Amazon',
      'your-price': one.price,
      'sales-price': one.price,
      'longest-side': size.longest,
      'median-side': size.median,
      'shortest-side': size.shortest,
      'length-and-girth': size.girth,
      'unit-of-dimension': size.units.length,
      'item-package-weight': size.weight,
      'unit-of-weight': size.units.weight,
      'product-size-tier': size.tier,
      currency: market.currency,
      'estimated-fee-total': one.total,
      'estimated-referral-fee-per-unit': one.referral,
      'expected-fulfillment-fee-per-unit': one.fulfilment,
    };
  }),
);

/** Nothing of the simulated stock ever lies for half a year: the report is there, and empty. */
const aged = fbaTable(AGED, () => []);

/** Previews are made of what was measured in the last three days. */
const LEAST_MS = 72 * 3_600_000;

/** Reports about what Amazon's warehouses cost. */
export const feeTypes: Readonly<Record<string, ReportType>> = {
  GET_FBA_STORAGE_FEE_CHARGES_DATA: overPeriod(32, storage),
  GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA: overPeriod(32, aged),
  GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: {
    ...ofPresent(preview),
    intervalMin: DAILY_MIN,
    impossible: (_, { from, to }) =>
      to - from < LEAST_MS ? 'The start date must be at least 72 hours before the end date.' : undefined,
  },
};
