import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { Changed } from '../../contract/box/calls.ts';
import type { PackType } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { touch } from '../order/act.ts';
import { boxesOf, checkedBoxes } from '../order/boxes.ts';
import type { ShipOrder } from '../order/load.ts';

/** The head of an order: all that a change of one box needs, however many lines there are. */
export type PackedOrder = Pick<ShipOrder, 'id' | 'number' | 'state' | 'version' | 'warehouse' | 'marketplaceId'> & {
  packType: PackType;
};

/**
 * An order that is being packed, its row locked until the transaction ends: packers at one order take turns, so nobody needs
 * to know the version that another one left behind. @throws notFound, conflict in another state
 */
export async function packing(ctx: Ctx, id: string): Promise<PackedOrder> {
  const { rows } = await sql<PackedOrder>`
    SELECT id, number, state, version, warehouse_id AS warehouse, marketplace_id AS "marketplaceId",
           pack_type AS "packType"
      FROM shipping.ship_order WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(ctx.db);
  const [order] = rows;
  if (!order) throw notFound('发货单不存在或已删除');
  requireMove(ctx, order.warehouse);
  if (order.state !== 'packing') {
    const title = shipOrder.states[order.state as 'draft']?.title ?? order.state;
    throw conflict(`单据状态为【${title}】，不能执行【装箱】`);
  }
  return order;
}

/** One box of an order that is locked. @throws notFound; conflict where it is shut and has to be open */
export async function boxOf(ctx: Ctx, order: PackedOrder, no: number, open: boolean) {
  const [box] = await boxesOf(ctx, order.id, no);
  if (!box) throw notFound(`第 ${no} 箱不存在，可能已被删除`);
  if (open && box.closed) throw conflict(`第 ${no} 箱已封箱，请先开箱`);
  return box;
}

interface Scan {
  clientId: string;
  boxNo: number;
  lineId: string | null;
  qty: number;
}

/** What a device did before under this id. */
export async function scanBefore(ctx: Ctx, order: PackedOrder, clientId: string): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom('shipping.box_scan')
    .select('box_no')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', order.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row?.box_no;
}

/** Notes what a device did. The log hears of a box when it is shut, not of each piece. */
export async function noteScan(ctx: Ctx, order: PackedOrder, { clientId, boxNo, lineId, qty }: Scan): Promise<void> {
  await ctx.db
    .insertInto('shipping.box_scan')
    .values({
      company_id: ctx.companyId,
      order_id: order.id,
      client_id: clientId,
      box_no: boxNo,
      line_id: lineId,
      qty,
      by_name: ctx.userName,
    })
    .execute();
  ctx.audited = true;
}

/** The answer after a change: the box as it is now, and the order's new version. */
export async function changed(ctx: Ctx, order: PackedOrder, no: number, message: string): Promise<Changed> {
  const box = (await checkedBoxes(ctx, order, await boxesOf(ctx, order.id, no)))[0] ?? null;
  return { ...outcome({ ...order, version: await touch(ctx, order.id) }, message), boxNo: no, box };
}

/** The answer to what was done before: nothing changes. */
export async function unchanged(ctx: Ctx, order: PackedOrder, no: number, message: string): Promise<Changed> {
  ctx.audited = true;
  const box = (await checkedBoxes(ctx, order, await boxesOf(ctx, order.id, no)))[0] ?? null;
  return { ...outcome(order, message, true), boxNo: no, box };
}
