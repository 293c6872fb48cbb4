import type { Approvable, ApprovalSubject } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { warehouseChoices, warehouses } from '#modules/warehouse/server/index.ts';
import { PRICE } from '../../contract/fields.ts';
import { amountOf } from '../../contract/money.ts';
import { PROCESS_VIEW, ProcessKind, type ProcessStep, processOrder } from '../../contract/process.ts';
import { supplierOf } from '../order/suppliers.ts';
import { actProcess } from './act.ts';
import { loadedProcess } from './load.ts';

const titleOf = (kind: string) => ProcessKind.meta()?.states?.[kind]?.title ?? kind;

async function subject(ctx: Ctx, id: string): Promise<ApprovalSubject> {
  const order = await loadedProcess(ctx, id);
  const product = (await localProducts(ctx, [order.product])).get(order.product);
  const processor = order.supplier === null ? undefined : await supplierOf(ctx, order.supplier);
  const place = (await warehouses(ctx)).get(order.warehouse)?.name ?? '';
  const qty = order.qty.toLocaleString('en-US');
  return {
    number: order.number,
    summary: `${titleOf(order.kind)} · ${product?.sku ?? ''} · ${qty} 件`,
    facts: [
      { label: '主产品', value: `${product?.sku ?? ''} ${product?.name ?? ''}` },
      { label: '加工数', value: qty },
      { label: '子件', value: `${order.parts.length} 种` },
      { label: '仓库', value: place },
      ...(processor ? [{ label: '加工商', value: `${processor.name}（评级 ${processor.grade}）` }] : []),
    ],
    amount: amountOf(order.qty, order.feePrice, 'CNY'),
    currency: 'CNY',
    place,
    warehouses: [order.warehouse],
    vars: { kind: order.kind, warehouse: order.warehouse, qty: order.qty },
    ...(order.createdBy ? { people: { maker: [order.createdBy] } } : {}),
    content: { ...order, state: undefined, version: undefined, updatedByName: undefined },
  };
}

const kinds = ['INHOUSE', 'OUTSOURCE'].map((value) => ({ value, title: titleOf(value) }));

/** Process orders as flows see them: the amount is the fee for all pieces, CNY. */
export const processApproval: Approvable = {
  def: processOrder,
  table: 'purchase.process_order',
  view: PROCESS_VIEW,
  amountPermission: PRICE,
  fields: [
    { key: 'kind', title: '加工方式', kind: 'choice', options: async () => kinds },
    { key: 'warehouse', title: '仓库', kind: 'choice', options: warehouseChoices },
    { key: 'qty', title: '加工数', kind: 'number' },
  ],
  people: { maker: '制单人' },
  subject,
  take: (ctx, id, step, reason) => actProcess(ctx, step as ProcessStep, { id, reason }),
};
