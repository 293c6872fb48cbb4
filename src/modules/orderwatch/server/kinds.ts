import { type RawBuilder, sql } from 'kysely';
import type { WatchCode } from '../contract/kinds.ts';

const ORDERS = sql`
  FROM pg_temp.watched AS w
  JOIN "order".amazon_order AS o
    ON o.company_id = w.company_id AND o.selling_partner_id = w.selling_partner_id AND o.amazon_order_id = w.amazon_order_id`;
const LINES = sql`${ORDERS}
  JOIN "order".amazon_order_line AS l
    ON l.company_id = o.company_id AND l.selling_partner_id = o.selling_partner_id
   AND l.amazon_order_id = o.amazon_order_id AND l.superseded_by IS NULL`;
const LIVING = sql`o.channel = 'AMAZON' AND NOT o.is_replacement AND o.status NOT IN ('CANCELLED', 'UNFULFILLABLE')`;

/** Refunds and sales of goods in the money lines of the watched orders that count. */
const MONEY = sql`
  FROM pg_temp.watched AS w
  JOIN settlement.money_line AS m
    ON m.company_id = w.company_id AND m.order_id = w.amazon_order_id AND m.account_id = w.account_id
  JOIN settlement.source_doc AS d ON d.company_id = m.company_id AND d.id = m.source_doc_id AND d.state = 'ACTIVE'`;

/**
 * What each kind finds among the orders of pg_temp.watched, of which PRICE knows the usual prices (pg_temp.usual_price): selling_partner_id, amazon_order_id, figure (numeric) and words; one
 * row an order. The figure is compared with the threshold by whoever asks.
 */
export const FINDS: Readonly<Record<WatchCode, RawBuilder<unknown>>> = {
  QUANTITY: sql`
    SELECT selling_partner_id, amazon_order_id, max(pieces)::numeric AS figure,
           (array_agg(seller_sku || ' × ' || pieces ORDER BY pieces DESC, seller_sku))[1] AS words
      FROM (SELECT o.selling_partner_id, o.amazon_order_id, l.seller_sku, sum(l.quantity) AS pieces
              ${LINES} WHERE ${LIVING} GROUP BY 1, 2, 3) AS q GROUP BY 1, 2`,
  PRICE: sql`
    SELECT selling_partner_id, amazon_order_id, max(lower_by) AS figure,
           (array_agg(seller_sku || ' 比件均价低 ' || round(lower_by, 1) || '%' ORDER BY lower_by DESC, seller_sku))[1] AS words
      FROM (SELECT o.selling_partner_id, o.amazon_order_id, l.seller_sku,
                   (1 - (l.item_price / l.quantity) / usual.price) * 100 AS lower_by
              ${LINES}
              JOIN pg_temp.usual_price AS usual
                ON usual.account_id = l.account_id AND usual.marketplace_id = l.marketplace_id
               AND usual.seller_sku = l.seller_sku AND usual.local_date = l.local_date AND usual.currency = l.currency
             WHERE ${LIVING} AND l.quantity > 0 AND l.item_price IS NOT NULL AND usual.price > 0) AS q GROUP BY 1, 2`,
  DISCOUNT: sql`
    SELECT o.selling_partner_id, o.amazon_order_id, o.discount_amount / o.item_amount * 100 AS figure,
           '折扣占商品金额 ' || round(o.discount_amount / o.item_amount * 100, 1) || '%' AS words
      ${ORDERS} WHERE ${LIVING} AND o.item_amount > 0 AND o.discount_amount IS NOT NULL`,
  ADDRESS: sql`
    SELECT o.selling_partner_id, o.amazon_order_id, cardinality(lacks)::numeric AS figure,
           '缺少' || array_to_string(lacks, '、') AS words
      ${ORDERS} CROSS JOIN LATERAL (SELECT array_remove(ARRAY[
          CASE WHEN coalesce(o.ship_country, '') = '' THEN '国家' END,
          CASE WHEN coalesce(o.ship_state, '') = '' AND o.ship_country IN ('US', 'CA', 'MX', 'BR', 'AU', 'JP', 'IN') THEN '州' END,
          CASE WHEN coalesce(o.postal_prefix, '') = '' AND coalesce(o.ship_country, '') NOT IN ('AE', 'IE') THEN '邮编' END], NULL) AS lacks) AS a
     WHERE ${LIVING} AND o.fulfilled_by = 'MERCHANT' AND o.status IN ('UNSHIPPED', 'PARTIALLY_SHIPPED')`,
  CLUSTER: sql`
    SELECT selling_partner_id, amazon_order_id, max(orders)::numeric AS figure,
           (array_agg(seller_sku || ' 当天有 ' || orders || ' 单寄往 ' || place ORDER BY orders DESC, seller_sku))[1] AS words
      FROM (SELECT o.selling_partner_id, o.amazon_order_id, l.seller_sku,
                   nullif(o.ship_country, '') || ' ' || nullif(o.postal_prefix, '') AS place,
                   count(*) OVER (PARTITION BY o.account_id, o.marketplace_id, o.local_date, l.seller_sku, o.ship_country,
                                               o.postal_prefix) AS orders,
                   count(*) OVER (PARTITION BY o.account_id, o.marketplace_id, o.local_date, l.seller_sku) AS of_day
              ${ORDERS}
              JOIN LATERAL (
                SELECT DISTINCT x.seller_sku FROM "order".amazon_order_line AS x
                 WHERE x.company_id = o.company_id AND x.selling_partner_id = o.selling_partner_id
                   AND x.amazon_order_id = o.amazon_order_id AND x.superseded_by IS NULL) AS l ON true
             WHERE ${LIVING}) AS q
     -- Many go to a large city of what sells a lot: only where most of a day go to one place is that odd.
     WHERE place IS NOT NULL AND orders * 2 > of_day GROUP BY 1, 2`,
  REFUNDS: sql`
    SELECT w.selling_partner_id, w.amazon_order_id, count(DISTINCT m.posted_at)::numeric AS figure,
           '退款 ' || count(DISTINCT m.posted_at) || ' 次' AS words
      ${MONEY} WHERE m.fee_code = 'REFUND_PRINCIPAL' AND m.amount < 0 GROUP BY 1, 2`,
  OVER_REFUND: sql`
    SELECT selling_partner_id, amazon_order_id, (back / paid - 1) * 100 AS figure,
           '退回的商品金额是已收的 ' || round(back / paid * 100, 1) || '%' AS words
      FROM (SELECT w.selling_partner_id, w.amazon_order_id,
                   -sum(m.amount) FILTER (WHERE m.fee_code = 'REFUND_PRINCIPAL') AS back,
                   sum(m.amount) FILTER (WHERE m.fee_code = 'PRINCIPAL') AS paid
              ${MONEY} WHERE m.fee_code IN ('PRINCIPAL', 'REFUND_PRINCIPAL') GROUP BY 1, 2) AS q
     WHERE paid > 0 AND back > paid`,
};

/** Kinds that the money of an order decides; the others compare orders of whole days. */
export const BY_MONEY: readonly WatchCode[] = ['REFUNDS', 'OVER_REFUND'];
