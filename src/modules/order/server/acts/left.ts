import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type ActOrder, orderKey } from './orders.ts';

/** What of an order has neither been shipped nor been reported as sent. */
export interface Left {
  /** By Amazon's number of the item. */
  lines: Map<string, { sku: string; left: number }>;
  /** The number of the next package. */
  nextReference: number;
}

interface Row {
  selling_partner_id: string;
  amazon_order_id: string;
  order_item_id: string;
  seller_sku: string;
  left: number;
}

/** Pieces of line `l` in packages that were reported from here and are in one of some states. */
const inPackages = (...states: string[]) => sql<number>`coalesce((
  SELECT sum((i ->> 'quantity')::int)
    FROM "order".shipment s, jsonb_array_elements(s.items) AS i
   WHERE s.company_id = l.company_id AND s.selling_partner_id = l.selling_partner_id
     AND s.amazon_order_id = l.amazon_order_id AND s.state IN (${sql.join(states.map((state) => sql.lit(state)))})
     AND i ->> 'orderItemId' = l.order_item_id), 0)`;

/**
 * What of line `l` has neither been shipped nor been reported as sent, whole pieces from 0. Packages that the marketplace has
 * yet to show, or of which nobody knows, count as sent.
 */
export const LEFT_OF_LINE = sql<number>`greatest(0, l.quantity - l.shipped_quantity
  - ${inPackages('queued', 'accepted', 'unknown')})::int`;

/**
 * What of line `l` is in no package that was reported from here and still stands, whole pieces from 0: for an order that the
 * marketplace shows as sent by a label which was called back.
 */
export const UNREPORTED_OF_LINE = sql<number>`greatest(0, l.quantity
  - ${inPackages('queued', 'accepted', 'unknown', 'confirmed')})::int`;

/**
 * What is left of orders. Packages that the marketplace has yet to show, or of which nobody knows, count as sent: it is
 * better to send too little than one thing twice.
 */
export async function leftToShip(ctx: Ctx, orders: readonly ActOrder[]): Promise<Map<string, Left>> {
  const keys = JSON.stringify(
    orders.map(({ selling_partner_id, amazon_order_id }) => ({ selling_partner_id, amazon_order_id })),
  );
  const asked = sql`jsonb_to_recordset(${keys}::jsonb) AS k (selling_partner_id text, amazon_order_id text)`;
  const { rows } = await sql<Row>`
    SELECT l.selling_partner_id, l.amazon_order_id, l.order_item_id, l.seller_sku,
           ${LEFT_OF_LINE} AS left
      FROM ${asked} JOIN "order".amazon_order_line l USING (selling_partner_id, amazon_order_id)
     WHERE l.company_id = ${ctx.companyId} AND l.superseded_by IS NULL AND l.order_item_id IS NOT NULL
     ORDER BY l.item_key`.execute(ctx.db);
  const { rows: used } = await sql<{ selling_partner_id: string; amazon_order_id: string; reference: number }>`
    SELECT selling_partner_id, amazon_order_id, max(s.reference) AS reference
      FROM ${asked} JOIN "order".shipment s USING (selling_partner_id, amazon_order_id)
     WHERE s.company_id = ${ctx.companyId} GROUP BY 1, 2`.execute(ctx.db);
  const last = new Map(used.map((row) => [orderKey(row), Number(row.reference)]));
  // Small numbers are those of people in Seller Central, and the marketplace would take ours for a correction of theirs.
  const seconds = Math.floor(ctx.runtime.clock.ms() / 1000);
  return new Map(
    orders.map((order) => {
      const key = orderKey(order);
      const own = rows.filter((row) => orderKey(row) === key);
      return [
        key,
        {
          lines: new Map(own.map((row) => [row.order_item_id, { sku: row.seller_sku, left: row.left }])),
          nextReference: Math.max((last.get(key) ?? 0) + 1, seconds),
        },
      ];
    }),
  );
}
