import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { putReceived } from '../order/receive.ts';

/** What the marketplace received of the lines of an order altogether, never more than left: what it found beside is its books' matter. */
async function totalsOf(ctx: Ctx, order: ShipOrder): Promise<{ lineId: string; total: number }[]> {
  const { rows } = await sql<{ msku: string; received: number }>`
    SELECT i.msku, i.received FROM shipping.fba_shipment AS s
      JOIN shipping.fba_shipment_item AS i ON i.company_id = s.company_id AND i.shipment_id = s.id
     WHERE s.company_id = ${ctx.companyId} AND s.account_id = ${order.account} AND s.shipment_no = ${order.shipmentNo}`.execute(
    ctx.db,
  );
  const received = new Map(rows.map((row) => [row.msku, row.received]));
  return order.lines.flatMap((line) => {
    const total = Math.min(received.get(line.msku) ?? line.received, line.shipped);
    return total === line.received ? [] : [{ lineId: line.id, total }];
  });
}

/** Takes over what the marketplace received of an order that names its shipment; the same numbers again change nothing. */
export async function takeReceipts(runtime: Runtime, companyId: string, orderId: string): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId, '亚马逊'), async (ctx) => {
    const order = await loaded(ctx, orderId);
    if (order.shipmentNo === '' || !['shipped', 'receiving'].includes(order.state)) return;
    const lines = await totalsOf(ctx, order);
    if (lines.length > 0) await putReceived(ctx, { id: orderId, lines });
  });
}

interface Payload {
  companyId: string;
  orderId: string;
}

export const jobs: JobDef[] = [
  job<Payload>('shipping.receive', (runtime, { companyId, orderId }) => takeReceipts(runtime, companyId, orderId)),
];
