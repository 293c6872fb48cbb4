import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { analyseTemporary } from '#kit/server/db/statistics.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import type { OrderSource } from '../../contract/status.ts';
import type { Refused } from './fact.ts';

/** Zone, currency and tax custom of every marketplace, as rows of a query. */
export const SITES = sql`(VALUES ${sql.join(
  MARKETPLACES.map((m) => sql`(${m.id}, ${m.timeZone}, ${m.currency}, ${m.taxIncluded}::boolean)`),
)}) AS site (marketplace_id, zone, currency, tax_included)`;

/** Rank of a source in SQL: a higher one always replaces a lower one. */
export const rankOf = (column: string) => sql.raw(`(CASE ${column} WHEN 'api' THEN 3 WHEN 'report' THEN 2 ELSE 1 END)`);

/**
 * Names every staged line and finds the newest version of each order. The same item twice in one version is one item;
 * a line without an item id is told apart by its SKU and its place among the equal ones, ordered by content, so that
 * another order of lines in the file gives the same names. `seen` is the largest quantity over all versions.
 */
async function nameLines(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.landing_key`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE landing_key ON COMMIT DROP AS
    WITH numbered AS (
      SELECT line_no, amazon_order_id, version, last_updated_at, quantity, order_item_id, seller_sku,
             row_number() OVER (PARTITION BY amazon_order_id, version, coalesce(order_item_id, 'r:' || seller_sku)
                                ORDER BY quantity DESC, item_price DESC NULLS LAST, line_no) AS n
        FROM pg_temp.landing_row
    ), keyed AS (
      SELECT line_no, amazon_order_id, version, last_updated_at, quantity,
             coalesce(order_item_id, 'r:' || seller_sku || '#' || n) AS item_key
        FROM numbered WHERE order_item_id IS NULL OR n = 1
    )
    SELECT line_no, amazon_order_id, item_key, version = first_value(version) OVER newest AS is_best,
           row_number() OVER newest = 1 AS is_head,
           max(quantity) OVER (PARTITION BY amazon_order_id, item_key) AS seen
      FROM keyed
    WINDOW newest AS (PARTITION BY amazon_order_id ORDER BY last_updated_at DESC, version DESC, line_no)`.execute(
    ctx.db,
  );
  await analyseTemporary(ctx, 'landing_key', 'line_no, amazon_order_id');
  await analyseTemporary(ctx, 'landing_row', 'line_no, amazon_order_id');
}

/**
 * Everything that a line is made of, for the hash: an equal delivery must be known as equal. The values are hashed as they
 * are: to write a million rows out as texts first takes longer than all the rest of the weighing.
 */
const LINE_HASH = sql.raw(
  `hash_record_extended((k.item_key, r.seller_sku, r.asin, r.title, r.quantity, r.shipped_quantity, r.unit_price, r.item_price,
    r.shipping_price, r.gift_wrap_price, r.other_price, r.item_tax, r.shipping_tax, r.gift_wrap_tax, r.item_discount,
    r.shipping_discount, r.promotion_ids, r.cancel_reason), 0)`,
);

const HEAD_HASH = sql.raw(
  `hash_record_extended((h.marketplace_id, h.seller_order_id, h.sales_channel, h.channel, h.fulfilled_by, h.status, h.purchased_at,
    h.last_updated_at, h.earliest_ship_at, h.latest_ship_at, h.earliest_deliver_at, h.latest_deliver_at,
    h.service_level, h.programs, h.is_business, h.is_replacement, h.original_order_id, h.buyer_cancel_requested,
    h.ship_country, h.ship_state, h.postal_prefix, h.currency, h.order_total, h.packages), 0)`,
);

/** A sum in which a missing part counts as nothing, but which is unknown while no price is known. */
const LINE_TOTAL = sql.raw(
  `sum(r.item_price) + coalesce(sum(r.shipping_price), 0) + coalesce(sum(r.gift_wrap_price), 0)
   + coalesce(sum(r.other_price), 0) - coalesce(sum(r.item_discount), 0) - coalesce(sum(r.shipping_discount), 0)`,
);

/**
 * One row per order of the delivery in landing_order, with what is to be done with it: 'insert', 'update' or 'keep'.
 *
 * The rule is an order over deliveries, so that the result does not depend on when each arrives: the source with the
 * higher rank wins (api, report, upload), whatever its time, because only the API tells all of an order and a report's
 * times are not quite the API's; within one source the later update wins; at an equal time the one that comes later,
 * if it says something else (a better reader over the same bytes).
 */
