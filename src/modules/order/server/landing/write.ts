import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import type { OrderSource } from '../../contract/status.ts';
import { rankOf } from './decide.ts';

const PLAIN = [
  'account_id',
  'marketplace_id',
  'channel',
  'fulfilled_by',
  'status',
  'purchased_at',
  'local_date',
  'last_updated_at',
  'earliest_ship_at',
  'latest_ship_at',
  'earliest_deliver_at',
  'latest_deliver_at',
  'service_level',
  'programs',
  'is_business',
  'is_replacement',
  'original_order_id',
  'buyer_cancel_requested',
  'currency',
  'item_amount',
  'discount_amount',
  'order_total',
  'quantity',
  'shipped_quantity',
  'line_count',
  'lead_sku',
  'packages',
  'source',
  'row_hash',
];
/** What one source tells and another leaves out: a value stays until another value comes. */
const FILLED = ['seller_order_id', 'sales_channel', 'ship_country', 'ship_state', 'postal_prefix'];
const ORDER_COLUMNS = [...PLAIN, ...FILLED];

const assignments = [
  ...PLAIN.map((name) => `${name} = excluded.${name}`),
  ...FILLED.map((name) => `${name} = coalesce(excluded.${name}, o.${name})`),
].join(', ');

/** What is done with orders of a delivery: new ones are inserted, changed ones found and rewritten. */
export type Writing = 'insert' | 'update';

/**
 * Writes the new or the changed orders. New ones have a statement of their own, because ON CONFLICT looks up and marks each of
 * a million rows before it writes it: deliveries of a selling partner wait for each other, so that an order that is new when
 * it is weighed still is when it is written.
 */
export async function writeOrders(ctx: Ctx, account: AccountRef, source: OrderSource, writing: Writing): Promise<void> {
  const known = sql`ON CONFLICT (company_id, selling_partner_id, amazon_order_id) DO UPDATE SET ${sql.raw(assignments)}`;
  const values = ORDER_COLUMNS.map((name) =>
    name === 'account_id' ? '$account' : name === 'source' ? '$source' : `n.${name}`,
  );
  const parts = values.map((value) =>
    value === '$account' ? sql`${account.id}::uuid` : value === '$source' ? sql`${source}` : sql.raw(value),
  );
  await sql`
    INSERT INTO "order".amazon_order AS o
      (company_id, selling_partner_id, amazon_order_id, ${sql.raw(ORDER_COLUMNS.join(', '))})
    SELECT ${ctx.companyId}, ${account.sellingPartnerId}, n.amazon_order_id, ${sql.join(parts)}
      FROM pg_temp.landing_order n WHERE n.action = ${writing} ${writing === 'update' ? known : sql``}`.execute(ctx.db);
}

/** Lets a delivery that lost against a higher source tell what that one left out: where the parcel went. */
export async function fillGaps(ctx: Ctx, account: AccountRef): Promise<void> {
  const set = FILLED.map((name) => `${name} = coalesce(o.${name}, n.${name})`).join(', ');
  const gaps = FILLED.map((name) => `(o.${name} IS NULL AND n.${name} IS NOT NULL)`).join(' OR ');
  await sql`
    UPDATE "order".amazon_order o SET ${sql.raw(set)}
      FROM pg_temp.landing_order n
     WHERE n.action = 'keep' AND o.company_id = ${ctx.companyId} AND o.selling_partner_id = ${account.sellingPartnerId}
       AND o.amazon_order_id = n.amazon_order_id AND (${sql.raw(gaps)})`.execute(ctx.db);
}

const LOGGED = [
  ['status', 'status'],
  ['quantity', 'quantity'],
  ['item_amount', 'itemAmount'],
  ['discount_amount', 'discountAmount'],
  ['order_total', 'orderTotal'],
  ['buyer_cancel_requested', 'buyerCancelRequested'],
  ['latest_ship_at', 'latestShipAt'],
  ['latest_deliver_at', 'latestDeliverAt'],
] as const;

/** Notes what changes on known orders; it must run before they are written. What was unknown before is no change. */
export async function logChanges(ctx: Ctx, account: AccountRef, source: OrderSource): Promise<void> {
  const values = LOGGED.map(([column, field]) => {
    const value = (alias: string) =>
      column.endsWith('_at') ? `to_json(${alias}.${column}) #>> '{}'` : `${alias}.${column}::text`;
    return `('${field}', ${value('o')}, ${value('n')})`;
  });
  await sql`
    INSERT INTO "order".order_change (company_id, selling_partner_id, amazon_order_id, source, field, old, new)
    SELECT ${ctx.companyId}, ${account.sellingPartnerId}, n.amazon_order_id, ${source}, change.field, change.old, change.new
      FROM pg_temp.landing_order n
      JOIN "order".amazon_order o ON o.company_id = ${ctx.companyId}
       AND o.selling_partner_id = ${account.sellingPartnerId} AND o.amazon_order_id = n.amazon_order_id
     CROSS JOIN LATERAL (VALUES ${sql.raw(values.join(', '))}) AS change (field, old, new)
     WHERE n.action = 'update' AND change.old IS DISTINCT FROM change.new AND change.new IS NOT NULL
       AND (change.old IS NOT NULL OR change.field IN ('itemAmount', 'orderTotal'))`.execute(ctx.db);
}

/**
 * Keeps the newest title of every SKU sold; a title of a lower source never replaces one of a higher. The newest line of a SKU
 * is the greatest pair of time and place in the delivery: a few hundred SKUs are found so without sorting a million lines.
 */
export async function writeSkus(ctx: Ctx, account: AccountRef, source: OrderSource): Promise<void> {
  await sql`
    WITH newest AS (
      SELECT n.marketplace_id, r.seller_sku, max(n.last_updated_at) AS seen_at,
             max(ARRAY[date_part('epoch', n.last_updated_at), -r.line_no]) AS latest
        FROM pg_temp.landing_order n
        JOIN pg_temp.landing_key k USING (amazon_order_id)
        JOIN pg_temp.landing_row r USING (line_no)
       WHERE n.action <> 'keep' AND k.is_best
       GROUP BY n.marketplace_id, r.seller_sku
    )
    INSERT INTO "order".sold_sku AS s
      (company_id, account_id, marketplace_id, seller_sku, asin, title, source, seen_at)
    SELECT ${ctx.companyId}::uuid, ${account.id}::uuid, w.marketplace_id, w.seller_sku, r.asin, r.title, ${source},
           w.seen_at
      FROM newest w JOIN pg_temp.landing_row r ON r.line_no = -w.latest[2]::int
    ON CONFLICT (company_id, account_id, marketplace_id, seller_sku) DO UPDATE
       SET asin = coalesce(excluded.asin, s.asin), title = coalesce(excluded.title, s.title),
           source = excluded.source, seen_at = excluded.seen_at
     WHERE (${rankOf('excluded.source')}, excluded.seen_at) > (${rankOf('s.source')}, s.seen_at)
       AND (s.asin, s.title, s.source) IS DISTINCT FROM
           (coalesce(excluded.asin, s.asin), coalesce(excluded.title, s.title), excluded.source)`.execute(ctx.db);
}
