/**
 * What the rollups count, once for all of them. `l` is an order line, `o` its order; everything is SQL text without
 * parameters.
 *
 * A line counts when its order was bought on Amazon, is neither cancelled nor unfulfillable and replaces nothing, and
 * the line itself was neither superseded nor cancelled down to nothing. A pending order counts.
 */
const SOLD = `o.channel = 'AMAZON' AND NOT o.is_replacement`;
const ALIVE = `o.status NOT IN ('CANCELLED', 'UNFULFILLABLE') AND l.quantity > 0`;
/** That a line `l` of an order `o` counts, superseded ones aside. */
export const COUNTED = `${SOLD} AND ${ALIVE}`;

const integer = (value: string, where: string) => `coalesce(sum(${value}) FILTER (WHERE ${where}), 0)::int`;
const money = (value: string, where: string) => `coalesce(sum(${value}) FILTER (WHERE ${where}), 0)`;

/** Measure to SQL aggregate over the lines of one bucket. Money is native currency, before any rounding. */
export const MEASURES = {
  orders: `count(DISTINCT l.amazon_order_id) FILTER (WHERE ${COUNTED})::int`,
  order_items: `count(*) FILTER (WHERE ${COUNTED})::int`,
  units: integer('l.quantity', COUNTED),
  gross_units: integer('l.first_quantity', SOLD),
  cancelled_units: `${integer('l.first_quantity', SOLD)} - ${integer('l.quantity', COUNTED)}`,
  shipped_units: integer('l.shipped_quantity', SOLD),
  product_sales: money('coalesce(l.item_price, l.estimated_price)', COUNTED),
  estimated_sales: money('l.estimated_price', `${COUNTED} AND l.item_price IS NULL`),
  discount: money('l.item_discount', COUNTED),
  shipping_sales: money('l.shipping_price', COUNTED),
  tax: money('coalesce(l.item_tax, 0) + coalesce(l.shipping_tax, 0) + coalesce(l.gift_wrap_tax, 0)', COUNTED),
  replacement_units: integer('l.quantity', `o.channel = 'AMAZON' AND o.is_replacement AND ${ALIVE}`),
  mcf_units: integer('l.quantity', `o.channel <> 'AMAZON' AND ${ALIVE}`),
  zero_price_units: integer('l.quantity', `${COUNTED} AND l.item_price - coalesce(l.item_discount, 0) <= 0`),
  unpriced_units: integer('l.quantity', `${COUNTED} AND l.item_price IS NULL AND l.estimated_price IS NULL`),
} as const;

export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

/** Lines that add to any measure at all; a bucket of others only has no row. */
export const RELEVANT = `l.superseded_by IS NULL AND ((${SOLD}) OR (${ALIVE}))`;

/** Beginning of the half-hour slot of an instant, as SQL. */
export function slotOf(instant: string): string {
  return `date_bin('30 minutes', ${instant}, timestamptz '2000-01-01 00:00:00+00')`;
}
