import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import type { Transport } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import type { putShipWay } from '../../contract/order-calls.ts';
import { estimateSent } from '../freight/estimate.ts';
import { touch } from './act.ts';
import { locked } from './load.ts';

type WayInput = z.output<typeof putShipWay.body> & {
  /** How it goes, where a forwarder was chosen for another way than was planned. */
  transport?: Transport;
};

const OVER: readonly string[] = ['done', 'cancelled'];
const LEFT: readonly string[] = ['shipped', 'receiving'];

/** A channel with the name that an order keeps of it. @throws notFound */
async function bookedAs(ctx: Ctx, id: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT left(k.name || ' ' || c.name, 100) AS name FROM shipping.channel AS c
      JOIN shipping.carrier AS k ON k.company_id = c.company_id AND k.id = c.carrier_id
     WHERE c.company_id = ${ctx.companyId} AND c.id = ${id}`.execute(ctx.db);
  const [channel] = rows;
  if (!channel) throw notFound('渠道不存在');
  return channel.name;
}

/**
 * Writes what is known of the way: Amazon's number, channel or carrier, tracking number. A channel that is chosen names the
 * carrier; one that is left out stays. Of an order that has left, another channel brings another estimate of its freight.
 * @throws conflict once the order is over, notFound for a channel that is not the company's
 */
export async function putWay(ctx: Ctx, input: WayInput): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  requireFresh(order, input.version);
  requireMove(ctx, order.warehouse);
  if (OVER.includes(order.state)) throw conflict('发货单已结束，不能修改物流信息');
  const channelId = input.channelId === undefined ? order.channelId : input.channelId;
  const before = {
    shipmentNo: order.shipmentNo,
    carrier: order.carrier,
    channelId: order.channelId,
    trackingNo: order.trackingNo,
    transport: order.transport,
  };
  const after = {
    shipmentNo: input.shipmentNo.toUpperCase(),
    carrier: channelId === null ? input.carrier : await bookedAs(ctx, channelId),
    channelId,
    trackingNo: input.trackingNo,
    transport: input.transport ?? order.transport,
  };
  await sql`
    UPDATE shipping.ship_order SET shipment_no = ${after.shipmentNo}, carrier = ${after.carrier},
           channel_id = ${after.channelId}, tracking_no = ${after.trackingNo}, transport = ${after.transport}
     WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  const body = [after.shipmentNo, after.carrier, after.trackingNo].filter(Boolean).join('，');
  await note(ctx, shipOrder.name, order.id, { kind: 'note', title: '物流信息', body });
  if (LEFT.includes(order.state) && channelId !== order.channelId) await estimateSent(ctx, order.id);
  await audit(ctx, { action: '发货单·物流信息', resource: shipOrder.name, resourceId: order.id, before, after });
  return outcome({ ...order, version: await touch(ctx, order.id) }, '物流信息已保存');
}
