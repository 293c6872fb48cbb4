import { emit } from '#kit/server/events.ts';
import { merchantReturns, type ReportPlan } from '#modules/marketplace/server/index.ts';
import { returnsTouched } from '../returned.ts';
import { day, int, money, text } from './columns.ts';
import type { FactDef, RowOf } from './def.ts';
import { factLoader } from './load.ts';

type Return = RowOf<typeof merchantReturns>;

function problemOf({ quantity, currency, refunded, orderAmount, labelCost }: Return): string | undefined {
  if (quantity === null) return '缺少退货数量';
  if (quantity < 0) return '退货数量为负';
  const isPriced = [refunded, orderAmount, labelCost].some((amount) => amount !== null);
  return isPriced && !/^[A-Za-z]{3}$/.test(currency) ? '币种无法识别' : undefined;
}

const returns: FactDef<Return> = {
  reader: merchantReturns,
  table: 'inventory.merchant_return',
  mode: 'period',
  // Rows name no site; orders of one site never stand in the report of another.
  about: 'site',
  day: (row) => row.day,
  isNamed: () => true,
  problem: problemOf,
  pieces: (row) => row.quantity ?? 0,
  changed: (ctx, accountId, days) => emit(ctx, returnsTouched, { accountId, ...days }),
  columns: [
    text('rma', (row) => row.rma, true),
    text('order_id', (row) => row.orderId, true),
    text('seller_sku', (row) => row.sku, true),
    text('merchant_rma', (row) => row.merchantRma),
    day('order_day', (row) => row.orderDay),
    day('delivered_day', (row) => row.deliveredDay),
    text('status', (row) => row.status),
    text('asin', (row) => row.asin),
    text('title', (row) => row.title),
    int('quantity', (row) => row.quantity),
    text('reason', (row) => row.reason),
    text('in_policy', (row) => row.inPolicy.toUpperCase()),
    text('return_type', (row) => row.returnType),
    text('resolution', (row) => row.resolution),
    text('claim', (row) => row.claim.toUpperCase()),
    text('label_type', (row) => row.labelType),
    text('label_payer', (row) => row.labelPayer),
    money('label_cost', (row) => row.labelCost),
    text('carrier', (row) => row.carrier),
    text('tracking', (row) => row.tracking),
    text('currency', (row) => row.currency.toUpperCase()),
    money('order_amount', (row) => row.orderAmount),
    money('refunded', (row) => row.refunded),
    text('safet_id', (row) => row.safetId),
    text('safet_state', (row) => row.safetState),
    money('safet_amount', (row) => row.safetAmount),
  ],
};

export const merchantReturnLoaders = [factLoader(returns)];

/**
 * A return changes for weeks after the buyer asked for it, so all that one report can hold is read again each day; 59 days, as
 * a day of 25 hours would make 60 too many.
 */
export const merchantReturnPlans: ReportPlan[] = [
  {
    code: 'mfn.returns',
    title: '自发货退货',
    reportType: merchantReturns.type,
    inBackground: true,
    how: 'window',
    per: 'site',
    windowDays: 59,
    historyDays: 59,
    overlapDays: 59,
    priority: 74,
    cadenceSec: 24 * 3600,
    sloMin: 26 * 60,
  },
];
