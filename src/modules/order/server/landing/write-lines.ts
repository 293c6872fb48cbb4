import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import type { OrderSource } from '../../contract/status.ts';
import type { Writing } from './write.ts';

/**
 * Lines of a changed order that the new version does not name. An item of the API is kept and marked, because Amazon
 * replaces item ids and fees still refer to the old ones; lines of a report simply make way.
 */
export async function retireLines(ctx: Ctx, account: AccountRef): Promise<void> {
  const gone = sql`
    l.company_id = ${ctx.companyId} AND l.selling_partner_id = ${account.sellingPartnerId}
    AND l.amazon_order_id = n.amazon_order_id AND n.action = 'update'
    AND NOT EXISTS (SELECT FROM pg_temp.landing_key k
                     WHERE k.amazon_order_id = l.amazon_order_id AND k.item_key = l.item_key AND k.is_best)`;
  await sql`DELETE FROM "order".amazon_order_line l USING pg_temp.landing_order n
             WHERE ${gone} AND l.source <> 'api'`.execute(ctx.db);
  await sql`
    WITH retired AS (
      UPDATE "order".amazon_order_line l
         SET superseded_by = coalesce(
               (SELECT min(k.item_key) FROM pg_temp.landing_key k JOIN pg_temp.landing_row r USING (line_no)
                 WHERE k.amazon_order_id = l.amazon_order_id AND k.is_best AND r.seller_sku = l.seller_sku), 'gone')
        FROM pg_temp.landing_order n
       WHERE ${gone} AND l.superseded_by IS NULL
      RETURNING l.amazon_order_id, l.item_key, l.superseded_by
    )
    INSERT INTO "order".order_change (company_id, selling_partner_id, amazon_order_id, source, field, old, new)
    SELECT ${ctx.companyId}, ${account.sellingPartnerId}, amazon_order_id, 'api', 'item', item_key,
           nullif(superseded_by, 'gone') FROM retired`.execute(ctx.db);
}

const LINE_COLUMNS = [
  'order_item_id',
  'seller_sku',
  'asin',
  'quantity',
  'shipped_quantity',
  'unit_price',
  'item_price',
  'shipping_price',
  'gift_wrap_price',
  'other_price',
  'item_tax',
  'shipping_tax',
  'gift_wrap_tax',
  'item_discount',
  'shipping_discount',
  'promotion_ids',
  'cancel_reason',
];
const FROM_ORDER = ['marketplace_id', 'purchased_at', 'local_date', 'currency'];

const COMPARED = [...LINE_COLUMNS, ...FROM_ORDER, 'account_id', 'source'];

/** INSERT of the lines of new or of changed orders. */
function lineInsert(ctx: Ctx, account: AccountRef, source: OrderSource, writing: Writing) {
  return sql`
    INSERT INTO "order".amazon_order_line AS l
      (company_id, selling_partner_id, amazon_order_id, item_key, account_id, source, first_quantity,
       ${sql.raw([...FROM_ORDER, ...LINE_COLUMNS].join(', '))})
    SELECT ${ctx.companyId}::uuid, ${account.sellingPartnerId}, n.amazon_order_id, k.item_key, ${account.id}::uuid,
           ${source}, greatest(k.seen, 1),
           ${sql.raw([...FROM_ORDER.map((name) => `n.${name}`), ...LINE_COLUMNS.map((name) => `r.${name}`)].join(', '))}
      FROM pg_temp.landing_order n
      JOIN pg_temp.landing_key k USING (amazon_order_id)
      JOIN pg_temp.landing_row r USING (line_no)
     WHERE n.action = ${writing} AND k.is_best`;
}

