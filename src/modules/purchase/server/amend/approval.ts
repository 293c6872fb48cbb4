import { Decimal } from '#kit/contract/decimal.ts';
import type { Approvable, ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { warehouseChoices, warehouses } from '#modules/warehouse/server/index.ts';
import { type AmendmentStep, amendment } from '../../contract/amend.ts';
import { PRICE, VIEW } from '../../contract/fields.ts';
import { loaded } from '../order/load.ts';
import { supplierOf } from '../order/suppliers.ts';
import { amendmentBy, decideAmendment, handIn, wordsOfChanges } from './decide.ts';

async function subject(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const change = await amendmentBy(ctx, id);
  const order = await loaded(ctx, change.order);
  const supplier = await supplierOf(ctx, order.supplier);
  const place = (await warehouses(ctx)).get(order.warehouse)?.name ?? '';
  const approved = new Decimal(order.approvedAmount ?? order.amount);
  const amount = new Decimal(change.platformTotal ?? new Decimal(order.amount).plus(change.difference));
  const rise = approved.isZero() ? new Decimal(0) : amount.div(approved).minus(1).times(100);
  return {
    number: change.number,
    summary: `变更采购单 ${order.number} · ${supplier.name}`,
    facts: [
      { label: '采购单', value: order.number },
      { label: '供应商', value: `${supplier.name}（评级 ${supplier.grade}）` },
      { label: '入库仓', value: place },
      { label: '变更内容', value: await wordsOfChanges(ctx, change, false) },
      { label: '比批准金额', value: `+${rise.toFixed(2)}%` },
      { label: '原因', value: change.reason },
    ],
    amount: amount.toFixed(),
    currency: order.currency,
    place,
    warehouses: [order.warehouse],
    vars: {
      warehouse: order.warehouse,
      supplier: order.supplier,
      grade: supplier.grade,
      rise: rise.toDecimalPlaces(2).toFixed(),
    },
    ...(order.createdBy ? { people: { buyer: [order.createdBy] } } : {}),
    content: {
      order: change.order,
      changes: change.changes,
      reason: change.reason,
      ...(change.platformTotal === null ? {} : { platformTotal: change.platformTotal }),
    },
  };
}

const grades = ['A', 'B', 'C', 'D'].map((value) => ({ value, title: value }));

/** Changes of orders as flows see them: the amount is what the order would come to. */
export const amendmentApproval: Approvable = {
  def: amendment,
  table: 'purchase.amendment',
  view: VIEW,
  amountPermission: PRICE,
  fields: [
    { key: 'warehouse', title: '入库仓', kind: 'choice', options: warehouseChoices },
    { key: 'grade', title: '供应商评级', kind: 'choice', options: async () => grades },
    { key: 'rise', title: '比批准金额（%）', kind: 'number' },
  ],
  people: { buyer: '采购员' },
  subject,
  take: (ctx, id, step, reason) =>
    step === 'submit' ? handIn(ctx, id) : decideAmendment(ctx, step as AmendmentStep, { id, reason }),
};
