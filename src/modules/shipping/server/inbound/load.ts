import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { shipFromOf } from '#modules/marketplace/server/index.ts';
import { loaded as loadedOrder, locked as lockedOrder, type ShipOrder } from '../order/load.ts';
import type { Inbound, InboundBox, InboundOperation, InboundShipment, View } from './types.ts';

const COLUMNS = sql`attempt, plan_id AS "planId", state, stage, words, wish, prep, prep_wish AS "prepWish", packing,
  placement, transport, windows, chosen_packing AS "chosenPacking", chosen_placement AS "chosenPlacement",
  accepted_fee::text AS "acceptedFee", accepted_currency AS "acceptedCurrency", ready_on AS "readyOn", ways, fence, woken,
  (extract(epoch FROM next_at - kit.now()) * 1000)::float8 AS "dueInMs", extract(epoch FROM kit.now() - watched_at)::float8 AS "watchedSec"`;

/** How an order goes through the inbound API; undefined for one that does not. */
export async function inboundOf(ctx: Ctx, orderId: string, lock = false): Promise<Inbound | undefined> {
  const { rows } = await sql<Inbound>`
    SELECT ${COLUMNS} FROM shipping.inbound
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** Everything that was asked of Amazon for one attempt, oldest first. */
export async function operationsOf(ctx: Ctx, orderId: string, attempt: number): Promise<InboundOperation[]> {
  const { rows } = await sql<InboundOperation>`
    SELECT id, stage, subject, hash, request, state, taken, operation_id AS "operationId", problems, tries, polls,
           extract(epoch FROM kit.now() - asked_at)::float8 AS "ageSec", asked_at AS "askedAt", ended_at AS "endedAt"
      FROM shipping.inbound_operation
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} AND attempt = ${attempt} ORDER BY created_at, id`.execute(
    ctx.db,
  );
  return rows;
}

/** Shipments of the placement that was confirmed. */
export async function shipmentsOf(ctx: Ctx, orderId: string): Promise<InboundShipment[]> {
  const { rows } = await sql<InboundShipment>`
    SELECT shipment_id AS "shipmentId", shipment_no AS "shipmentNo", center, status, items, transport,
           delivery_window AS "window", label_file_id AS "labelFileId", thermal_file_id AS "thermalFileId", freight_bill AS "freightBill", lading, change
      FROM shipping.inbound_shipment
     WHERE company_id = ${ctx.companyId} AND order_id = ${orderId} ORDER BY center, shipment_id`.execute(ctx.db);
  return rows;
}

async function boxesOf(ctx: Ctx, orderId: string): Promise<InboundBox[]> {
  const { rows } = await sql<InboundBox>`
    SELECT b.box_no AS no, b.length::text, b.width::text, b.height::text, b.weight::text,
           b.shipment_id AS "shipmentId", b.amazon_box_id AS "amazonBoxId", b.tracking_no AS "trackingNo",
           b.package_id AS "packageId",
           (SELECT coalesce(jsonb_agg(jsonb_build_object('msku', l.msku, 'qty', i.qty) ORDER BY l.line_no), '[]')
              FROM shipping.box_item AS i
              JOIN shipping.ship_order_line AS l ON l.company_id = i.company_id AND l.id = i.line_id
             WHERE i.company_id = b.company_id AND i.order_id = b.order_id AND i.box_no = b.box_no) AS items
      FROM shipping.box AS b
     WHERE b.company_id = ${ctx.companyId} AND b.order_id = ${orderId} ORDER BY b.box_no`.execute(ctx.db);
  return rows;
}

async function viewOf(ctx: Ctx, order: ShipOrder, lock: boolean): Promise<View | undefined> {
  const inbound = await inboundOf(ctx, order.id, lock);
  if (!inbound) return undefined;
  return {
    order,
    inbound,
    operations: await operationsOf(ctx, order.id, inbound.attempt),
    shipments: await shipmentsOf(ctx, order.id),
    boxes: await boxesOf(ctx, order.id),
    address: (await shipFromOf(ctx, order.account, order.marketplaceId, order.addressId)) ?? null,
    today: ctx.clock.today(),
  };
}

/** Everything that decides what comes next; undefined for an order that does not go through the inbound API. @throws notFound */
export const loadView = async (ctx: Ctx, orderId: string): Promise<View | undefined> =>
  viewOf(ctx, await loadedOrder(ctx, orderId), false);

/** The same with the order and its way locked. @throws notFound */
export const lockView = async (ctx: Ctx, orderId: string): Promise<View | undefined> =>
  viewOf(ctx, await lockedOrder(ctx, orderId), true);
