import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { requireUnlocked } from '#kit/server/approval.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { type ProcessInput, processOrder } from '../../contract/process.ts';

import { supplierOf } from '../order/suppliers.ts';
import { lockedProcess, type Process } from './load.ts';

async function requirePlace(ctx: Ctx, id: string): Promise<void> {
  const place = await warehouseOf(ctx, id);
  requireMove(ctx, place.id);
  if (place.disabled) throw refused(`仓库【${place.name}】已停用`, 'B1002');
  if (place.quality !== 'GOOD') throw refused('加工须选择正品仓', 'B1070');
}

async function requireParts(ctx: Ctx, input: ProcessInput): Promise<void> {
  const parts = input.parts.map((part) => part.productId);
  if (parts.includes(input.productId)) throw refused('主产品不能同时是子件', 'B1070');
  if (new Set(parts).size < parts.length) throw refused('不能重复添加SKU', 'B1005');
  const known = await localProducts(ctx, [input.productId, ...parts]);
  if (known.size < parts.length + 1) throw refused('商品不存在或已删除', 'B1004');
}

async function requireProcessor(ctx: Ctx, input: ProcessInput): Promise<void> {
  if (input.kind === 'INHOUSE') return;
  if (input.supplierId === null) throw refused('委外加工须选择加工商', 'B1070');
  const supplier = await supplierOf(ctx, input.supplierId);
  if (supplier.state === 'blacklisted') throw refused('供应商已停用或评级过低，不能下单', 'B1001');
}

function valuesOf(ctx: Ctx, input: ProcessInput) {
  return {
    kind: input.kind,
    product_id: input.productId,
    qty: input.qty,
    warehouse_id: input.warehouseId,
    supplier_id: input.kind === 'OUTSOURCE' ? input.supplierId : null,
    fee_price: input.feePrice,
    planned_on: input.plannedOn,
    remark: input.remark,
    updated_by_name: ctx.userName,
  };
}

async function created(ctx: Ctx, input: ProcessInput): Promise<Process> {
  const number = await nextNumber(ctx, processOrder.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('purchase.process_order')
    .values({
      company_id: ctx.companyId,
      number,
      state: 'draft',
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...valuesOf(ctx, input),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, processOrder.name, id, { kind: 'note', title: '创建', to: 'draft' });
  return lockedProcess(ctx, id);
}

async function rewritten(ctx: Ctx, id: string, input: ProcessInput): Promise<Process> {
  const order = await lockedProcess(ctx, id);
  requireMove(ctx, order.warehouse);
  requireFresh(order, input.version);
  if (order.state !== 'draft') {
    await requireUnlocked(ctx, processOrder, order.id);
    throw conflict('单据已提交，不能修改');
  }
  await ctx.db
    .updateTable('purchase.process_order')
    .set({ ...valuesOf(ctx, input), version: order.version + 1, updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await note(ctx, processOrder.name, id, { kind: 'note', title: '修改' });
  return { ...order, version: order.version + 1 };
}

async function putParts(ctx: Ctx, orderId: string, parts: ProcessInput['parts']): Promise<void> {
  await ctx.db
    .deleteFrom('purchase.process_part')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .execute();
  await ctx.db
    .insertInto('purchase.process_part')
    .values(
      parts.map((part, index) => ({
        company_id: ctx.companyId,
        order_id: orderId,
        line_no: index + 1,
        product_id: part.productId,
        qty: part.qty,
      })),
    )
    .execute();
}

/**
 * Writes a new process order, or changes a draft; its parts are replaced. Fee in CNY for a good piece, tax included.
 * @throws refused B1001 processor, B1002/B1070 warehouse, B1004/B1005 products; conflict for a stale or submitted order
 */
export async function saveProcess(ctx: Ctx, input: ProcessInput): Promise<Outcome> {
  await requirePlace(ctx, input.warehouseId);
  await requireParts(ctx, input);
  await requireProcessor(ctx, input);
  const order = input.id ? await rewritten(ctx, input.id, input) : await created(ctx, input);
  await putParts(ctx, order.id, input.parts);
  await audit(ctx, {
    action: '采购加工单·保存',
    resource: processOrder.name,
    resourceId: order.id,
    ...(input.id ? { before: { qty: order.qty, feePrice: order.feePrice, parts: order.parts.length } } : {}),
    after: { number: order.number, ...input },
  });
  return outcome(order, `采购加工单${order.number}已保存`);
}
