import { agedFees, feePreviews, overageFees, type ReportPlan, storageFees } from '#modules/marketplace/server/index.ts';
import { agingLater } from '../aging/later.ts';
import { auditLater } from '../fee-audit/later.ts';
import { int, money, text } from './columns.ts';
import type { FactDef, RowOf } from './def.ts';
import { factLoader } from './load.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** First day of a month as reports write it: "2026-06", "Jun-26", "June 2026"; null for anything else. */
export function monthDay(month: string): string | null {
  const plain = /^(\d{4})-(\d{1,2})$/.exec(month.trim());
  if (plain) return dayOf(Number(plain[1]), Number(plain[2]));
  const named = /^([A-Za-z]{3})[a-z]*[-\s](\d{2}|\d{4})$/.exec(month.trim());
  if (!named) return null;
  const year = Number(named[2]);
  return dayOf(year < 100 ? 2000 + year : year, MONTHS.indexOf((named[1] ?? '').toLowerCase()) + 1);
}

function dayOf(year: number, month: number): string | null {
  return month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}-01` : null;
}

const CURRENCY = /^[A-Za-z]{3}$/;
const charged = (row: { currency: string; fee: string | null }): string | undefined =>
  row.fee === null ? '缺少费用' : CURRENCY.test(row.currency) ? undefined : '币种无法识别';

const storage: FactDef<RowOf<typeof storageFees>> = {
  reader: storageFees,
  table: 'inventory.storage_fee',
  mode: 'file',
  day: (row) => monthDay(row.month),
  country: (row) => row.country,
  isNamed: () => true,
  problem: charged,
  byLabel: true,
  pieces: () => 0,
  changed: agingLater,
  columns: [
    text('fnsku', (row) => row.fnsku, true),
    text('centre', (row) => row.centre, true),
    text('country', (row) => row.country, true),
    text('size_tier', (row) => row.sizeTier, true),
    text('seller_sku', () => ''),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    money('volume', (row) => row.volume),
    text('volume_unit', (row) => row.volumeUnit),
    money('average', (row) => row.average ?? '0'),
    money('average_removal', (row) => row.averageRemoval),
    money('total_volume', (row) => row.totalVolume),
    money('base_rate', (row) => row.baseRate),
    money('surcharge_rate', (row) => row.surchargeRate),
    text('currency', (row) => row.currency.toUpperCase()),
    money('fee', (row) => row.fee),
    money('incentive', (row) => row.incentive),
  ],
};

const aged: FactDef<RowOf<typeof agedFees>> = {
  reader: agedFees,
  table: 'inventory.aged_fee',
  mode: 'file',
  day: (row) => row.day,
  country: (row) => row.country,
  isNamed: () => true,
  problem: charged,
  pieces: (row) => row.quantity,
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('tier', (row) => row.tier, true),
    text('condition', (row) => row.condition, true),
    text('country', (row) => row.country, true),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    money('volume', (row) => row.volume),
    text('volume_unit', (row) => row.volumeUnit),
    int('quantity', (row) => row.quantity),
    text('currency', (row) => row.currency.toUpperCase()),
    money('fee', (row) => row.fee),
    money('rate', (row) => row.rate),
  ],
};

const previews: FactDef<RowOf<typeof feePreviews>> = {
  reader: feePreviews,
  table: 'inventory.fee_preview',
  mode: 'file',
  about: 'site',
  day: 'present',
  isNamed: () => true,
  pieces: () => 0,
  changed: async (ctx, accountId) => {
    await agingLater(ctx, accountId);
    await auditLater(ctx, accountId);
  },
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    money('price', (row) => row.price),
    money('longest', (row) => row.longest),
    money('median', (row) => row.median),
    money('shortest', (row) => row.shortest),
    text('length_unit', (row) => row.lengthUnit),
    money('weight', (row) => row.weight),
    text('weight_unit', (row) => row.weightUnit),
    text('size_tier', (row) => row.sizeTier),
    text('currency', (row) => row.currency.toUpperCase()),
    money('total', (row) => row.total),
    money('referral', (row) => row.referral),
    money('fulfilment', (row) => row.fulfilment),
  ],
};

const overage: FactDef<RowOf<typeof overageFees>> = {
  reader: overageFees,
  table: 'inventory.overage_fee',
  mode: 'period',
  day: (row) => row.day,
  dayOrder: 'month-first',
  country: (row) => row.country,
  isNamed: () => true,
  problem: charged,
  pieces: () => 0,
  columns: [
    text('country', (row) => row.country.toUpperCase(), true),
    text('storage_type', (row) => row.storageType, true),
    money('usage', (row) => row.usage),
    money('volume_limit', (row) => row.limit),
    money('overage', (row) => row.overage ?? '0'),
    text('volume_unit', (row) => row.volumeUnit),
    money('rate', (row) => row.rate),
    money('fee', (row) => row.fee),
    text('currency', (row) => row.currency.toUpperCase()),
  ],
};

export const feeLoaders = [factLoader(storage), factLoader(aged), factLoader(previews), factLoader(overage)];

const COMMON = { inBackground: true, per: 'stock', priority: 55 } as const;
const DAY_SEC = 24 * 3600;
const MONTHLY = {
  ...COMMON,
  how: 'window',
  byMonth: true,
  windowDays: 31,
  historyDays: 60,
  overlapDays: 31,
  cadenceSec: 3 * DAY_SEC,
  sloMin: 4 * 24 * 60,
} as const;

/** Amazon has charged for it in the United States, Canada, the Union and Britain no more since July 2024: nobody asks there. */
const OVERAGE_COUNTRIES = ['MX', 'BR', 'TR', 'AE', 'SA', 'EG', 'IN', 'ZA', 'JP', 'AU', 'SG'];

/** Storage of a month is ready around the tenth of the next: it is asked for every three days until then and after. */
export const feePlans: ReportPlan[] = [
  { ...MONTHLY, code: 'fba.storage', title: 'FBA仓储费', reportType: storageFees.type },
  { ...MONTHLY, code: 'fba.aged', title: '超龄库存附加费', reportType: agedFees.type },
  {
    ...MONTHLY,
    code: 'fba.overage',
    title: '超量仓储费',
    reportType: overageFees.type,
    countries: OVERAGE_COUNTRIES,
    priority: 78,
  },
  {
    ...COMMON,
    // The Union shares its stock, not its fees.
    per: 'site',
    code: 'fba.feePreview',
    title: '预估FBA费用',
    reportType: feePreviews.type,
    how: 'snapshot',
    windowDays: 1,
    historyDays: 0,
    cadenceSec: 7 * DAY_SEC,
    sloMin: 8 * 24 * 60,
  },
];