async function judge(ctx: Ctx, account: AccountRef, source: OrderSource): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.landing_order`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE landing_order ON COMMIT DROP AS
    WITH sums AS (
      SELECT r.amazon_order_id, count(*)::int AS line_count, sum(r.quantity)::int AS quantity,
             sum(r.shipped_quantity)::int AS shipped_quantity, sum(r.item_price) AS item_amount,
             CASE WHEN sum(r.item_price) IS NULL THEN NULL ELSE coalesce(sum(r.item_discount), 0) END AS discount_amount,
             ${LINE_TOTAL} AS net_total,
             coalesce(sum(r.item_tax), 0) + coalesce(sum(r.shipping_tax), 0) + coalesce(sum(r.gift_wrap_tax), 0) AS tax,
             bool_and(r.item_price IS NOT DISTINCT FROM 0 AND r.quantity > 0) AND coalesce(sum(r.item_discount), 0) = 0
               AS is_free,
             min(r.currency) <> max(r.currency) AS is_mixed, max(r.currency) AS currency,
             (array_agg(r.seller_sku ORDER BY k.item_key))[1] AS lead_sku,
             hash_array_extended(array_agg(${LINE_HASH} ORDER BY k.item_key), 0) AS lines_hash,
             min(k.line_no) FILTER (WHERE k.is_head) AS head_line
        FROM pg_temp.landing_row r JOIN pg_temp.landing_key k USING (line_no)
       WHERE k.is_best GROUP BY r.amazon_order_id
    )
    SELECT h.amazon_order_id, h.marketplace_id, h.seller_order_id, h.sales_channel, h.channel, h.fulfilled_by, h.status,
           h.purchased_at, (h.purchased_at AT TIME ZONE coalesce(site.zone, 'UTC'))::date AS local_date,
           h.last_updated_at, h.earliest_ship_at, h.latest_ship_at, h.earliest_deliver_at, h.latest_deliver_at,
           h.service_level, h.programs, h.is_business, coalesce(h.is_replacement, s.is_free) AS is_replacement,
           h.original_order_id, h.buyer_cancel_requested, h.ship_country, h.ship_state, h.postal_prefix,
           coalesce(s.currency, site.currency, 'XXX') AS currency, s.item_amount, s.discount_amount,
           coalesce(h.order_total,
                    s.net_total + CASE WHEN site.tax_included AND ${source} <> 'api' THEN 0 ELSE s.tax END) AS order_total,
           s.quantity, s.shipped_quantity, s.line_count, s.lead_sku, h.packages, s.is_mixed,
           fresh.row_hash, e.source AS old_source, e.local_date AS old_date,
           CASE WHEN e.amazon_order_id IS NULL THEN 'insert'
                WHEN ${rankOf(`'${source}'`)} > ${rankOf('e.source')} THEN 'update'
                WHEN e.source = ${source} AND h.last_updated_at >= e.last_updated_at
                     AND fresh.row_hash <> e.row_hash THEN 'update'
                ELSE 'keep' END AS action
      FROM sums s
      JOIN pg_temp.landing_row h ON h.line_no = s.head_line
      LEFT JOIN ${SITES} USING (marketplace_id)
      CROSS JOIN LATERAL (
        SELECT (lpad(to_hex(${HEAD_HASH}), 16, '0') || lpad(to_hex(s.lines_hash), 16, '0'))::uuid AS row_hash) AS fresh
      LEFT JOIN "order".amazon_order e
        ON e.company_id = ${ctx.companyId} AND e.selling_partner_id = ${account.sellingPartnerId}
       AND e.amazon_order_id = h.amazon_order_id`.execute(ctx.db);
  await analyseTemporary(ctx, 'landing_order', 'amazon_order_id, action');
}

/**
 * Makes the staged tables quick to look up in, for a delivery that meets rows that are stored: while a stored table looks
 * empty to the planner, it walks through the whole delivery for each row of that. A delivery of new orders needs none of it.
 */
export async function indexLanding(ctx: Ctx): Promise<void> {
  await sql`CREATE INDEX ON pg_temp.landing_order (amazon_order_id)`.execute(ctx.db);
  await sql`CREATE INDEX ON pg_temp.landing_key (amazon_order_id, item_key)`.execute(ctx.db);
  await sql`CREATE INDEX ON pg_temp.landing_row (line_no)`.execute(ctx.db);
}

/** Takes out of the delivery what cannot be right; the rest goes on. Returns what that was. */
async function takeOut(ctx: Ctx, latest: string | undefined): Promise<Refused[]> {
  const { rows } = await sql<Refused>`
    DELETE FROM pg_temp.landing_order
     WHERE is_mixed OR purchased_at > ${latest ?? 'infinity'}::timestamptz
    RETURNING amazon_order_id AS "amazonOrderId",
              CASE WHEN is_mixed THEN '订单内币种不一致' ELSE '订购时间在未来' END AS reason`.execute(ctx.db);
  return rows;
}

/** Names the staged lines, weighs each order against what is stored; returns the orders that cannot be right. */
export async function decide(
  ctx: Ctx,
  account: AccountRef,
  source: OrderSource,
  latest: string | undefined,
): Promise<Refused[]> {
  await nameLines(ctx);
  await judge(ctx, account, source);
  return takeOut(ctx, latest);
}
