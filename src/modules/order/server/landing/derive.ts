import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { event } from '#kit/server/events.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';

/**
 * Orders changed in this transaction. The temporary table of that name holds one row per (account_id uuid,
 * marketplace_id text, local_date date, seller_sku text, slot timestamptz) that a changed line belongs to or belonged
 * to before; the slot is the half hour (UTC) of the purchase. Rows may repeat.
 */
export const ordersTouched = event<{ table: 'touched_orders' }>('order.touched');

/** An empty touched_orders. */
export async function openTouched(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.touched_orders`.execute(ctx.db);
  await sql`CREATE TEMP TABLE touched_orders (account_id uuid, marketplace_id text, local_date date, seller_sku text,
                                              slot timestamptz) ON COMMIT DROP`.execute(ctx.db);
}

/**
 * Notes the keys under which the lines of known orders that change stand now: called before and after they are written. Lines
 * of new orders are noted by whoever writes them.
 */
export async function touch(ctx: Ctx, account: AccountRef): Promise<void> {
  await sql`
    INSERT INTO pg_temp.touched_orders
    SELECT DISTINCT l.account_id, l.marketplace_id, l.local_date, l.seller_sku,
           date_bin('30 minutes', l.purchased_at, 'epoch')
      FROM pg_temp.landing_order n
      JOIN "order".amazon_order_line l ON l.company_id = ${ctx.companyId}
       AND l.selling_partner_id = ${account.sellingPartnerId} AND l.amazon_order_id = n.amazon_order_id
     WHERE n.action = 'update'`.execute(ctx.db);
}

/** Orders whose lines have a worth only by estimate: nothing is told of their price, and they may still be sent. */
export const IS_UNPRICED = sql`n.action <> 'keep' AND n.item_amount IS NULL
  AND n.status IN ('PENDING_AVAILABILITY', 'PENDING', 'UNSHIPPED')`;

/**
 * What lines without a price are worth until Amazon tells: the unit price of the last earlier sale of the same SKU in
 * the same marketplace, times the quantity, rounded half up to cents (whole yen). Null where nothing was sold before.
 */
export async function estimatePrices(ctx: Ctx, account: AccountRef): Promise<void> {
  await sql`
    UPDATE "order".amazon_order_line l SET estimated_price = guess.price
      FROM pg_temp.landing_order n, LATERAL (
        SELECT l2.item_key, round(sold.item_price / sold.quantity * l2.quantity,
                                  CASE n.currency WHEN 'JPY' THEN 0 ELSE 2 END) AS price
          FROM "order".amazon_order_line l2
          CROSS JOIN LATERAL (
            SELECT p.item_price, p.quantity FROM "order".amazon_order_line p
             WHERE p.company_id = ${ctx.companyId} AND p.seller_sku = l2.seller_sku AND p.account_id = l2.account_id
               AND p.marketplace_id = l2.marketplace_id AND p.purchased_at <= l2.purchased_at
               AND p.item_price > 0 AND p.quantity > 0 AND p.superseded_by IS NULL
             ORDER BY p.purchased_at DESC, p.amazon_order_id DESC, p.item_key LIMIT 1) AS sold
         WHERE l2.company_id = ${ctx.companyId} AND l2.selling_partner_id = ${account.sellingPartnerId}
           AND l2.amazon_order_id = n.amazon_order_id AND l2.item_price IS NULL AND l2.superseded_by IS NULL
           AND l2.quantity > 0) AS guess
     WHERE ${IS_UNPRICED}
       AND l.company_id = ${ctx.companyId} AND l.selling_partner_id = ${account.sellingPartnerId}
       AND l.amazon_order_id = n.amazon_order_id AND l.item_key = guess.item_key`.execute(ctx.db);
}

/** Counts the touched marketplace days anew from their orders; nothing is ever added to or taken from a count. */
export async function foldDays(ctx: Ctx): Promise<void> {
  await sql`
    DELETE FROM "order".order_day d
     USING (SELECT DISTINCT account_id, marketplace_id, local_date FROM pg_temp.touched_orders) t
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = t.account_id AND d.marketplace_id = t.marketplace_id
       AND d.local_date = t.local_date`.execute(ctx.db);
  await sql`
    INSERT INTO "order".order_day
      (company_id, account_id, marketplace_id, local_date, status, channel, fulfilled_by, is_business, is_replacement,
       currency, orders, quantity, item_amount, discount_amount, order_total)
    SELECT o.company_id, o.account_id, o.marketplace_id, o.local_date, o.status, o.channel, o.fulfilled_by,
           o.is_business, o.is_replacement, o.currency, count(*), sum(o.quantity), coalesce(sum(o.item_amount), 0),
           coalesce(sum(o.discount_amount), 0), coalesce(sum(o.order_total), 0)
      FROM (SELECT DISTINCT account_id, marketplace_id, local_date FROM pg_temp.touched_orders) t
      JOIN "order".amazon_order o ON o.company_id = ${ctx.companyId} AND o.account_id = t.account_id
       AND o.marketplace_id = t.marketplace_id AND o.local_date = t.local_date
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`.execute(ctx.db);
}
