import { inventoryByCountry, type ReportPlan, recommendedRemovals } from '#modules/marketplace/server/index.ts';
import { conditionOf } from '../fact.ts';
import { int, text } from './columns.ts';
import type { FactDef, RowOf } from './def.ts';
import { factLoader } from './load.ts';

/** Marketplaces whose sellers Amazon tells where in Europe their goods lie. */
const EUROPE = ['UK', 'DE', 'FR', 'IT', 'ES', 'NL', 'BE', 'IE', 'SE', 'PL'];

const byCountry: FactDef<RowOf<typeof inventoryByCountry>> = {
  reader: inventoryByCountry,
  table: 'inventory.country_day',
  mode: 'file',
  about: 'account',
  day: 'present',
  country: (row) => row.country,
  isNamed: () => true,
  problem: (row) => (row.quantity === null ? '缺少数量' : row.quantity < 0 ? '数量为负' : undefined),
  pieces: (row) => row.quantity ?? 0,
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('condition', (row) => conditionOf(row.condition), true),
    text('country', (row) => row.country.toUpperCase(), true),
    text('asin', (row) => row.asin),
    int('quantity', (row) => row.quantity),
  ],
};

const advice: FactDef<RowOf<typeof recommendedRemovals>> = {
  reader: recommendedRemovals,
  table: 'inventory.removal_advice_day',
  mode: 'file',
  day: 'present',
  isNamed: () => true,
  problem: (row) => (row.unsellable < 0 || row.sellableRemoval < 0 ? '数量为负' : undefined),
  pieces: (row) => row.sellableRemoval + row.unsellable,
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('condition', (row) => row.condition, true),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    int('sellable', (row) => row.sellable),
    int('sellable_121', (row) => row.sellable121),
    int('sellable_181', (row) => row.sellable181),
    int('sellable_271', (row) => row.sellable271),
    int('sellable_365', (row) => row.sellable365),
    int('sellable_removal', (row) => row.sellableRemoval),
    int('unsellable', (row) => row.unsellable),
    int('unsellable_0', (row) => row.unsellable0),
    int('unsellable_8', (row) => row.unsellable8),
    int('unsellable_61', (row) => row.unsellable61),
  ],
};

export const stockReportLoaders = [factLoader(byCountry), factLoader(advice)];

const DAILY = {
  inBackground: true,
  how: 'snapshot',
  windowDays: 1,
  historyDays: 0,
  cadenceSec: 24 * 3600,
  sloMin: 26 * 60,
} as const;

export const stockReportPlans: ReportPlan[] = [
  {
    ...DAILY,
    code: 'fba.byCountry',
    title: '欧洲各国库存',
    reportType: inventoryByCountry.type,
    countries: EUROPE,
    priority: 72,
  },
  {
    ...DAILY,
    code: 'fba.removalAdvice',
    title: '建议移除',
    reportType: recommendedRemovals.type,
    per: 'stock',
    priority: 76,
  },
];
