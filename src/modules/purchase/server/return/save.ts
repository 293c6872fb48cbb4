import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { purchaseReturn } from '../../contract/return.ts';

import { locked, type Order } from '../order/load.ts';
import { returnableOf } from '../order/quantities.ts';

interface Input {
  orderId: string;
  warehouseId: string;
  way: string;
  reason: string;
  trackingNo: string;
  lines: readonly { lineId: string; qty: number }[];
}

/** @throws refused B1040 for lines that are not the order's, or more than came and stayed */
export function requireReturnable(order: Order, lines: readonly { lineId: string; qty: number }[]): void {
  if (new Set(lines.map((line) => line.lineId)).size < lines.length) throw refused('不能重复添加明细', 'B1040');
  for (const { lineId, qty } of lines) {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1040');
    const most = returnableOf(line);
    if (qty > most) throw refused(`可退数量为${most}`, 'B1040', { line: line.id, most });
  }
}

/** Replacements need an order that still runs; what is only credited may go back later as well. */
export function requireReturning(order: Order, way: string): void {
  const states = way === 'REPLACE' ? ['ordered'] : ['ordered', 'closed'];
  if (!states.includes(order.state)) throw refused('采购单已结束，只能退货抵扣', 'B1041');
}

async function insert(ctx: Ctx, order: Order, input: Input): Promise<{ id: string; number: string }> {
  const number = await nextNumber(ctx, purchaseReturn.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('purchase.return_order')
    .values({
      company_id: ctx.companyId,
      number,
      order_id: order.id,
      supplier_id: order.supplier,
      warehouse_id: input.warehouseId,
      state: 'draft',
      way: input.way,
      reason: input.reason,
      tracking_no: input.trackingNo,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('purchase.return_line')
    .values(
      input.lines.map((line, index) => ({
        company_id: ctx.companyId,
        return_id: id,
        line_no: index + 1,
        order_line_id: line.lineId,
        product_id: order.lines.find((one) => one.id === line.lineId)?.product ?? '',
        qty: line.qty,
      })),
    )
    .execute();
  return { id, number };
}

/** Writes a return; nothing moves before it is shipped. @throws refused B1040 more than there is, B1041 state, B0802 place */
export async function createReturn(ctx: Ctx, input: Input): Promise<Outcome> {
  const order = await locked(ctx, input.orderId);
  requireReturning(order, input.way);
  requireReturnable(order, input.lines);
  const place = await warehouseOf(ctx, input.warehouseId);
  requireMove(ctx, place.id);
  const made = await insert(ctx, order, input);
  await note(ctx, purchaseReturn.name, made.id, { kind: 'note', title: '创建', to: 'draft' });
  await audit(ctx, {
    action: '采购退货·新建',
    resource: purchaseReturn.name,
    resourceId: made.id,
    after: { number: made.number, order: order.number, ...input },
  });
  return outcome({ ...made, state: 'draft', version: 0 }, `采购退货单${made.number}已保存`);
}
