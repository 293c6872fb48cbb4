import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type PlanningFilter, PlanningRow, type StrandedFilter, StrandedRow } from '../../contract/planning.ts';
import { among, type FactList, type Facts, withText } from './base.ts';
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
  next_day: string | null;
  next_qty: number | null;
  next_fee: string | null;
  half_fee: string | null;
  half_storage: string | null;
  supply_30: string | null;
  supply_90: string | null;
  low_band: string | null;
  low_month: string | null;
  to_reach: number | null;
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
  nextQty: 'next_qty',
};
const PLANNING_MONEY = {
  nextFee: 'next_fee',
  halfFee: 'half_fee',
  halfStorage: 'half_storage',
  lowMonth: 'low_month',
};

/** Goods of the newest reports that will cost a surcharge or a fee on short stock. */
function costing<Q extends Facts>(query: Q, costs: PlanningFilter['costs']): Q {
  if (!costs) return query;
  return query.where(costs === 'aged' ? sql<boolean>`f.next_qty > 0` : sql<boolean>`f.low_band <> ''`) as Q;
}

/** How old the goods are and how long they last. */
export const planningList = (ctx: Ctx, filter: PlanningFilter): FactList<Planning, PlanningRow> => ({
  title: 'FBA库龄',
  resource: 'inventory.planning',
  row: PlanningRow,
  query: costing(
    among(
      newestOf(ctx, 'inventory.planning_seen', 'GET_FBA_INVENTORY_PLANNING_DATA', filter),
      'action',
      filter.actions,
    ),
    filter.costs,
  ),
  sort: {
    day: 'f.day',
    supplyDays: 'f.supply_days',
    toReach: 'f.to_reach',
    ...Object.fromEntries(
      Object.entries({ ...PLANNING_SUMS, ...PLANNING_MONEY }).map(([key, column]) => [key, `f.${column}`]),
    ),
  },
  sums: PLANNING_SUMS,
  money: PLANNING_MONEY,
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
    nextDay: row.next_day,
    nextQty: row.next_qty,
    nextFee: row.next_fee,
    halfFee: row.half_fee,
    halfStorage: row.half_storage,
    supply30: plain(row.supply_30),
    supply90: plain(row.supply_90),
    lowBand: row.low_band ?? '',
    lowMonth: row.low_month,
    toReach: row.to_reach,
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
  query: withText(
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
