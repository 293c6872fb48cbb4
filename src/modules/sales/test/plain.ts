import type { Ctx } from '#kit/server/context.ts';
import { type Row, rowsOf } from '#test/support/sold.ts';

/**
 * The definitions of the measures written down a second time, the long way, without the words of the rollups: each line
 * is judged by CASE, orders are counted by a sub-query.
 */
const LINES = `
  SELECT l.*, o.fulfilled_by, o.is_business,
         to_timestamp(floor(extract(epoch FROM l.purchased_at) / 1800) * 1800) AS slot_start,
         CASE WHEN o.channel <> 'AMAZON' THEN 'mcf' WHEN o.is_replacement THEN 'replacement' ELSE 'sale' END AS kind,
         o.status IN ('PENDING_AVAILABILITY', 'PENDING', 'UNSHIPPED', 'PARTIALLY_SHIPPED', 'SHIPPED') AS live
    FROM "order".amazon_order_line l
    JOIN "order".amazon_order o USING (company_id, selling_partner_id, amazon_order_id)
   WHERE l.company_id = $company AND l.superseded_by IS NULL`;

const MEASURES = `
  (SELECT count(*)::int FROM (SELECT DISTINCT unnest(array_agg(CASE WHEN kind = 'sale' AND live AND quantity > 0
     THEN amazon_order_id END)) AS id) ids WHERE id IS NOT NULL) AS orders,
  sum(CASE WHEN kind = 'sale' AND live AND quantity > 0 THEN 1 ELSE 0 END)::int AS order_items,
  sum(CASE WHEN kind = 'sale' AND live THEN quantity ELSE 0 END)::int AS units,
  sum(CASE WHEN kind = 'sale' THEN first_quantity ELSE 0 END)::int AS gross_units,
  sum(CASE WHEN kind = 'sale' THEN first_quantity - CASE WHEN live THEN quantity ELSE 0 END ELSE 0 END)::int
    AS cancelled_units,
  sum(CASE WHEN kind = 'sale' THEN shipped_quantity ELSE 0 END)::int AS shipped_units,
  sum(CASE WHEN kind = 'sale' AND live AND quantity > 0 THEN
      CASE WHEN item_price IS NULL THEN coalesce(estimated_price, 0) ELSE item_price END ELSE 0 END)::numeric(18,4)
    AS product_sales,
  sum(CASE WHEN kind = 'sale' AND live AND quantity > 0 AND item_price IS NULL THEN coalesce(estimated_price, 0)
      ELSE 0 END)::numeric(18,4) AS estimated_sales,
  sum(CASE WHEN kind = 'sale' AND live AND quantity > 0 THEN coalesce(item_discount, 0) ELSE 0 END)::numeric(18,4)
    AS discount,
  sum(CASE WHEN kind = 'sale' AND live AND quantity > 0 THEN coalesce(shipping_price, 0) ELSE 0 END)::numeric(18,4)
    AS shipping_sales,
  sum(CASE WHEN kind = 'sale' AND live AND quantity > 0 THEN coalesce(item_tax, 0) + coalesce(shipping_tax, 0)
      + coalesce(gift_wrap_tax, 0) ELSE 0 END)::numeric(18,4) AS tax,
  sum(CASE WHEN kind = 'replacement' AND live THEN quantity ELSE 0 END)::int AS replacement_units,
  sum(CASE WHEN kind = 'mcf' AND live THEN quantity ELSE 0 END)::int AS mcf_units,
  sum(CASE WHEN kind = 'sale' AND live AND item_price <= coalesce(item_discount, 0) THEN quantity ELSE 0 END)::int
    AS zero_price_units,
  sum(CASE WHEN kind = 'sale' AND live AND coalesce(item_price, estimated_price) IS NULL THEN quantity ELSE 0 END)::int
    AS unpriced_units`;

const KEYS = {
  sku_day:
    "account_id, marketplace_id, local_date, seller_sku, coalesce(asin, '') AS asin, fulfilled_by, is_business, currency",
  slot: 'account_id, marketplace_id, local_date, slot_start, fulfilled_by, is_business, currency',
  store_day: 'account_id, marketplace_id, local_date, fulfilled_by, is_business, currency',
};

/** What a rollup must hold, straight from the orders; rows that say nothing are left out. */
export async function plain(ctx: Ctx, table: keyof typeof KEYS): Promise<Row[]> {
  const keys = KEYS[table];
  const places = keys
    .split(', ')
    .filter((name) => !name.startsWith("''"))
    .map((_, index) => index + 1)
    .join(', ');
  const rows = await rowsOf(
    ctx,
    `SELECT ${keys}, ${MEASURES} FROM (${LINES}) AS lines GROUP BY ${places} ORDER BY ${places}`,
  );
  return rows.filter((row) => Number(row.gross_units) + Number(row.replacement_units) + Number(row.mcf_units) > 0);
}
