import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../contract/order.ts';
import type { ShipmentRow } from '../contract/shipment.ts';
import { headOf } from './order/load.ts';
import { placedDay } from './payable.ts';

interface Input {
  orderId: string;
  shippedOn: string;
  carrier: string;
  trackingNo: string;
  remark: string;
}

/** What the supplier sent of an order, the latest first. */
export async function shipmentsOf(ctx: Ctx, orderId: string): Promise<ShipmentRow[]> {
  return ctx.db
    .selectFrom('purchase.shipment')
    .select(['id', 'shipped_on as shippedOn', 'carrier', 'tracking_no as trackingNo', 'remark', 'by_name as by', 'at'])
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .orderBy('shipped_on', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/**
 * Writes down that the supplier sent goods of a placed order. @throws refused B1116 an order that is not placed, B1117 a day
 * before it was placed or after today
 */
export async function addShipment(ctx: Ctx, input: Input): Promise<{ id: string }> {
  const order = await headOf(ctx, input.orderId, true);
  requireMove(ctx, order.warehouse);
  if (order.state !== 'ordered') throw refused('只有已下单的采购单可以登记发货', 'B1116');
  const placed = await placedDay(ctx, order.id);
  if (placed !== null && input.shippedOn < placed) throw refused(`发货日期不能早于下单日期${placed}`, 'B1117');
  if (input.shippedOn > ctx.clock.today()) throw refused('发货日期不能晚于今天', 'B1117');
  const { id } = await ctx.db
    .insertInto('purchase.shipment')
    .values({
      company_id: ctx.companyId,
      order_id: order.id,
      shipped_on: input.shippedOn,
      carrier: input.carrier,
      tracking_no: input.trackingNo,
      remark: input.remark,
      by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const words = [input.shippedOn, input.carrier, input.trackingNo].filter(Boolean).join(' ');
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '供应商发货', body: words });
  await audit(ctx, {
    action: '登记供应商发货',
    resource: purchaseOrder.name,
    resourceId: order.id,
    after: { order: order.number, ...input },
  });
  return { id };
}

/**
 * Takes back a shipment that was written down by mistake, as long as its order is not over: the report of lead times says
 * afterwards what it said then. @throws notFound, refused B1119 an order that is not open any more
 */
export async function removeShipment(ctx: Ctx, id: string): Promise<void> {
  const known = await ctx.db
    .selectFrom('purchase.shipment')
    .select('order_id as orderId')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!known) throw notFound();
  const order = await headOf(ctx, known.orderId, true);
  requireMove(ctx, order.warehouse);
  if (order.state !== 'ordered') throw refused('采购单已完成或作废，不能删除供应商发货', 'B1119');
  const row = await ctx.db
    .deleteFrom('purchase.shipment')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning(['order_id as orderId', 'shipped_on as shippedOn', 'tracking_no as trackingNo'])
    .executeTakeFirst();
  // Somebody else was faster while this one waited for the order.
  if (!row) throw notFound();
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '删除供应商发货',
    body: `${row.shippedOn} ${row.trackingNo}`.trim(),
  });
  await audit(ctx, {
    action: '删除供应商发货',
    resource: purchaseOrder.name,
    resourceId: order.id,
    before: { order: order.number, ...row },
  });
}
