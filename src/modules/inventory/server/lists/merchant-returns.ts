import type { Ctx } from '#kit/server/context.ts';
import { type MerchantReturnFilter, MerchantReturnRow } from '../../contract/merchant-returns.ts';
import { among, type FactList, factsOf } from './base.ts';

interface Return {
  title: string;
  order_id: string;
  rma: string;
  merchant_rma: string;
  order_day: string | null;
  delivered_day: string | null;
  status: string;
  quantity: number;
  reason: string;
  in_policy: string;
  return_type: string;
  resolution: string;
  claim: string;
  label_type: string;
  label_payer: string;
  label_cost: string | null;
  carrier: string;
  tracking: string;
  currency: string;
  order_amount: string | null;
  refunded: string | null;
  safet_id: string;
  safet_state: string;
  safet_amount: string | null;
}

const NAMES = 'f.seller_sku, f.asin, f.order_id, f.rma';

/** The list of what buyers send back to the seller himself. */
export const merchantReturnList = (
  ctx: Ctx,
  { states, reasons, ...filter }: MerchantReturnFilter,
): FactList<Return, MerchantReturnRow> => ({
  title: '自发货退货',
  resource: 'inventory.merchantReturn',
  row: MerchantReturnRow,
  query: among(among(factsOf(ctx, 'inventory.merchant_return', filter, NAMES), 'status', states), 'reason', reasons),
  sort: { day: 'f.day', quantity: 'f.quantity', reason: 'f.reason', refundedAmount: 'f.refunded' },
  sums: { quantity: 'quantity' },
  map: (row, goods) => ({
    ...goods,
    orderId: row.order_id,
    returnState: row.status,
    rma: row.rma,
    quantity: row.quantity,
    reason: row.reason,
    inPolicy: row.in_policy,
    claim: row.claim,
    orderAmount: row.order_amount,
    refundedAmount: row.refunded,
    labelCost: row.label_cost,
    labelPayer: row.label_payer,
    currency: row.currency,
    carrier: row.carrier,
    tracking: row.tracking,
    deliveredOn: row.delivered_day,
    orderedOn: row.order_day,
    resolution: row.resolution,
    returnType: row.return_type,
    labelType: row.label_type,
    merchantRma: row.merchant_rma,
    safetId: row.safet_id,
    safetState: row.safet_state,
    safetAmount: row.safet_amount,
  }),
});
