import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import {
  type AgedFilter,
  AgedRow,
  type FeeFilter,
  FeePreviewRow,
  type OverageFilter,
  OverageRow,
  type StorageFilter,
  StorageRow,
  type StorageSumFilter,
  StorageSumRow,
} from '../../contract/fees.ts';
import { allOf, type FactList, factsOf, withText } from './base.ts';
import { goodsCompared } from './goods-compared.ts';

/** A figure without the zeros that the column's scale adds: "13.000000" is 13. */
const plain = (value: string | null): string | null => (value === null ? null : plainDecimal(value));

interface Storage {
  title: string;
  centre: string;
  country: string;
  volume: string | null;
  volume_unit: string;
  size_tier: string;
  average: string;
  average_removal: string | null;
  total_volume: string | null;
  base_rate: string | null;
  surcharge_rate: string | null;
  currency: string;
  fee: string;
  incentive: string | null;
}

/** Storage by month, product and warehouse. Fees of different currencies are not added up. */
export const storageList = (ctx: Ctx, filter: StorageFilter): FactList<Storage, StorageRow> => ({
  title: 'FBA仓储费',
  resource: 'inventory.storageFee',
  row: StorageRow,
  query: withText(factsOf(ctx, 'inventory.storage_fee', filter), 'size_tier', filter.sizeTier),
  sort: { day: 'f.day', average: 'f.average', totalVolume: 'f.total_volume', storageFee: 'f.fee' },
  sums: {},
  map: (row, goods) => ({
    ...goods,
    centre: row.centre,
    country: row.country,
    sizeTier: row.size_tier,
    average: plain(row.average) ?? '0',
    averageRemoval: plain(row.average_removal),
    volume: plain(row.volume),
    totalVolume: plain(row.total_volume),
    volumeUnit: row.volume_unit,
    baseRate: row.base_rate,
    surchargeRate: row.surcharge_rate,
    storageFee: row.fee,
    incentive: row.incentive,
    currency: row.currency,
    fnsku: row.fnsku,
  }),
});

/** The same by product, over the months of two periods; a product is its label, of which an ASIN may have several. */
export const storageSumList = (ctx: Ctx, { dates: _, ...filter }: StorageSumFilter) =>
  goodsCompared(ctx, {
    title: '仓储费汇总对比',
    resource: 'inventory.storageFee',
    row: StorageSumRow,
    facts: allOf(withText(factsOf(ctx, 'inventory.storage_fee', filter), 'size_tier', filter.sizeTier)),
    told: sql`SELECT account_id, marketplace_id, day FROM inventory.storage_fee WHERE company_id = ${ctx.companyId}`,
    by: ['fnsku'],
    measures: {
      storageFee: { of: 'f.fee', kind: 'money' },
      average: { of: 'f.average', kind: 'decimal' },
    },
    ratios: { perPiece: ['storageFee', 'average'] },
    step: 'month',
    charted: ['storageFee'],
    first: 'storageFee',
  });

interface Aged {
  title: string;
  tier: string;
  quantity: number;
  volume: string | null;
  volume_unit: string;
  rate: string | null;
  fee: string;
  currency: string;
  country: string;
}

/** Surcharges on pieces that lie too long. */
export const agedList = (ctx: Ctx, filter: AgedFilter): FactList<Aged, AgedRow> => ({
  title: '超龄库存附加费',
  resource: 'inventory.agedFee',
  row: AgedRow,
  query: factsOf(ctx, 'inventory.aged_fee', filter),
  sort: { day: 'f.day', quantity: 'f.quantity', agedFee: 'f.fee' },
  sums: { quantity: 'quantity' },
  map: (row, goods) => ({
    ...goods,
    tier: row.tier,
    quantity: row.quantity,
    volume: plain(row.volume),
    volumeUnit: row.volume_unit,
    agedRate: row.rate,
    agedFee: row.fee,
    currency: row.currency,
    country: row.country,
    fnsku: row.fnsku,
  }),
});

interface Preview {
  title: string;
  price: string | null;
  longest: string | null;
  median: string | null;
  shortest: string | null;
  length_unit: string;
  weight: string | null;
  weight_unit: string;
  size_tier: string;
  currency: string;
  total: string | null;
  referral: string | null;
  fulfilment: string | null;
}

/** Fees of one piece as of the newest report of each stock; of the days asked for where the filter names some. */
export function previewList(ctx: Ctx, filter: FeeFilter): FactList<Preview, FeePreviewRow> {
  const query = withText(factsOf(ctx, 'inventory.fee_preview', filter), 'size_tier', filter.sizeTier);
  const isDated = filter.dates?.from || filter.dates?.to;
  const newest = sql<boolean>`f.day = (SELECT max(n.day) FROM inventory.fee_preview AS n
     WHERE n.company_id = ${ctx.companyId} AND n.account_id = f.account_id AND n.stock = f.stock)`;
  return {
    title: 'FBA费用预览',
    resource: 'inventory.fbaFee',
    row: FeePreviewRow,
    query: isDated ? query : query.where(newest),
    sort: { day: 'f.day', weight: 'f.weight', fulfilment: 'f.fulfilment', referral: 'f.referral', feeTotal: 'f.total' },
    sums: {},
    map: (row, goods) => ({
      ...goods,
      feePrice: row.price,
      longest: plain(row.longest),
      median: plain(row.median),
      shortest: plain(row.shortest),
      lengthUnit: row.length_unit,
      weight: plain(row.weight),
      weightUnit: row.weight_unit,
      sizeTier: row.size_tier,
      fulfilment: row.fulfilment,
      referral: row.referral,
      feeTotal: row.total,
      currency: row.currency,
      fnsku: row.fnsku,
    }),
  };
}

interface Overage {
  country: string;
  storage_type: string;
  usage: string | null;
  volume_limit: string | null;
  overage: string;
  volume_unit: string;
  rate: string | null;
  fee: string;
  currency: string;
}

/** Charges for volume beyond the limit, by day and kind of storage. Fees of different currencies are not added up. */
export const overageList = (ctx: Ctx, { storageType, ...filter }: OverageFilter): FactList<Overage, OverageRow> => ({
  title: '超量仓储费',
  resource: 'inventory.overageFee',
  row: OverageRow,
  query: withText(factsOf(ctx, 'inventory.overage_fee', filter), 'storage_type', storageType),
  sort: { day: 'f.day', usage: 'f.usage', overage: 'f.overage', overageFee: 'f.fee' },
  sums: {},
  map: (row, { id, day, store }) => ({
    id,
    day,
    store,
    country: row.country,
    storageType: row.storage_type,
    usage: plain(row.usage),
    volumeLimit: plain(row.volume_limit),
    overage: plain(row.overage),
    volumeUnit: row.volume_unit,
    overageRate: row.rate,
    overageFee: row.fee,
    currency: row.currency,
  }),
});
