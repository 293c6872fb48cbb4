import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { changeContents, dropChange } from '../../contract/inbound.ts';
import { shipOrder } from '../../contract/order.ts';
import { locked } from '../order/load.ts';
import { shrinkPicked } from '../order/picked.ts';
import { decided, required } from './choose.ts';
import { isFixed } from './decide.ts';
import { drop } from './put.ts';
import type { InboundShipment, View } from './types.ts';
import { wake } from './wake.ts';

/** Amazon takes a change of a SKU's pieces by the larger of these, as Seller Central always has (handbook 08 §6, step 10). */
const MOST_SHARE = 0.05;
const MOST_PIECES = 6;

type Boxes = z.output<typeof changeContents.body>['boxes'];

/** @throws refused B1335 what cannot be in the boxes instead */
function targetOf(
  view: View,
  shipment: InboundShipment,
  wanted: Boxes,
): { no: number; items: { msku: string; qty: number }[] }[] {
  const said = new Map(wanted.map(({ no, items }) => [no, new Map(items.map(({ msku, qty }) => [msku, qty]))]));
  const mine = view.boxes.filter((box) => box.shipmentId === shipment.shipmentId);
  const stray = wanted.find(({ no }) => !mine.some((box) => box.no === no));
  if (stray) throw refused(`第 ${stray.no} 箱不在货件 ${shipment.shipmentNo} 中`, 'B1335');
  const less = new Map<string, number>();
  const target = mine.map((box) => {
    const items = box.items.map(({ msku, qty }) => {
      const next = said.get(box.no)?.get(msku) ?? qty;
      if (next > qty) throw refused(`第 ${box.no} 箱【${msku}】只能改少，现有 ${qty} 件；多发请另建发货单`, 'B1335');
      less.set(msku, (less.get(msku) ?? 0) + qty - next);
      return { msku, qty: next };
    });
    const left = items.filter(({ qty }) => qty > 0);
    if (left.length === 0) throw refused(`第 ${box.no} 箱至少保留一件`, 'B1335');
    return { no: box.no, items: left };
  });
  for (const { msku, qty } of shipment.items) {
    const most = Math.max(Math.floor(qty * MOST_SHARE), MOST_PIECES);
    if ((less.get(msku) ?? 0) > most) throw refused(`平台SKU【${msku}】最多可改少 ${most} 件`, 'B1335');
  }
  if ([...less.values()].every((pieces) => pieces === 0)) throw refused('数量没有变化', 'B1335');
  return target;
}

/**
 * Wishes for fewer pieces in the boxes of a shipment whose transport was confirmed: some were found to be broken or missing
 * at the ramp. Amazon previews and confirms; then our boxes and stock follow.
 * @throws refused B1335, conflict before the transport was confirmed, once the goods have left, or while another change is on
 *   its way
 */
export async function changeShipment(ctx: Ctx, input: z.output<typeof changeContents.body>): Promise<Outcome> {
  const view = await required(ctx, input.id);
  const shipment = view.shipments.find(({ shipmentId }) => shipmentId === input.shipmentId);
  if (!shipment) throw refused('货件不存在，请刷新后重试', 'B1335');
  if (!isFixed(view, 'takeTransport')) throw conflict('承运确认前请退回装箱后修改');
  if (view.order.state !== 'ready') throw conflict('货物已发出，不能修改数量');
  if (shipment.change !== null) throw conflict('上一次数量修改还在处理');
  const boxes = targetOf(view, shipment, input.boxes);
  await putChange(ctx, input.id, shipment.shipmentId, { boxes, previewId: null, taken: false });
  return decided(ctx, view, '修改货件数量', { shipment: shipment.shipmentNo, boxes }, shipment.shipmentNo);
}

function putChange(ctx: Ctx, orderId: string, shipmentId: string, change: InboundShipment['change']) {
  return sql`
    UPDATE shipping.inbound_shipment SET change = ${change === null ? null : JSON.stringify(change)}::jsonb
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND shipment_id = ${shipmentId}`.execute(ctx.db);
}

/** Gives a change up that Amazon has not confirmed. @throws conflict where it has, or there is none */
export async function giveUpChange(ctx: Ctx, input: z.output<typeof dropChange.body>): Promise<Outcome> {
  const view = await required(ctx, input.id);
  const shipment = view.shipments.find(({ shipmentId }) => shipmentId === input.shipmentId);
  if (!shipment?.change || shipment.change.taken) throw conflict('没有可放弃的数量修改');
  await drop(ctx, view, ['previewChange', 'takeChange'], shipment.shipmentId);
  await putChange(ctx, input.id, shipment.shipmentId, null);
  return decided(ctx, view, '放弃修改货件数量', { shipment: shipment.shipmentNo }, shipment.shipmentNo);
}

/** Puts into the boxes of an order what Amazon confirmed, and gives back what does not go. */
async function follow(ctx: Ctx, orderId: string): Promise<void> {
  const order = await locked(ctx, orderId);
  const { rows } = await sql<{ id: string; no: string; change: NonNullable<InboundShipment['change']> }>`
    SELECT shipment_id AS id, shipment_no AS no, change FROM shipping.inbound_shipment
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND (change ->> 'taken')::boolean FOR UPDATE`.execute(
    ctx.db,
  );
  for (const { id, no, change } of rows) {
    const items = change.boxes.flatMap((box) => box.items.map((item) => ({ no: box.no, ...item })));
    const numbers = change.boxes.map((box) => box.no);
    await sql`
      WITH target AS (
        SELECT r.no, l.id AS line, r.qty FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS r(no int, msku text, qty int)
          JOIN shipping.ship_order_line AS l
            ON l.company_id = ${ctx.companyId} AND l.order_id = ${orderId} AND l.msku = r.msku)
      MERGE INTO shipping.box_item AS i USING target AS t
         ON i.company_id = ${ctx.companyId} AND i.order_id = ${orderId} AND i.box_no = t.no AND i.line_id = t.line
       WHEN MATCHED THEN UPDATE SET qty = t.qty
       WHEN NOT MATCHED BY SOURCE AND i.company_id = ${ctx.companyId} AND i.order_id = ${orderId}
            AND i.box_no = ANY (${numbers}::int[]) THEN DELETE`.execute(ctx.db);
    await putChange(ctx, orderId, id, null);
    await note(ctx, shipOrder.name, orderId, { kind: 'note', title: '亚马逊已确认数量修改', body: no });
  }
  if (rows.length === 0) return;
  const boxed = await sql<{ line: string; qty: number }>`
    SELECT line_id AS line, sum(qty)::int AS qty FROM shipping.box_item
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} GROUP BY 1`.execute(ctx.db);
  await shrinkPicked(ctx, order, new Map(boxed.rows.map(({ line, qty }) => [line, qty])));
  await wake(ctx, orderId);
}

interface Payload {
  companyId: string;
  orderId: string;
}

/** Follows a change that Amazon confirmed: by itself, as it locks the order first like people's steps do. */
export const changeJobs: JobDef[] = [
  job<Payload>('shipping.changed', (runtime, { companyId, orderId }) =>
    inTenant(runtime, systemPrincipal(companyId, '亚马逊'), (ctx) => follow(ctx, orderId)),
  ),
];
