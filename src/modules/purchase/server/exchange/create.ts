import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { requireMove, warehouseOf } from '#modules/warehouse/server/index.ts';
import { purchaseExchange } from '../../contract/exchange.ts';
import { purchaseOrder } from '../../contract/order.ts';

import { locked, type Order } from '../order/load.ts';
import { returnableOf } from '../order/quantities.ts';
import { askToConfirm } from './tell.ts';

interface Input {
  orderId: string;
  takesStock: boolean;
  warehouseId?: string | undefined;
  targetId?: string | undefined;
  reason: string;
  trackingNo: string;
  lines: readonly { lineId: string; qty: number }[];
}

/** @throws refused B1042 for lines that are not the order's, or more than came and neither went back nor is exchanged */
export function requireExchangeable(order: Order, lines: readonly { lineId: string; qty: number }[]): void {
  if (!['ordered', 'closed'].includes(order.state)) throw refused('订单未下单或已作废，不能换货', 'B1042');
  if (new Set(lines.map((line) => line.lineId)).size < lines.length) throw refused('不能重复添加明细', 'B1042');
  for (const { lineId, qty } of lines) {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1042');
    const most = returnableOf(line);
    if (qty > most) throw refused(`第${line.lineNo}行可换数量为${most}`, 'B1042', { line: line.id, most });
  }
}

/** Where good pieces may come. @throws refused B1043 */
async function requireTarget(ctx: Ctx, id: string): Promise<void> {
  const place = await warehouseOf(ctx, id);
  requireMove(ctx, place.id);
  if (place.disabled) throw refused(`仓库【${place.name}】已停用`, 'B1043');
  if (place.quality !== 'GOOD') throw refused('换入仓须为正品仓', 'B1043');
  if (place.kind === 'FBA' || place.kind === 'AWD')
    throw refused(`【${place.name}】的库存由平台管理，不能作为换入仓`, 'B1043');
}

async function insert(ctx: Ctx, order: Order, input: Input, places: { from: string; to: string }) {
  const number = await nextNumber(ctx, purchaseExchange.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('purchase.exchange_order')
    .values({
      company_id: ctx.companyId,
      number,
      order_id: order.id,
      supplier_id: order.supplier,
      warehouse_id: places.from,
      target_id: places.to,
      state: purchaseExchange.initial,
      takes_stock: input.takesStock,
      reason: input.reason,
      tracking_no: input.trackingNo,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('purchase.exchange_line')
    .values(
      input.lines.map((line, index) => ({
        company_id: ctx.companyId,
        exchange_id: id,
        line_no: index + 1,
        order_line_id: line.lineId,
        product_id: order.lines.find((one) => one.id === line.lineId)?.product ?? '',
        qty: line.qty,
      })),
    )
    .execute();
  return { id, number };
}

/**
 * Writes an exchange; nothing moves before it is confirmed. @throws refused B1042 more than there is or an order that was
 * not placed, B1043 place
 */
export async function createExchange(ctx: Ctx, input: Input): Promise<Outcome> {
  const order = await locked(ctx, input.orderId);
  requireExchangeable(order, input.lines);
  if (input.takesStock && !input.warehouseId) throw refused('请选择换出仓', 'B1043');
  const places = { from: input.warehouseId ?? order.warehouse, to: input.targetId ?? order.warehouse };
  const from = await warehouseOf(ctx, places.from);
  requireMove(ctx, from.id);
  await requireTarget(ctx, places.to);
  const made = await insert(ctx, order, input, places);
  const pieces = input.lines.reduce((total, line) => total + line.qty, 0);
  await note(ctx, purchaseExchange.name, made.id, { kind: 'note', title: '创建', to: purchaseExchange.initial });
  const body = `${made.number}，${pieces} 件：${input.reason}`;
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '申请换货', body });
  await audit(ctx, {
    action: '采购换货·新建',
    resource: purchaseExchange.name,
    resourceId: made.id,
    after: { number: made.number, order: order.number, ...input },
  });
  await askToConfirm(ctx, made, order.number);
  return outcome({ ...made, state: purchaseExchange.initial, version: 0 }, `采购换货单${made.number}已保存`);
}
