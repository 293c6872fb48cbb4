import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { bookedName, type ShipOrder } from '../order/load.ts';

/** What of a chosen answer is an order's, in the answer's currency. */
export interface Agreed {
  answerId: string;
  currency: string;
  freight: string;
  tax: string;
  otherFee: string;
  /** kg or m³ that the forwarder counts; null for boxes. */
  quantity: string | null;
}

interface Found extends Agreed {
  carrier: string;
  channelId: string | null;
  channel: string;
}

/** What was agreed with the forwarder of an order; undefined where none was chosen, or the order goes with another one by now. */
export async function agreedOf(ctx: Ctx, order: ShipOrder): Promise<Agreed | undefined> {
  const { rows } = await sql<Found>`
    SELECT a.id AS "answerId", a.currency, r.freight::text, r.tax::text, r.other_fee::text AS "otherFee",
           CASE WHEN a.bill_unit <> 'BOX' AND r.quantity > 0 THEN r.quantity::text END AS quantity,
           k.name AS carrier, a.channel_id AS "channelId", coalesce(c.name, '') AS channel
      FROM shipping.quote_request_order AS r
      JOIN shipping.quote_booking AS b ON b.company_id = r.company_id AND b.id = r.booking_id
      JOIN shipping.quote_answer AS a ON a.company_id = b.company_id AND a.id = b.answer_id
      JOIN shipping.carrier AS k ON k.company_id = a.company_id AND k.id = a.carrier_id
      LEFT JOIN shipping.channel AS c ON c.company_id = a.company_id AND c.id = a.channel_id
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${order.id}`.execute(ctx.db);
  const [found] = rows;
  if (!found || found.channelId !== order.channelId) return undefined;
  return order.channelId !== null || order.carrier === bookedName(found) ? found : undefined;
}
