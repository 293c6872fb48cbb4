import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { remind } from '#modules/message/server/index.ts';
import { SHIP } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { settleCases } from '../claim/settle.ts';
import { step } from '../order/act.ts';
import { loaded, locked, type ShipOrder } from '../order/load.ts';
import { hasRest } from '../order/lose.ts';
import { putReceived } from '../order/receive.ts';
import { allClosed, receivedOf, type ShipmentOfOrder, shipmentNosOf, shipmentsOf } from './of-order.ts';

/** Reminders that the marketplace has given up a shipment whose pieces have left. */
export const GONE_EVENT = 'shipping.shipmentGone';

const LEFT: readonly string[] = ['shipped', 'receiving', 'done'];
const GONE: readonly string[] = ['CANCELLED', 'DELETED'];

/**
 * What the marketplace received of the lines of an order altogether, over all of its shipments, never more than left: what it
 * found beside stands as a discrepancy. As long as a shipment of the order is not known, what was received before stays.
 */
async function totalsOf(
  ctx: Ctx,
  order: ShipOrder,
  shipments: readonly ShipmentOfOrder[],
): Promise<{ lineId: string; total: number }[]> {
  const partial = shipments.length < (await shipmentNosOf(ctx, order)).length;
  return order.lines.flatMap((line) => {
    const received = receivedOf(shipments, line.msku) ?? line.received;
    const total = Math.min(partial ? Math.max(received, line.received) : received, line.shipped);
    return total === line.received ? [] : [{ lineId: line.id, total }];
  });
}

/** Pieces that left for a shipment that is no more: somebody must find out where they are; said once for each. */
async function tellGone(ctx: Ctx, order: ShipOrder, shipments: readonly ShipmentOfOrder[]): Promise<void> {
  for (const { id, shipmentNo } of shipments.filter((one) => GONE.includes(one.status) && !one.goneTold)) {
    const content = `发货单 ${order.number} 的货物已出库，货件 ${shipmentNo} 在亚马逊已被取消或删除。请核实货物去向：已另建货件的，在「物流信息」改填新的货件编号；货物不再入仓的，「本地完成」后核销在途。`;
    await note(ctx, shipOrder.name, order.id, { kind: 'note', title: '货件已被平台取消', body: shipmentNo });
    await remind(ctx, {
      event: GONE_EVENT,
      to: { permission: SHIP },
      title: `货件 ${shipmentNo} 已被平台取消`,
      content,
      documentType: shipOrder.name,
      documentId: order.id,
      dedupeKey: `${GONE_EVENT}:${id}`,
    });
    await sql`UPDATE shipping.fba_shipment SET gone_told = true
       WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  }
}

/** The marketplace has closed all shipments: nothing more is awaited. */
async function shut(ctx: Ctx, orderId: string): Promise<void> {
  const order = await locked(ctx, orderId);
  if (order.state !== 'done' || hasRest(order)) await step(ctx, order, 'shut');
  else await settleCases(ctx, orderId);
}

/** Takes over what the marketplace received of an order that names its shipments; the same numbers again change nothing. */
export async function takeReceipts(runtime: Runtime, companyId: string, orderId: string): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId, '亚马逊'), async (ctx) => {
    const order = await loaded(ctx, orderId);
    if (!LEFT.includes(order.state)) return;
    const shipments = await shipmentsOf(ctx, order);
    const lines = await totalsOf(ctx, order, shipments);
    if (lines.length > 0) await putReceived(ctx, { id: orderId, lines });
    if (order.state !== 'done') await tellGone(ctx, order, shipments);
    if (await allClosed(ctx, order, shipments)) await shut(ctx, orderId);
  });
}

interface Payload {
  companyId: string;
  orderId: string;
}

export const jobs: JobDef[] = [
  job<Payload>('shipping.receive', (runtime, { companyId, orderId }) => takeReceipts(runtime, companyId, orderId)),
];
