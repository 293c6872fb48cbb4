import { inventoryPlanning, type ReportPlan, strandedInventory } from '#modules/marketplace/server/index.ts';
import { agingLater } from '../aging/later.ts';
import { day, int, money, text } from './columns.ts';
import type { FactDef, RowOf } from './def.ts';
import { factLoader } from './load.ts';

const planning: FactDef<RowOf<typeof inventoryPlanning>> = {
  reader: inventoryPlanning,
  table: 'inventory.planning_day',
  mode: 'file',
  day: 'present',
  country: (row) => row.marketplace,
  isNamed: () => true,
  problem: (row) => (row.available < 0 ? '可售数量为负' : undefined),
  pieces: (row) => row.available,
  changed: agingLater,
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('condition', (row) => row.condition, true),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    int('available', (row) => row.available),
    int('pending_removal', (row) => row.pendingRemoval),
    int('age_0', (row) => row.age0),
    int('age_91', (row) => row.age91),
    int('age_181', (row) => row.age181),
    int('age_271', (row) => row.age271),
    int('age_366', (row) => row.age366),
    int('age_456', (row) => row.age456),
    text('currency', (row) => row.currency.toUpperCase()),
    int('shipped_7', (row) => row.shipped7),
    int('shipped_30', (row) => row.shipped30),
    int('shipped_60', (row) => row.shipped60),
    int('shipped_90', (row) => row.shipped90),
    text('alert', (row) => row.alert),
    money('price', (row) => row.price),
    text('action', (row) => row.action),
    money('sell_through', (row) => row.sellThrough),
    text('storage_type', (row) => row.storageType),
    money('supply_days', (row) => row.supplyDays),
    int('excess', (row) => row.excess),
    money('storage_cost', (row) => row.storageCost),
    int('inbound', (row) => row.inbound),
    int('reserved', (row) => row.reserved),
    int('unfulfillable', (row) => row.unfulfillable),
    money('historical_days', (row) => row.historicalSupplyDays),
    text('health', (row) => row.health),
    int('ship_in', (row) => row.shipIn),
    text('ship_in_day', (row) => row.shipInDay),
  ],
};

const stranded: FactDef<RowOf<typeof strandedInventory>> = {
  reader: strandedInventory,
  table: 'inventory.stranded_day',
  mode: 'file',
  day: 'present',
  isNamed: () => true,
  pieces: (row) => row.fulfillable + row.unfulfillable,
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('condition', (row) => row.condition, true),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    text('action', (row) => row.action),
    day('stranded_day', (row) => row.strandedDay),
    text('unsellable_day', (row) => row.unsellableDay),
    text('status', (row) => row.status),
    text('detail', (row) => row.detail),
    text('message', (row) => row.message),
    text('reason', (row) => row.reason),
    int('fulfillable', (row) => row.fulfillable),
    money('price', (row) => row.price),
    int('unfulfillable', (row) => row.unfulfillable),
    int('reserved', (row) => row.reserved),
    int('inbound', (row) => row.inbound),
  ],
};

export const planningLoaders = [factLoader(planning), factLoader(stranded)];

const DAILY = {
  inBackground: true,
  how: 'snapshot',
  per: 'stock',
  windowDays: 1,
  historyDays: 0,
  priority: 52,
  cadenceSec: 24 * 3600,
  sloMin: 26 * 60,
} as const;

export const planningPlans: ReportPlan[] = [
  { ...DAILY, code: 'fba.planning', title: 'FBA库龄与规划', reportType: inventoryPlanning.type },
  { ...DAILY, code: 'fba.stranded', title: '无在售库存', reportType: strandedInventory.type },
];
