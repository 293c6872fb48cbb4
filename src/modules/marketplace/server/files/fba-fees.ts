import { flatReader } from './flat.ts';

/** GET_FBA_STORAGE_FEE_CHARGES_DATA: storage of a month per product and warehouse. It names no SKU. */
export const storageFees = flatReader({
  type: 'GET_FBA_STORAGE_FEE_CHARGES_DATA',
  title: 'FBA仓储费报告',
  currency: 'currency',
  columns: {
    asin: { kind: 'text', name: 'asin', required: true },
    fnsku: { kind: 'need', name: 'fnsku', required: true },
    title: { kind: 'text', name: 'product_name' },
    centre: { kind: 'text', name: 'fulfillment_center', required: true },
    country: { kind: 'text', name: 'country_code', required: true },
    volume: { kind: 'decimal', name: 'item_volume' },
    volumeUnit: { kind: 'text', name: 'volume_units' },
    sizeTier: { kind: 'text', name: 'product_size_tier' },
    average: { kind: 'decimal', name: 'average_quantity_on_hand', required: true },
    averageRemoval: { kind: 'decimal', name: 'average_quantity_pending_removal' },
    totalVolume: { kind: 'decimal', name: 'estimated_total_item_volume' },
    /** "2026-06", or "Jun-26" in older files. */
    month: { kind: 'need', name: 'month_of_charge', required: true },
    baseRate: { kind: 'decimal', name: 'base_rate', aliases: ['storage_rate'] },
    surchargeRate: { kind: 'decimal', name: 'utilization_surcharge_rate' },
    currency: { kind: 'text', name: 'currency', required: true },
    fee: { kind: 'decimal', name: 'estimated_monthly_storage_fee', required: true },
    incentive: { kind: 'decimal', name: 'total_incentive_fee_amount' },
  },
});

/** GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA: the surcharge on pieces that lie too long. */
export const agedFees = flatReader({
  type: 'GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA',
  title: 'FBA超龄库存附加费报告',
  currency: 'currency',
  columns: {
    day: { kind: 'day', name: 'snapshot-date', required: true },
    sku: { kind: 'text', name: 'sku', required: true },
    fnsku: { kind: 'text', name: 'fnsku', required: true },
    asin: { kind: 'text', name: 'asin' },
    title: { kind: 'text', name: 'product-name' },
    condition: { kind: 'text', name: 'condition' },
    volume: { kind: 'decimal', name: 'per-unit-volume' },
    volumeUnit: { kind: 'text', name: 'volume-unit' },
    country: { kind: 'text', name: 'country' },
    quantity: { kind: 'count', name: 'qty-charged', required: true },
    currency: { kind: 'text', name: 'currency', required: true },
    fee: { kind: 'decimal', name: 'amount-charged', required: true },
    tier: { kind: 'text', name: 'surcharge-age-tier', required: true },
    rate: { kind: 'decimal', name: 'rate-surcharge' },
  },
});

/** GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: what Amazon would keep of one piece, by the size and weight that it measured. */
export const feePreviews = flatReader({
  type: 'GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA',
  title: '预估FBA费用报告',
  currency: 'currency',
  columns: {
    sku: { kind: 'need', name: 'sku', required: true, aliases: ['seller-sku'] },
    fnsku: { kind: 'text', name: 'fnsku', required: true },
    asin: { kind: 'text', name: 'asin' },
    title: { kind: 'text', name: 'product-name' },
    price: { kind: 'decimal', name: 'your-price' },
    longest: { kind: 'decimal', name: 'longest-side' },
    median: { kind: 'decimal', name: 'median-side' },
    shortest: { kind: 'decimal', name: 'shortest-side' },
    lengthUnit: { kind: 'text', name: 'unit-of-dimension' },
    weight: { kind: 'decimal', name: 'item-package-weight' },
    weightUnit: { kind: 'text', name: 'unit-of-weight' },
    sizeTier: { kind: 'text', name: 'product-size-tier', aliases: ['product-size-weight-band'] },
    currency: { kind: 'text', name: 'currency', required: true },
    total: { kind: 'decimal', name: 'estimated-fee-total', required: true },
    referral: { kind: 'decimal', name: 'estimated-referral-fee-per-unit', required: true },
    fulfilment: {
      kind: 'decimal',
      name: 'expected-fulfillment-fee-per-unit',
      aliases: ['expected-domestic-fulfilment-fee-per-unit'],
    },
  },
});

/** GET_FBA_OVERAGE_FEE_CHARGES_DATA: what is charged for volume beyond a seller's limit, by day and kind of storage. */
export const overageFees = flatReader({
  type: 'GET_FBA_OVERAGE_FEE_CHARGES_DATA',
  title: 'FBA超量仓储费报告',
  currency: 'currency',
  columns: {
    day: { kind: 'day', name: 'charged_date', required: true },
    country: { kind: 'text', name: 'country_code' },
    storageType: { kind: 'need', name: 'storage_type', required: true },
    rate: { kind: 'decimal', name: 'charge_rate' },
    usage: { kind: 'decimal', name: 'storage_usage_volume', aliases: ['capacity_usage_volume'] },
    limit: { kind: 'decimal', name: 'storage_limit_volume', aliases: ['capacity_limit'] },
    overage: { kind: 'decimal', name: 'overage_volume', required: true },
    volumeUnit: { kind: 'text', name: 'volume_unit' },
    fee: { kind: 'decimal', name: 'charged_fee_amount', required: true },
    currency: { kind: 'text', name: 'currency_code', required: true },
  },
});
