import { sql } from 'kysely';

/**
 * The measures of orders, in SQL, over order lines `l` joined with their order `o`. A line counts if its order was made
 * on Amazon, is neither cancelled nor unfulfillable, is no replacement, and Amazon has not replaced the line. Pending
 * orders count.
 */
export const COUNTED = sql<boolean>`(o.channel = 'AMAZON' AND o.status NOT IN ('CANCELLED', 'UNFULFILLABLE')
  AND NOT o.is_replacement AND l.superseded_by IS NULL)`;

const ORDERED = sql<boolean>`(o.channel = 'AMAZON' AND NOT o.is_replacement AND l.superseded_by IS NULL)`;
const LIVE = sql<boolean>`(o.status NOT IN ('CANCELLED', 'UNFULFILLABLE') AND l.superseded_by IS NULL)`;

/** Price of a line before discount: Amazon's, or our estimate while it has told none. */
export const PRICE = sql<string>`coalesce(l.item_price, l.estimated_price, 0)`;

/** Join of lines with their orders; the caller adds WHERE. */
export const LINES = sql`"order".amazon_order_line l
  JOIN "order".amazon_order o USING (company_id, selling_partner_id, amazon_order_id)`;

/**
 * Aggregates of a group of lines. `orders` is the number of distinct orders with a counted unit in the group, so it
 * does not add up over SKUs. Amounts are in the lines' own currency: a group must hold one currency only.
 */
export const MEASURES = sql`
  count(DISTINCT (o.selling_partner_id, o.amazon_order_id)) FILTER (WHERE ${COUNTED} AND l.quantity > 0) AS orders,
  count(*) FILTER (WHERE ${COUNTED}) AS "orderItems",
  coalesce(sum(l.quantity) FILTER (WHERE ${COUNTED}), 0)::int AS units,
  coalesce(sum(l.first_quantity) FILTER (WHERE ${ORDERED}), 0)::int AS "grossUnits",
  (coalesce(sum(l.first_quantity) FILTER (WHERE ${ORDERED}), 0)
   - coalesce(sum(l.quantity) FILTER (WHERE ${COUNTED}), 0))::int AS "cancelledUnits",
  coalesce(sum(l.shipped_quantity) FILTER (WHERE ${COUNTED}), 0)::int AS "shippedUnits",
  coalesce(sum(${PRICE}) FILTER (WHERE ${COUNTED}), 0) AS "productSales",
  coalesce(sum(l.estimated_price) FILTER (WHERE ${COUNTED} AND l.item_price IS NULL), 0) AS "estimatedSales",
  coalesce(sum(l.item_discount) FILTER (WHERE ${COUNTED}), 0) AS discount,
  coalesce(sum(${PRICE} - coalesce(l.item_discount, 0)) FILTER (WHERE ${COUNTED}), 0) AS "netSales",
  coalesce(sum(l.quantity) FILTER (WHERE o.is_replacement AND o.channel = 'AMAZON' AND ${LIVE}), 0)::int AS "replacementUnits",
  coalesce(sum(l.quantity) FILTER (WHERE o.channel = 'NON_AMAZON' AND ${LIVE}), 0)::int AS "mcfUnits",
  count(DISTINCT (o.selling_partner_id, o.amazon_order_id))
    FILTER (WHERE ${COUNTED} AND l.quantity > 0 AND o.is_business) AS "b2bOrders",
  coalesce(sum(l.quantity) FILTER (WHERE ${COUNTED} AND o.is_business), 0)::int AS "b2bUnits"`;

/** One group's measures as MEASURES returns them; amounts are decimal texts. */
export interface Measures {
  orders: number;
  orderItems: number;
  units: number;
  grossUnits: number;
  cancelledUnits: number;
  shippedUnits: number;
  productSales: string;
  estimatedSales: string;
  discount: string;
  netSales: string;
  replacementUnits: number;
  mcfUnits: number;
  b2bOrders: number;
  b2bUnits: number;
}
