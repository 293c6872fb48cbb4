import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Shipment, ShipmentState } from '../../contract/acts.ts';
import type { OrderKey } from '../list/find.ts';

/** The state of the newest package of order `o` that the marketplace has yet to show, as a column; null where there is none. */
export const SHIPPING = sql<ShipmentState | null>`(
  SELECT nullif(s.state, 'confirmed') FROM "order".shipment s
   WHERE s.company_id = o.company_id AND s.selling_partner_id = o.selling_partner_id
     AND s.amazon_order_id = o.amazon_order_id AND s.state <> 'cancelled'
     AND (s.state <> 'refused' OR o.status IN ('UNSHIPPED', 'PARTIALLY_SHIPPED'))
   ORDER BY s.created_at DESC, s.id DESC LIMIT 1)`;

/** Where the request for a review of order `o` stands, as a column; null where nobody asked. */
export const REVIEW = sql<string | null>`(
  SELECT r.state FROM "order".solicitation r
   WHERE r.company_id = o.company_id AND r.selling_partner_id = o.selling_partner_id
     AND r.amazon_order_id = o.amazon_order_id AND r.state <> 'cancelled')`;

/** Packages of an order that people of the company reported, newest first. */
export async function shipmentsOf(ctx: Ctx, key: OrderKey): Promise<Shipment[]> {
  const rows = await ctx.db
    .selectFrom('order.shipment')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('selling_partner_id', '=', key.selling_partner_id)
    .where('amazon_order_id', '=', key.amazon_order_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    reference: row.reference === null ? '' : String(row.reference),
    state: row.state as ShipmentState,
    carrier: row.carrier_name ?? row.carrier_code,
    shippingMethod: row.shipping_method,
    trackingNumber: row.tracking_number,
    shippedAt: row.shipped_at,
    units: (row.items as { quantity: number }[]).reduce((sum, { quantity }) => sum + quantity, 0),
    problem: row.problem,
    createdBy: row.created_by_name,
    createdAt: row.created_at,
  }));
}
