import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { can } from '#kit/server/context.ts';
import {
  type PaidSumFilter,
  PaidSumRow,
  type ReimbursementFilter,
  ReimbursementRow,
  type RemovalFilter,
  RemovalRow,
} from '../../contract/events.ts';
import { AMOUNTS } from '../../contract/facts.ts';
import { allOf, among, type FactList, type Facts, factsOf, withText } from './base.ts';
import { goodsCompared } from './goods-compared.ts';

interface Reimbursement {
  title: string;
  approved_at: string;
  reimbursement_id: string;
  case_id: string;
  order_id: string;
  reason: string;
  currency: string;
  amount_per_unit: string | null;
  amount: string;
  quantity_cash: number;
  quantity_inventory: number;
  quantity: number;
  original_id: string;
}

function reimbursementsOf(ctx: Ctx, filter: ReimbursementFilter): Facts {
  const query = among(factsOf(ctx, 'inventory.reimbursement', filter), 'reason', filter.reasons);
  return withText(query, 'reimbursement_id', filter.reimbursementId);
}

/** The list of what Amazon paid for goods that it lost or broke. */
export const reimbursementList = (
  ctx: Ctx,
  filter: ReimbursementFilter,
): FactList<Reimbursement, ReimbursementRow> => ({
  title: '赔偿',
  resource: 'inventory.reimbursement',
  row: ReimbursementRow,
  query: reimbursementsOf(ctx, filter),
  order: [
    ['f.day', 'desc'],
    ['f.approved_at', 'desc'],
  ],
  sort: { day: 'f.day', approvedAt: 'f.approved_at', amount: 'f.amount', quantity: 'f.quantity' },
  sums: { quantityCash: 'quantity_cash', quantityInventory: 'quantity_inventory', quantity: 'quantity' },
  map: (row, goods) => ({
    ...goods,
    approvedAt: row.approved_at,
    reimbursementId: row.reimbursement_id,
    caseId: row.case_id,
    orderId: row.order_id,
    reason: row.reason,
    amountPerUnit: row.amount_per_unit,
    amount: row.amount,
    currency: row.currency,
    quantityCash: row.quantity_cash,
    quantityInventory: row.quantity_inventory,
    quantity: row.quantity,
    originalId: row.original_id,
    fnsku: row.fnsku,
  }),
});

/** The same by product over two periods. Once an account has told of a payment, a day without one had none. */
export const paidSumList = (ctx: Ctx, { dates: _, ...filter }: PaidSumFilter) =>
  goodsCompared(ctx, {
    title: '赔偿汇总对比',
    resource: 'inventory.reimbursement',
    row: PaidSumRow,
    facts: allOf(reimbursementsOf(ctx, filter)),
    told: sql`
    SELECT s.account_id, NULL::text AS marketplace_id, g.day::date AS day
      FROM (SELECT a.id AS account_id,
                   (SELECT min(r.day) FROM inventory.reimbursement AS r
                     WHERE r.company_id = ${ctx.companyId} AND r.account_id = a.id) AS since
              FROM marketplace.seller_account AS a WHERE a.company_id = ${ctx.companyId}) AS s
     CROSS JOIN generate_series(s.since, kit.today(), interval '1 day') AS g (day)`,
    by: ['seller_sku'],
    measures: {
      paidAmount: { of: 'f.amount', kind: 'money' },
      quantity: { of: 'f.quantity', kind: 'integer' },
      payments: { of: '1', kind: 'integer' },
    },
    step: 'day',
    charted: ['paidAmount', 'quantity'],
    first: 'paidAmount',
  });

/** Sums by currency and reason, largest first; amounts only for those who may see them. */
export async function reimbursementSums(ctx: Ctx, filter: ReimbursementFilter) {
  const rows = (await reimbursementsOf(ctx, filter)
    .select([
      sql.raw<string>('f.reason').as('reason'),
      sql.raw<string>('f.currency').as('currency'),
      sql.raw<number>('count(*)').as('count'),
      sql.raw<number>('sum(f.quantity)').as('quantity'),
      sql.raw<string>('sum(f.amount)').as('amount'),
    ])
    .groupBy(sql`f.reason, f.currency`)
    .orderBy(sql`f.currency, sum(f.amount) DESC, f.reason`)
    .execute()) as { reason: string; currency: string; count: number; quantity: number; amount: string }[];
  return can(ctx, AMOUNTS) ? rows : rows.map((row) => ({ ...row, amount: null }));
}

interface Removal {
  requested_at: string;
  updated_at: string;
  order_id: string;
  order_type: string;
  status: string;
  disposition: string;
  requested: number;
  cancelled: number;
  disposed: number;
  shipped: number;
  in_process: number;
  fee: string | null;
  currency: string;
}

function removalsOf(ctx: Ctx, filter: RemovalFilter): Facts {
  let query = factsOf(ctx, 'inventory.removal_line', filter, 'f.seller_sku, f.fnsku');
  query = among(query, 'order_type', filter.orderType);
  query = among(query, 'status', filter.status);
  return withText(query, 'order_id', filter.orderId);
}

/** The list of removal orders, a row per SKU and disposition. */
export const removalList = (ctx: Ctx, filter: RemovalFilter): FactList<Removal, RemovalRow> => ({
  title: '移除订单',
  resource: 'inventory.removal',
  row: RemovalRow,
  query: removalsOf(ctx, filter),
  order: [
    ['f.day', 'desc'],
    ['f.requested_at', 'desc'],
  ],
  sort: { day: 'f.day', requestedAt: 'f.requested_at', updatedAt: 'f.updated_at', requested: 'f.requested' },
  sums: {
    requested: 'requested',
    cancelled: 'cancelled',
    inProcess: 'in_process',
    disposed: 'disposed',
    shipped: 'shipped',
  },
  map: (row, goods) => ({
    ...goods,
    orderId: row.order_id,
    orderType: row.order_type,
    status: row.status,
    requestedAt: row.requested_at,
    updatedAt: row.updated_at,
    disposition: row.disposition,
    requested: row.requested,
    cancelled: row.cancelled,
    inProcess: row.in_process,
    disposed: row.disposed,
    shipped: row.shipped,
    fee: row.fee,
    currency: row.currency,
    fnsku: row.fnsku,
  }),
});
