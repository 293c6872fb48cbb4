import { Decimal } from '#kit/contract/decimal.ts';
import { type Approvable, type ApprovalSubject, approvables } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type Extension, extend } from '#kit/server/extension.ts';
import { warehouseChoices, warehouses } from '#modules/warehouse/server/index.ts';
import { OrderType, PRICE, VIEW } from '../contract/fields.ts';
import { purchaseOrder } from '../contract/order.ts';
import type { OrderStep } from '../contract/order-calls.ts';
import { amendmentApproval } from './amend/approval.ts';
import { act } from './order/act.ts';
import { lastPrices, riseOf } from './order/goods.ts';
import { loaded, type Order } from './order/load.ts';
import { supplierOf } from './order/suppliers.ts';
import { processApproval } from './process/approval.ts';
import { requisitionApproval } from './requisition/approval.ts';

/** How far the dearest line lies above the mean of its last three prices, in percent. */
async function steepest(ctx: Ctx, order: Order): Promise<string> {
  const last = await lastPrices(ctx, {
    supplier: order.supplier,
    currency: order.currency,
    products: order.lines.map((line) => line.product),
    but: order.id,
  });
  const rises = order.lines.flatMap((line) =>
    line.gift ? [] : (riseOf(line.unitPrice, last.get(line.product)) ?? []),
  );
  return Decimal.max(0, ...rises)
    .times(100)
    .toDecimalPlaces(2)
    .toFixed();
}

async function subject(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const order = await loaded(ctx, id);
  const supplier = await supplierOf(ctx, order.supplier);
  const place = (await warehouses(ctx)).get(order.warehouse)?.name ?? '';
  const type = OrderType.meta()?.states?.[order.type]?.title ?? order.type;
  const qty = order.lines.reduce((total, line) => total + line.qty, 0);
  const skus = new Set(order.lines.map((line) => line.product)).size;
  const rise = await steepest(ctx, order);
  return {
    number: order.number,
    summary: `${type} · ${supplier.name} · ${skus} 个SKU 共 ${qty.toLocaleString('en-US')} 件`,
    facts: [
      { label: '供应商', value: `${supplier.name}（评级 ${supplier.grade}）` },
      { label: '入库仓', value: place },
      { label: 'SKU数', value: String(skus) },
      { label: '数量', value: qty.toLocaleString('en-US') },
      { label: '较近3次涨价', value: `${rise}%` },
    ],
    amount: order.amount,
    currency: order.currency,
    place,
    warehouses: [order.warehouse],
    vars: {
      type: order.type,
      warehouse: order.warehouse,
      supplier: order.supplier,
      grade: supplier.grade,
      rise,
      qty,
      skus,
    },
    ...(order.createdBy ? { people: { buyer: [order.createdBy] } } : {}),
    content: {
      ...order,
      state: undefined,
      version: undefined,
      updatedByName: undefined,
      approvedAmount: undefined,
    },
  };
}

async function suppliers(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('supplier.supplier')
    .select(['id as value', 'short_name as title'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('short_name')
    .limit(5000)
    .execute();
  return rows;
}

const types = Object.entries(OrderType.meta()?.states ?? {}).map(([value, { title }]) => ({ value, title }));
const grades = ['A', 'B', 'C', 'D'].map((value) => ({ value, title: value }));

const orders: Approvable = {
  def: purchaseOrder,
  table: 'purchase.purchase_order',
  view: VIEW,
  amountPermission: PRICE,
  fields: [
    { key: 'type', title: '采购类型', kind: 'choice', options: async () => types },
    { key: 'warehouse', title: '入库仓', kind: 'choice', options: warehouseChoices },
    { key: 'supplier', title: '供应商', kind: 'choice', options: suppliers },
    { key: 'grade', title: '供应商评级', kind: 'choice', options: async () => grades },
    { key: 'rise', title: '较近3次涨价（%）', kind: 'number' },
    { key: 'qty', title: '数量', kind: 'number' },
    { key: 'skus', title: 'SKU数', kind: 'number' },
  ],
  people: { buyer: '采购员' },
  fixed: ['supplier', 'warehouse'],
  subject,
  take: (ctx, id, step, reason) => act(ctx, step as OrderStep, { id, reason }),
};

/** The documents of purchasing that flows can approve. */
export const purchaseApprovals: Extension[] = [orders, amendmentApproval, processApproval, requisitionApproval].map(
  (one) => extend(approvables, one),
);
