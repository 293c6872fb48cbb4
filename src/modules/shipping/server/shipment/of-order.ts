import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ShipOrder } from '../order/load.ts';

/** What the marketplace says of one SKU of a shipment, pieces altogether. */
export interface ItemFact {
  msku: string;
  shipped: number;
  received: number;
}

/** A shipment of an order as the marketplace has it. */
export interface ShipmentOfOrder {
  id: string;
  shipmentNo: string;
  status: string;
  /** The company's day on which it was seen to be closed; null where nobody saw it. */
  closedOn: string | null;
  goneTold: boolean;
  items: ItemFact[];
}

/**
 * Numbers of the shipments that an order's pieces go with: those of the placement that was confirmed for it, and the one that
 * somebody wrote down.
 */
export async function shipmentNosOf(ctx: Ctx, order: Pick<ShipOrder, 'id' | 'shipmentNo'>): Promise<string[]> {
  const { rows } = await sql<{ no: string }>`
    SELECT shipment_no AS no FROM shipping.inbound_shipment
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} ORDER BY 1`.execute(ctx.db);
  return [...new Set([...(order.shipmentNo === '' ? [] : [order.shipmentNo]), ...rows.map(({ no }) => no)])];
}

/** An order that has pieces in a shipment. */
export interface OrderOfShipment {
  id: string;
  shipmentNo: string;
  number: string;
  state: string;
}

/** Orders of an account that have pieces in shipments, those that were cancelled left out; the newest first. */
export async function ordersOfShipments(
  ctx: Ctx,
  accountId: string,
  numbers: readonly string[],
): Promise<OrderOfShipment[]> {
  const { rows } = await sql<OrderOfShipment>`
    WITH named AS (
      SELECT id, shipment_no FROM shipping.ship_order
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND shipment_no <> ''
         AND shipment_no = ANY (${[...numbers]}::text[])
       UNION
      SELECT order_id, shipment_no FROM shipping.inbound_shipment
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND shipment_no = ANY (${[...numbers]}::text[]))
    SELECT o.id, n.shipment_no AS "shipmentNo", o.number, o.state FROM named AS n
      JOIN shipping.ship_order AS o ON o.company_id = ${ctx.companyId} AND o.id = n.id
     WHERE o.state <> 'cancelled' ORDER BY o.id DESC`.execute(ctx.db);
  return rows;
}

/**
 * SQL that joins orders `o` with their shipments `s` as the marketplace has them: a row for each shipment. It is the same
 * relation as `shipmentNosOf` tells of one order. Its two halves each go by an index; in one condition with OR they would be
 * held against every shipment of the account.
 */
export const SHIPMENTS_OF_ORDERS = sql`LATERAL (
  SELECT f.* FROM shipping.fba_shipment AS f
   WHERE f.company_id = o.company_id AND f.account_id = o.account_id AND f.shipment_no = o.shipment_no AND o.shipment_no <> ''
  UNION ALL
  SELECT f.* FROM shipping.inbound_shipment AS p
    JOIN shipping.fba_shipment AS f ON f.company_id = p.company_id AND f.account_id = p.account_id
     AND f.shipment_no = p.shipment_no
   WHERE p.company_id = o.company_id AND p.order_id = o.id AND p.account_id = o.account_id
     AND p.shipment_no <> o.shipment_no) AS s ON true`;

const BY_NUMBER = sql`shipping.ship_order AS o
  WHERE o.company_id = s.company_id AND o.account_id = s.account_id AND o.shipment_no = s.shipment_no
    AND o.shipment_no <> '' AND o.state <> 'cancelled'`;
const BY_PLACEMENT = sql`shipping.inbound_shipment AS p
  JOIN shipping.ship_order AS o ON o.company_id = p.company_id AND o.account_id = p.account_id AND o.id = p.order_id
  WHERE p.company_id = s.company_id AND p.account_id = s.account_id AND p.shipment_no = s.shipment_no
    AND o.state <> 'cancelled'`;

