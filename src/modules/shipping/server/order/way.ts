import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';
import type { putShipWay } from '../../contract/order-calls.ts';
import { outcome, requireFresh, touch } from './act.ts';
import { locked } from './load.ts';

const OVER: readonly string[] = ['done', 'cancelled'];

/** Writes what is known of the way: Amazon's number, carrier, tracking number. @throws conflict once the order is over */
export async function putWay(ctx: Ctx, input: z.output<typeof putShipWay.body>): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  requireFresh(order, input.version);
  requireMove(ctx, order.warehouse);
  if (OVER.includes(order.state)) throw conflict('发货单已结束，不能修改物流信息');
  const before = { shipmentNo: order.shipmentNo, carrier: order.carrier, trackingNo: order.trackingNo };
  const after = {
    shipmentNo: input.shipmentNo.toUpperCase(),
    carrier: input.carrier,
    trackingNo: input.trackingNo,
  };
  await sql`
    UPDATE shipping.ship_order SET shipment_no = ${after.shipmentNo}, carrier = ${after.carrier},
           tracking_no = ${after.trackingNo}
     WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  const body = [after.shipmentNo, after.carrier, after.trackingNo].filter(Boolean).join('，');
  await note(ctx, shipOrder.name, order.id, { kind: 'note', title: '物流信息', body });
  await audit(ctx, { action: '发货单·物流信息', resource: shipOrder.name, resourceId: order.id, before, after });
  return outcome({ ...order, version: await touch(ctx, order.id) }, '物流信息已保存');
}
