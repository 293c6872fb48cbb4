import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type PlanningFilter, PlanningRow, type StrandedFilter, StrandedRow } from '../../contract/planning.ts';
import { among, containing, type FactList } from './base.ts';
import { newestOf } from './newest.ts';

const plain = (value: string | null): string | null => (value === null ? null : plainDecimal(value));

interface Planning {
  title: string;
  available: number;
  age_0: number;
  age_91: number;
  age_181: number;
  age_271: number;
  age_366: number;
  age_456: number;
  currency: string;
  shipped_7: number;
  shipped_30: number;
  shipped_90: number;
  alert: string;
  action: string;
  supply_days: string | null;
  excess: number;
  storage_cost: string | null;
  inbound: number;
  reserved: number;
  unfulfillable: number;
  historical_days: string | null;
  health: string;
  ship_in: number | null;
}

const PLANNING_SUMS = {
  available: 'available',
  inboundPieces: 'inbound',
  reservedPieces: 'reserved',
  unfulfillable: 'unfulfillable',
  age0: 'age_0',
  age91: 'age_91',
  age181: 'age_181',
  age271: 'age_271',
  age366: 'age_366',
  age456: 'age_456',
  shipped7: 'shipped_7',
  shipped30: 'shipped_30',
  shipped90: 'shipped_90',
  excess: 'excess',
};

/** How old the goods are and how long they last. */
export const planningList = (ctx: Ctx, filter: PlanningFilter): FactList<Planning, PlanningRow> => ({
  title: 'FBA库龄',
  resource: 'inventory.planning',
  row: PlanningRow,
  query: among(
    newestOf(ctx, 'inventory.planning_day', 'GET_FBA_INVENTORY_PLANNING_DATA', filter),
    'action',
    filter.actions,
  ),
  sort: {
    day: 'f.day',
    supplyDays: 'f.supply_days',
    ...Object.fromEntries(Object.entries(PLANNING_SUMS).map(([key, column]) => [key, `f.${column}`])),
  },
  sums: PLANNING_SUMS,
  map: (row, goods) => ({
    ...goods,
    available: row.available,
    inboundPieces: row.inbound,
    reservedPieces: row.reserved,
    unfulfillable: row.unfulfillable,
    age0: row.age_0,
    age91: row.age_91,
    age181: row.age_181,
    age271: row.age_271,
    age366: row.age_366,
    age456: row.age_456,
    shipped7: row.shipped_7,
    shipped30: row.shipped_30,
    shipped90: row.shipped_90,
    supplyDays: plain(row.supply_days),
    historicalDays: plain(row.historical_days),
    excess: row.excess,
    alert: row.alert,
    action: row.action,
    health: row.health,
    shipIn: row.ship_in,
    storageCost: row.storage_cost,
    currency: row.currency,
    fnsku: row.fnsku,
  }),
});

interface Stranded {
  title: string;
  action: string;
  stranded_day: string | null;
  unsellable_day: string;
  status: string;
  detail: string;
  message: string;
  reason: string;
  fulfillable: number;
  unfulfillable: number;
  reserved: number;
  inbound: number;
}

const STRANDED_SUMS = { fulfillable: 'fulfillable', unfulfillable: 'unfulfillable', reservedPieces: 'reserved' };

/** Goods in the warehouse that nobody can buy. */
export const strandedList = (ctx: Ctx, filter: StrandedFilter): FactList<Stranded, StrandedRow> => ({
  title: '无在售库存',
  resource: 'inventory.stranded',
  row: StrandedRow,
  query: containing(
    newestOf(ctx, 'inventory.stranded_day', 'GET_STRANDED_INVENTORY_UI_DATA', filter),
    'reason',
    filter.reason,
  ),
  sort: { day: 'f.day', strandedSince: 'f.stranded_day', fulfillable: 'f.fulfillable' },
  sums: STRANDED_SUMS,
  map: (row, goods) => ({
    ...goods,
    reason: row.reason,
    strandedSince: row.stranded_day,
    unsellableAfter: row.unsellable_day,
    fulfillable: row.fulfillable,
    unfulfillable: row.unfulfillable,
    reservedPieces: row.reserved,
    inboundPieces: row.inbound,
    status: row.status,
    detail: row.detail,
    message: row.message,
    strandedAction: row.action,
    fnsku: row.fnsku,
  }),
});