/** The newest order that has pieces in shipment `s`, as SQL; those that were cancelled left out. */
export const ORDER_OF_SHIPMENT = sql<{ id: string; number: string; warehouse: string } | null>`(
  SELECT jsonb_build_object('id', x.id, 'number', x.number, 'warehouse', x.warehouse_id)
    FROM (SELECT o.id, o.number, o.warehouse_id FROM ${BY_NUMBER}
          UNION SELECT o.id, o.number, o.warehouse_id FROM ${BY_PLACEMENT}) AS x
   ORDER BY x.id DESC LIMIT 1)`;

/** Whether no order that stands has pieces in shipment `s`, as SQL; asked of many, each half is one walk over the orders. */
export const ORPHAN = sql<boolean>`(NOT EXISTS (SELECT FROM ${BY_NUMBER}) AND NOT EXISTS (SELECT FROM ${BY_PLACEMENT}))`;

/** Company day on which the first shipment of the same plan as shipment `s` was seen at a door, as SQL; null where none was. */
export const FIRST_OF_PLAN = sql<string | null>`(
  SELECT kit.day(min(x.delivered_at)) FROM shipping.fba_shipment AS x
   WHERE x.company_id = s.company_id AND x.account_id = s.account_id AND x.shipment_no IN (
     SELECT p.shipment_no FROM shipping.inbound_shipment AS p
       JOIN shipping.inbound_shipment AS q ON q.company_id = p.company_id AND q.order_id = p.order_id
      WHERE q.company_id = s.company_id AND q.account_id = s.account_id AND q.shipment_no = s.shipment_no))`;

/** The numbers of the shipments of order `o`, with commas between, as SQL. */
export const SHIPMENT_NOS = sql<string>`concat_ws('、', nullif(o.shipment_no, ''), (
  SELECT string_agg(p.shipment_no, '、' ORDER BY p.shipment_no) FROM shipping.inbound_shipment AS p
   WHERE p.company_id = o.company_id AND p.order_id = o.id AND p.shipment_no <> o.shipment_no))`;

/** The shipments of an order that the marketplace has told of, by number, with what was received of each SKU. */
export async function shipmentsOf(
  ctx: Ctx,
  order: Pick<ShipOrder, 'id' | 'shipmentNo' | 'account'>,
): Promise<ShipmentOfOrder[]> {
  const { rows } = await sql<ShipmentOfOrder>`
    SELECT s.id, s.shipment_no AS "shipmentNo", s.status, kit.day(s.closed_at) AS "closedOn", s.gone_told AS "goneTold",
           (SELECT coalesce(jsonb_agg(jsonb_build_object('msku', i.msku, 'shipped', i.shipped, 'received', i.received)), '[]')
              FROM shipping.fba_shipment_item AS i
             WHERE i.company_id = s.company_id AND i.shipment_id = s.id) AS items
      FROM shipping.fba_shipment AS s
     WHERE s.company_id = ${ctx.companyId} AND s.account_id = ${order.account}
       AND s.shipment_no = ANY (${await shipmentNosOf(ctx, order)}::text[]) ORDER BY s.shipment_no`.execute(ctx.db);
  return rows;
}

/** Pieces of a SKU that the marketplace received over all shipments; undefined where none of them names it. */
export function receivedOf(shipments: readonly ShipmentOfOrder[], msku: string): number | undefined {
  const items = shipments.flatMap((shipment) => shipment.items.filter((item) => item.msku === msku));
  return items.length === 0 ? undefined : items.reduce((total, item) => total + item.received, 0);
}

/** Whether the marketplace closed every shipment of an order. */
export async function allClosed(
  ctx: Ctx,
  order: Pick<ShipOrder, 'id' | 'shipmentNo'>,
  shipments: readonly ShipmentOfOrder[],
): Promise<boolean> {
  const closed = new Set(shipments.filter(({ status }) => status === 'CLOSED').map(({ shipmentNo }) => shipmentNo));
  const numbers = await shipmentNosOf(ctx, order);
  return numbers.length > 0 && numbers.every((no) => closed.has(no));
}
