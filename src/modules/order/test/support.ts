import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { AccountRef, ReportSource } from '#modules/marketplace/server/index.ts';
import { CA, makeSellerAccount, type SellerOptions, US } from '#test/support/seller.ts';
import type { Person, World } from '#test/support/world.ts';
import { LINES, MEASURES, type Measures } from '../server/measures.ts';

export { CA, DE, IN, JP, US } from '#test/support/seller.ts';

/** A seller account of somebody's company, as a consent would have left it. */
export function makeAccount(
  world: World,
  person: Person,
  { name = '远航', marketplaceIds = [US, CA], ...options }: SellerOptions = {},
): Promise<AccountRef> {
  return makeSellerAccount(world, person, { ...options, name: `${name}-${randomUUID().slice(0, 6)}`, marketplaceIds });
}

export { factRows, land, type OrderSpec, orderNumber } from '#test/support/orders.ts';

/** Everything that stands of a company's orders, as text: what two ways of getting there must agree on. */
export async function standing(
  world: World,
  person: Person,
): Promise<{ orders: string[]; lines: string[]; days: string[] }> {
  return world.as(person, async (ctx) => {
    const list = async (query: ReturnType<typeof sql<{ text: string }>>) =>
      (await query.execute(ctx.db)).rows.map((row) => row.text);
    return {
      orders: await list(sql<{ text: string }>`
        SELECT concat_ws(' ', amazon_order_id, status, last_updated_at, purchased_at, local_date, currency, item_amount,
                         discount_amount, order_total, quantity, shipped_quantity, line_count, lead_sku, ship_state, source,
                         row_hash) AS text
          FROM "order".amazon_order WHERE company_id = ${ctx.companyId} ORDER BY 1`),
      lines: await list(sql<{ text: string }>`
        SELECT concat_ws(' ', amazon_order_id, item_key, seller_sku, quantity, shipped_quantity, item_price, item_discount,
                         source) AS text
          FROM "order".amazon_order_line WHERE company_id = ${ctx.companyId} AND superseded_by IS NULL ORDER BY 1`),
      days: await list(sql<{ text: string }>`
        SELECT concat_ws(' ', marketplace_id, local_date, status, currency, orders, quantity, item_amount, order_total) AS text
          FROM "order".order_day WHERE company_id = ${ctx.companyId} ORDER BY 1`),
    };
  });
}

/** Largest quantity ever told, by living line. */
export async function firstQuantities(world: World, person: Person): Promise<Record<string, number>> {
  return world.as(person, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('order.amazon_order_line')
      .select(['amazon_order_id', 'item_key', 'first_quantity'])
      .where('company_id', '=', ctx.companyId)
      .where('superseded_by', 'is', null)
      .execute();
    return Object.fromEntries(rows.map((row) => [`${row.amazon_order_id} ${row.item_key}`, row.first_quantity]));
  });
}

/** Measures of a marketplace day, of one SKU or of all. */
export async function measured(ctx: Ctx, day: string, sku?: string): Promise<Measures> {
  const { rows } = await sql<Measures>`
    SELECT ${MEASURES} FROM ${LINES}
     WHERE l.company_id = ${ctx.companyId} AND l.local_date = ${day} ${sku ? sql`AND l.seller_sku = ${sku}` : sql``}`.execute(
    ctx.db,
  );
  const [row] = rows;
  if (!row) throw new Error('an aggregate without a row');
  return row;
}

const COLUMNS =
  'amazon-order-id merchant-order-id purchase-date last-updated-date order-status fulfillment-channel sales-channel order-channel ship-service-level product-name sku asin item-status quantity currency item-price item-tax shipping-price shipping-tax gift-wrap-price gift-wrap-tax item-promotion-discount ship-promotion-discount ship-city ship-state ship-postal-code ship-country promotion-ids is-business-order purchase-order-number price-designation'.split(
    ' ',
  );

/** An all-orders report as text; with `itemIds` it has the column order-item-id. */
export function reportText(lines: readonly Record<string, string>[], itemIds = false): string {
  const columns = itemIds ? [...COLUMNS, 'order-item-id'] : COLUMNS;
  const defaults: Record<string, string> = {
    'amazon-order-id': '111-0000001-0000001',
    'purchase-date': '2026-07-15T18:00:00+00:00',
    'last-updated-date': '2026-07-16T18:00:00+00:00',
    'order-status': 'Shipped',
    'fulfillment-channel': 'Amazon',
    'sales-channel': 'Amazon.com',
    'product-name': 'Kettle',
    sku: 'A',
    asin: 'B000000001',
    'item-status': 'Shipped',
    quantity: '1',
    currency: 'USD',
    'item-price': '20.00',
    'ship-state': 'WA',
    'ship-postal-code': '98101-1234',
    'ship-country': 'US',
    'is-business-order': 'false',
  };
  const rows = lines.map((line) => columns.map((name) => line[name] ?? defaults[name] ?? '').join('\t'));
  return `${[columns.join('\t'), ...rows].join('\n')}\n`;
}

export const BY_DATE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';

/** A report as the marketplace module hands it to a loader. */
export function source(account: AccountRef, text: string, reportType = BY_DATE): ReportSource {
  const bytes = Buffer.from(text);
  return {
    account,
    reportType,
    marketplaceIds: [account.marketplaceIds[0] ?? US],
    open: async function* () {
      for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997);
    },
    charset: undefined,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'orders.txt',
  };
}
