import { emit } from '#kit/server/events.ts';
import {
  businessDay,
  customerReturns,
  type ReportPlan,
  reimbursements,
  removalOrders,
  removalShipments,
  reservedInventory,
} from '#modules/marketplace/server/index.ts';
import { findLater } from '../claims/later.ts';
import { reimbursed } from '../reimbursed.ts';
import { returnsTouched } from '../returned.ts';
import { instant, int, money, text } from './columns.ts';
import type { FactDef, RowOf } from './def.ts';
import { factLoader } from './load.ts';

const dayOf = (at: string | null, zone: string): string | null => (at === null ? null : businessDay(at, zone));

const returns: FactDef<RowOf<typeof customerReturns>> = {
  reader: customerReturns,
  table: 'inventory.customer_return',
  mode: 'period',
  day: (row, zone) => dayOf(row.returnedAt, zone),
  // Each piece has its plate; rows without one of different buyers still differ in the order.
  isNamed: (row) => row.plate !== '',
  problem: (row) => (row.quantity === null ? '缺少数量' : row.quantity < 0 ? '数量为负' : undefined),
  pieces: (row) => row.quantity ?? 0,
  changed: async (ctx, accountId, days) => {
    await findLater(ctx, accountId);
    await emit(ctx, returnsTouched, { accountId, ...days });
  },
  columns: [
    instant('returned_at', (row) => row.returnedAt, true),
    text('order_id', (row) => row.orderId, true),
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('plate', (row) => row.plate, true),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    int('quantity', (row) => row.quantity),
    text('centre', (row) => row.centre),
    text('disposition', (row) => row.disposition.toUpperCase()),
    text('reason', (row) => row.reason),
    text('status', (row) => row.status),
    text('comments', (row) => row.comments),
  ],
};

const paid: FactDef<RowOf<typeof reimbursements>> = {
  reader: reimbursements,
  table: 'inventory.reimbursement',
  mode: 'period',
  day: (row, zone) => dayOf(row.approvedAt, zone),
  isNamed: () => true,
  problem: (row) =>
    row.amount === null ? '缺少总金额' : /^[A-Za-z]{3}$/.test(row.currency) ? undefined : '币种无法识别',
  pieces: (row) => row.quantity,
  changed: (ctx, accountId) => emit(ctx, reimbursed, { accountId }),
  columns: [
    instant('approved_at', (row) => row.approvedAt),
    text('reimbursement_id', (row) => row.reimbursementId, true),
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('order_id', (row) => row.orderId, true),
    text('reason', (row) => row.reason, true),
    text('case_id', (row) => row.caseId),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    text('condition', (row) => row.condition),
    text('currency', (row) => row.currency.toUpperCase()),
    money('amount_per_unit', (row) => row.amountPerUnit),
    money('amount', (row) => row.amount),
    int('quantity_cash', (row) => row.quantityCash),
    int('quantity_inventory', (row) => row.quantityInventory),
    int('quantity', (row) => row.quantity),
    text('original_id', (row) => row.originalId),
    text('original_type', (row) => row.originalType),
  ],
};

const removals: FactDef<RowOf<typeof removalOrders>> = {
  reader: removalOrders,
  table: 'inventory.removal_line',
  mode: 'rows',
  newer: 'updated_at',
  day: (row, zone) => dayOf(row.requestedAt, zone),
  isNamed: () => true,
  problem: (row) => (row.updatedAt === null ? '缺少更新时间' : undefined),
  pieces: (row) => row.requested,
  changed: findLater,
  columns: [
    instant('requested_at', (row) => row.requestedAt),
    instant('updated_at', (row) => row.updatedAt),
    text('order_id', (row) => row.orderId, true),
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('disposition', (row) => row.disposition, true),
    text('order_source', (row) => row.orderSource),
    text('order_type', (row) => row.orderType),
    text('service_speed', (row) => row.serviceSpeed),
    text('status', (row) => row.status),
    int('requested', (row) => row.requested),
    int('cancelled', (row) => row.cancelled),
    int('disposed', (row) => row.disposed),
    int('shipped', (row) => row.shipped),
    int('in_process', (row) => row.inProcess),
    money('fee', (row) => row.fee),
    text('currency', (row) => row.currency.toUpperCase()),
  ],
};

const parcels: FactDef<RowOf<typeof removalShipments>> = {
  reader: removalShipments,
  table: 'inventory.removal_parcel',
  mode: 'period',
  day: (row, zone) => dayOf(row.shippedAt, zone),
  isNamed: (row) => row.tracking !== '',
  problem: (row) => (row.quantity === null ? '缺少数量' : undefined),
  pieces: (row) => row.quantity ?? 0,
  changed: findLater,
  columns: [
    instant('requested_at', (row) => row.requestedAt),
    instant('shipped_at', (row) => row.shippedAt, true),
    text('order_id', (row) => row.orderId, true),
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('disposition', (row) => row.disposition, true),
    text('tracking', (row) => row.tracking, true),
    text('carrier', (row) => row.carrier),
    text('order_type', (row) => row.orderType),
    int('quantity', (row) => row.quantity),
  ],
};

const reserved: FactDef<RowOf<typeof reservedInventory>> = {
  reader: reservedInventory,
  table: 'inventory.reserved_day',
  mode: 'file',
  day: 'present',
  isNamed: () => true,
  problem: (row) => (row.sku === '' ? '缺少 MSKU' : undefined),
  pieces: (row) => row.reserved,
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('program', (row) => row.program, true),
    text('asin', (row) => row.asin),
    int('reserved', (row) => row.reserved),
    int('customer_orders', (row) => row.customerOrders),
    int('transfers', (row) => row.transfers),
    int('processing', (row) => row.processing),
    int('staging', (row) => row.staging),
  ],
};

export const eventLoaders = [
  factLoader(returns),
  factLoader(paid),
  factLoader(removals),
  factLoader(parcels),
  factLoader(reserved),
];

const WINDOW = {
  inBackground: true,
  how: 'window',
  per: 'stock',
  windowDays: 120,
  historyDays: 120,
  priority: 45,
} as const;
const DAILY = { cadenceSec: 24 * 3600, sloMin: 26 * 60 } as const;
const OFTEN = { cadenceSec: 6 * 3600, sloMin: 8 * 60 } as const;

/** How far back each report is read again: as late as Amazon still corrects it. */
export const eventPlans: ReportPlan[] = [
  { ...WINDOW, ...DAILY, code: 'fba.returns', title: 'FBA退货', reportType: customerReturns.type, overlapDays: 35 },
  {
    ...WINDOW,
    ...DAILY,
    code: 'fba.reimbursements',
    title: 'FBA赔偿',
    reportType: reimbursements.type,
    overlapDays: 90,
  },
  { ...WINDOW, ...OFTEN, code: 'fba.removals', title: '移除订单', reportType: removalOrders.type, overlapDays: 30 },
  {
    ...WINDOW,
    ...OFTEN,
    code: 'fba.removalParcels',
    title: '移除货件',
    reportType: removalShipments.type,
    overlapDays: 30,
  },
  {
    ...DAILY,
    inBackground: true,
    how: 'snapshot',
    per: 'stock',
    windowDays: 1,
    historyDays: 0,
    priority: 50,
    code: 'fba.reserved',
    title: '预留库存',
    reportType: reservedInventory.type,
  },
];