/** Writes the lines of new orders; where they stand goes to touched_orders, so that nobody has to look them up again. */
export async function writeNewLines(ctx: Ctx, account: AccountRef, source: OrderSource): Promise<void> {
  await sql`
    WITH written AS (${lineInsert(ctx, account, source, 'insert')}
      RETURNING l.account_id, l.marketplace_id, l.local_date, l.seller_sku, l.purchased_at)
    INSERT INTO pg_temp.touched_orders
    SELECT DISTINCT account_id, marketplace_id, local_date, seller_sku, date_bin('30 minutes', purchased_at, 'epoch')
      FROM written`.execute(ctx.db);
}

/** Writes the lines of changed orders; a line that says what it said is not rewritten. */
export async function writeChangedLines(ctx: Ctx, account: AccountRef, source: OrderSource): Promise<void> {
  const list = (prefix: string) => sql.raw(COMPARED.map((name) => `${prefix}.${name}`).join(', '));
  await sql`${lineInsert(ctx, account, source, 'update')}
    ON CONFLICT (company_id, selling_partner_id, amazon_order_id, item_key) DO UPDATE
       SET (${sql.raw(COMPARED.join(', '))}) = ROW(${list('excluded')}),
           first_quantity = greatest(l.first_quantity, excluded.first_quantity),
           estimated_price = NULL, superseded_by = NULL
     WHERE (${list('l')}) IS DISTINCT FROM (${list('excluded')})
        OR l.first_quantity < excluded.first_quantity OR l.superseded_by IS NOT NULL
        OR l.estimated_price IS NOT NULL`.execute(ctx.db);
}

/**
 * A version that came too late to count may still be the one that tells how many pieces were ordered at first. Returns
 * nothing; the keys of the lines it changed go to touched_orders.
 */
export async function raiseFirstQuantities(ctx: Ctx, account: AccountRef): Promise<void> {
  await sql`
    WITH raised AS (
      UPDATE "order".amazon_order_line l SET first_quantity = k.seen
        FROM pg_temp.landing_order n
        JOIN (SELECT DISTINCT amazon_order_id, item_key, seen FROM pg_temp.landing_key) k USING (amazon_order_id)
       WHERE n.action = 'keep' AND l.company_id = ${ctx.companyId}
         AND l.selling_partner_id = ${account.sellingPartnerId} AND l.amazon_order_id = k.amazon_order_id
         AND l.item_key = k.item_key AND l.first_quantity < k.seen
      RETURNING l.account_id, l.marketplace_id, l.local_date, l.seller_sku, l.purchased_at
    )
    INSERT INTO pg_temp.touched_orders
    SELECT account_id, marketplace_id, local_date, seller_sku, date_bin('30 minutes', purchased_at, 'epoch')
      FROM raised`.execute(ctx.db);
}

/**
 * Items that an answer of the API told and the version that counts does not name: written as gone, because the item may
 * come back, and then its first quantity must not depend on the order in which the versions arrived.
 */
export async function rememberItems(ctx: Ctx, account: AccountRef, source: OrderSource): Promise<void> {
  if (source !== 'api') return;
  await sql`
    INSERT INTO "order".amazon_order_line
      (company_id, selling_partner_id, amazon_order_id, item_key, order_item_id, account_id, marketplace_id,
       purchased_at, local_date, seller_sku, asin, quantity, first_quantity, currency, source, superseded_by)
    SELECT DISTINCT ON (k.amazon_order_id, k.item_key)
           ${ctx.companyId}::uuid, ${account.sellingPartnerId}, k.amazon_order_id, k.item_key, r.order_item_id,
           ${account.id}::uuid, n.marketplace_id, n.purchased_at, n.local_date, r.seller_sku, r.asin, r.quantity,
           greatest(k.seen, 1), n.currency, ${source}, 'gone'
      FROM pg_temp.landing_order n
      JOIN pg_temp.landing_key k USING (amazon_order_id)
      JOIN pg_temp.landing_row r USING (line_no)
     WHERE n.action = 'keep' OR NOT k.is_best
     ORDER BY k.amazon_order_id, k.item_key, k.line_no
    ON CONFLICT DO NOTHING`.execute(ctx.db);
}
