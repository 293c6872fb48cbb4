import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { onDays } from '#kit/server/list/days.ts';
import { containing } from '#kit/server/list/words.ts';
import type { OrdersFilter } from '../../contract/report/fields.ts';
import { SHIPMENTS_OF_ORDERS } from '../shipment/of-order.ts';

/** States in which the pieces of an order have left. */
export const SENT = sql`('shipped', 'receiving', 'done')`;

/** Conditions on ship orders `o` of a filter; drafts, rejected and cancelled ones count nowhere. Days are the company's. */
export function orderConditions(
  ctx: Ctx,
  { basis = 'SHIPPED', day, authid, warehouse, channel, keyword }: OrdersFilter,
) {
  const all: RawBuilder<unknown>[] = [
    sql`o.company_id = ${ctx.companyId}`,
    sql`o.state NOT IN ('draft', 'rejected', 'cancelled')`,
  ];
  if (day) all.push(onDays(basis === 'CREATED' ? 'o.created_at' : 'o.shipped_at', day));
  if (authid?.length) all.push(sql`o.account_id = ANY (${authid}::uuid[])`);
  if (warehouse?.length) all.push(sql`o.warehouse_id = ANY (${warehouse}::uuid[])`);
  if (channel?.length) all.push(sql`o.channel_id = ANY (${channel}::uuid[])`);
  if (keyword) {
    const like = containing(keyword);
    all.push(sql`(o.number ILIKE ${like} OR o.shipment_no ILIKE ${like} OR EXISTS (
      SELECT FROM shipping.ship_order_line AS k
       WHERE k.company_id = o.company_id AND k.order_id = o.id AND k.msku ILIKE ${like}))`);
  }
  return sql.join(all, sql` AND `);
}

/** Fulfilment centres that an order's shipments go to, with commas between; empty where none is known. */
export const CENTERS = sql<string>`coalesce((
  SELECT string_agg(DISTINCT s.center, '、' ORDER BY s.center)
    FROM (SELECT o.*) AS o JOIN ${SHIPMENTS_OF_ORDERS} WHERE s.center <> ''), '')`;

/** When Amazon, or a person for it, counted the first piece of an order `o`. */
export const RECEIVING_AT = sql<string | null>`(
  SELECT min(e.at) FROM shipping.ship_order_event AS e
   WHERE e.company_id = o.company_id AND e.order_id = o.id AND e.event = 'receive')`;

/** Whether a bill of order `o` is confirmed: its shares count then, else the estimate. */
export const BILLED = sql<boolean>`EXISTS (
  SELECT FROM shipping.freight_charge AS c
    JOIN shipping.freight_bill AS b ON b.company_id = c.company_id AND b.id = c.bill_id
   WHERE c.company_id = o.company_id AND c.order_id = o.id AND b.state = 'confirmed')`;

/**
 * SELECT of the lines of the orders `o` that a condition names, with what was planned, sent and received of each, and its
 * freight in CNY: billed, or as estimated. Duties are those of bills, estimates have none.
 * @param whole a relation that says of each of these orders, by `order_id`, whether it is `billed`
 */
export function linesOf(orders: RawBuilder<unknown>, whole: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    SELECT o.id AS order_id, o.number, o.state, o.account_id, o.marketplace_id, o.warehouse_id, o.carrier, o.channel_id,
           o.created_at, o.shipped_at, l.id AS line_id, l.msku, l.title, l.qty AS planned,
           CASE WHEN o.state IN ${SENT} THEN l.shipped_qty ELSE 0 END AS shipped, l.received_qty AS received,
           CASE WHEN o.state = 'done' THEN l.received_qty - l.shipped_qty END AS diff,
           CASE WHEN o.state IN ${SENT} THEN 0 ELSE l.qty END AS to_ship,
           CASE WHEN o.state IN ('shipped', 'receiving')
                THEN greatest(0, l.shipped_qty - l.received_qty - l.lost_qty) ELSE 0 END AS to_receive,
           f.billable, CASE WHEN v.billed THEN f.billed - coalesce(d.amount, 0) ELSE f.estimated END AS freight,
           CASE WHEN v.billed THEN coalesce(d.amount, 0) END AS duty
      FROM shipping.ship_order AS o
      JOIN ${whole} AS v ON v.order_id = o.id
      JOIN shipping.ship_order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id
      LEFT JOIN shipping.freight_line AS f ON f.company_id = l.company_id AND f.line_id = l.id
      LEFT JOIN LATERAL (
        SELECT sum(s.amount) AS amount FROM shipping.freight_share AS s
         WHERE v.billed AND s.company_id = l.company_id AND s.line_id = l.id AND s.component = 'duty') AS d ON true
     WHERE ${orders}`;
}
