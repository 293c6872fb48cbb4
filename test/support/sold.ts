import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf, type Region } from '#modules/marketplace/contract/marketplaces.ts';
import { foldOnce } from '#modules/sales/server/fold.ts';
import { markTouched } from '#modules/sales/server/mark.ts';
import { JP, makeSellerAccount, US } from './seller.ts';
import type { Person, World } from './world.ts';

export { DE, IN, JP, US } from './seller.ts';

export interface Seller {
  accountId: string;
  partner: string;
}

/** A seller account of somebody's company, as a consent would have left it. */
export async function makeSeller(
  world: World,
  person: Person,
  marketplaceIds: readonly string[] = [US, JP],
  region: Region = 'na',
): Promise<Seller> {
  const account = await makeSellerAccount(world, person, { marketplaceIds, region });
  return { accountId: account.id, partner: account.sellingPartnerId };
}

export interface Line {
  sku: string;
  quantity: number;
  first?: number;
  shipped?: number;
  price?: string | null;
  estimate?: string | null;
  discount?: string | null;
  shipping?: string | null;
  tax?: string | null;
  asin?: string | null;
  superseded?: boolean;
}

export interface Order {
  id: string;
  at: string;
  lines: Line[];
  marketplaceId?: string;
  status?: string;
  channel?: 'AMAZON' | 'NON_AMAZON';
  fulfilledBy?: 'AMAZON' | 'MERCHANT';
  business?: boolean;
  replacement?: boolean;
}

async function touch(ctx: Ctx, seller: Seller, ids: readonly string[]): Promise<void> {
  await sql`INSERT INTO pg_temp.touched_orders
    SELECT account_id, marketplace_id, local_date, seller_sku, date_bin('30 minutes', purchased_at, 'epoch')
      FROM "order".amazon_order_line WHERE company_id = ${ctx.companyId} AND selling_partner_id = ${seller.partner}
       AND amazon_order_id = ANY(${ids}::text[])`.execute(ctx.db);
}

function orderRow(seller: Seller, order: Order) {
  const site = marketplaceOf(order.marketplaceId ?? US);
  return {
    order_id: order.id,
    account_id: seller.accountId,
    marketplace_id: order.marketplaceId ?? US,
    zone: site?.timeZone ?? 'UTC',
    currency: site?.currency ?? 'USD',
    at: order.at,
    status: order.status ?? 'SHIPPED',
    channel: order.channel ?? 'AMAZON',
    fulfilled_by: order.fulfilledBy ?? 'AMAZON',
    business: order.business ?? false,
    replacement: order.replacement ?? false,
    lines: order.lines.map((line, index) => ({
      item_key: `${order.id}-${index}`,
      sku: line.sku,
      asin: line.asin === undefined ? `B0${line.sku}` : line.asin,
      quantity: line.quantity,
      first: line.first ?? Math.max(1, line.quantity),
      shipped: line.shipped ?? 0,
      price: line.price ?? null,
      estimate: line.estimate ?? null,
      discount: line.discount ?? null,
      shipping: line.shipping ?? null,
      tax: line.tax ?? null,
      superseded: line.superseded ? 'gone' : null,
    })),
  };
}

/** Puts orders into the state given, as one delivery, and marks what they touch, in the caller's transaction. */
export async function deliver(ctx: Ctx, seller: Seller, orders: readonly Order[]): Promise<void> {
  const ids = orders.map((order) => order.id);
  const json = JSON.stringify(orders.map((order) => orderRow(seller, order)));
  await sql`DROP TABLE IF EXISTS pg_temp.touched_orders`.execute(ctx.db);
  await sql`CREATE TEMP TABLE touched_orders (account_id uuid, marketplace_id text, local_date date, seller_sku text,
              slot timestamptz) ON COMMIT DROP`.execute(ctx.db);
  await touch(ctx, seller, ids);
  for (const table of ['amazon_order_line', 'amazon_order'])
    await sql`DELETE FROM ${sql.table(`order.${table}`)} WHERE company_id = ${ctx.companyId}
       AND selling_partner_id = ${seller.partner} AND amazon_order_id = ANY(${ids}::text[])`.execute(ctx.db);
  await sql`INSERT INTO "order".amazon_order (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id,
      channel, fulfilled_by, status, purchased_at, local_date, last_updated_at, is_business, is_replacement, currency,
      quantity, shipped_quantity, line_count, lead_sku, source, row_hash)
    SELECT ${ctx.companyId}, ${seller.partner}, order_id, account_id, marketplace_id, channel, fulfilled_by, status, at,
           (at AT TIME ZONE zone)::date, at, business, replacement, currency, 0, 0, 1, '', 'api', gen_random_uuid()
      FROM jsonb_to_recordset(${json}::jsonb) AS o (order_id text, account_id uuid, marketplace_id text, zone text,
           currency text, at timestamptz, status text, channel text, fulfilled_by text, business boolean,
           replacement boolean)`.execute(ctx.db);
  await sql`INSERT INTO "order".amazon_order_line (company_id, selling_partner_id, amazon_order_id, item_key, account_id,
      marketplace_id, purchased_at, local_date, seller_sku, asin, quantity, first_quantity, shipped_quantity, currency,
      item_price, estimated_price, item_discount, shipping_price, item_tax, source, superseded_by)
    SELECT ${ctx.companyId}, ${seller.partner}, order_id, l.item_key, account_id, marketplace_id, at,
           (at AT TIME ZONE zone)::date, l.sku, l.asin, l.quantity, l.first, l.shipped, currency, l.price, l.estimate,
           l.discount, l.shipping, l.tax, 'api', l.superseded
      FROM jsonb_to_recordset(${json}::jsonb) AS o (order_id text, account_id uuid, marketplace_id text, zone text,
           currency text, at timestamptz, lines jsonb),
           jsonb_to_recordset(o.lines) AS l (item_key text, sku text, asin text, quantity int, first int, shipped int,
           price numeric, estimate numeric, discount numeric, shipping numeric, tax numeric, superseded text)`.execute(
    ctx.db,
  );
  await touch(ctx, seller, ids);
  await markTouched(ctx, { table: 'touched_orders' });
}

/** Folds everything that is marked for an account. */
export async function foldAll(world: World, person: Person, seller: Seller, limit?: number): Promise<number> {
  let taken = 0;
  for (;;) {
    const now = await world.as(person, (ctx) => foldOnce(ctx, seller.accountId, limit));
    if (now === 0) return taken;
    taken += now;
  }
}

export type Row = Record<string, string | number | boolean>;

/** Rows of a query over the caller's company, company_id left out; `$company` stands for it. */
export async function rowsOf(ctx: Ctx, text: string): Promise<Row[]> {
  const { rows } = await ctx.client.query<Row>(text.replaceAll('$company', `'${ctx.companyId}'`));
  return rows.map(({ company_id: _, ...row }) => row);
}

/** The whole of a rollup in the order of its key. */
export function tableRows(ctx: Ctx, table: 'sku_day' | 'slot' | 'store_day'): Promise<Row[]> {
  const key = { sku_day: '2,3,4,5,6,7,8,9', slot: '2,3,4,5,6,7,8', store_day: '2,3,4,5,6,7' }[table];
  return rowsOf(ctx, `SELECT * FROM sales.${table} WHERE company_id = $company ORDER BY ${key}`);
}
