import { ledgerDetail, ledgerSummary, type ReportPlan } from '#modules/marketplace/server/index.ts';
import { agingLater } from '../aging/later.ts';
import { findLater } from '../claims/later.ts';
import { instant, int, text } from './columns.ts';
import type { FactDef, RowOf } from './def.ts';
import { factLoader } from './load.ts';

type Movement = RowOf<typeof ledgerDetail>;
type Balance = RowOf<typeof ledgerSummary>;

const nobody = (row: { sku: string; fnsku: string }): string | undefined =>
  row.sku === '' && row.fnsku === '' ? '缺少 MSKU 和 FNSKU' : undefined;

const movements: FactDef<Movement> = {
  reader: ledgerDetail,
  table: 'inventory.ledger_event',
  mode: 'period',
  day: (row) => row.day,
  dayOrder: 'month-first',
  country: (row) => row.country,
  isNamed: (row) => row.reference !== '',
  problem: (row) => nobody(row) ?? (row.quantity === null ? '缺少数量' : undefined),
  pieces: (row) => row.quantity ?? 0,
  changed: async (ctx, accountId) => {
    await findLater(ctx, accountId);
    await agingLater(ctx, accountId);
  },
  columns: [
    instant('happened_at', (row) => row.happenedAt, true),
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('asin', (row) => row.asin),
    text('event', (row) => row.event, true),
    text('reference', (row) => row.reference, true),
    int('quantity', (row) => row.quantity, true),
    text('centre', (row) => row.centre, true),
    text('disposition', (row) => row.disposition.toUpperCase(), true),
    text('reason', (row) => row.reason, true),
    text('country', (row) => row.country, true),
    int('reconciled', (row) => row.reconciled),
    int('unreconciled', (row) => row.unreconciled),
  ],
};

const balances: FactDef<Balance> = {
  reader: ledgerSummary,
  table: 'inventory.ledger_day',
  mode: 'period',
  day: (row) => row.day,
  dayOrder: 'month-first',
  country: (row) => row.location,
  // One balance per product, disposition and place: a second one can only be the same told twice.
  isNamed: () => true,
  problem: nobody,
  pieces: (row) => row.ending,
  changed: agingLater,
  columns: [
    text('seller_sku', (row) => row.sku, true),
    text('fnsku', (row) => row.fnsku, true),
    text('asin', (row) => row.asin, true),
    text('disposition', (row) => row.disposition.toUpperCase(), true),
    text('location', (row) => row.location, true),
    int('starting', (row) => row.starting),
    int('in_transit', (row) => row.inTransit),
    int('receipts', (row) => row.receipts),
    int('shipments', (row) => row.shipments),
    int('customer_returns', (row) => row.customerReturns),
    int('vendor_returns', (row) => row.vendorReturns),
    int('transfers', (row) => row.transfers),
    int('found', (row) => row.found),
    int('lost', (row) => row.lost),
    int('damaged', (row) => row.damaged),
    int('disposed', (row) => row.disposed),
    int('other', (row) => row.other),
    int('unknown', (row) => row.unknown),
    int('ending', (row) => row.ending),
  ],
};

export const ledgerLoaders = [factLoader(movements), factLoader(balances)];

const DAILY = { inBackground: true, how: 'window', per: 'stock', cadenceSec: 24 * 3600, sloMin: 26 * 60 } as const;

/** The last week is read again every day: movements are reconciled late. */
export const ledgerPlans: ReportPlan[] = [
  {
    ...DAILY,
    code: 'fba.ledger',
    title: '库存流水',
    reportType: ledgerDetail.type,
    windowDays: 60,
    historyDays: 120,
    overlapDays: 7,
    priority: 40,
  },
  {
    ...DAILY,
    code: 'fba.ledgerDay',
    title: '每日库存',
    reportType: ledgerSummary.type,
    windowDays: 60,
    historyDays: 120,
    overlapDays: 7,
    priority: 40,
  },
];
