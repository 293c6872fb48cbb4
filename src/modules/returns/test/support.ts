import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { US } from '#test/support/seller.ts';
import { foldSomeRefunds } from '../server/refund/fold.ts';

let numbers = 0;
/** An order number that no other order of this process has. */
export function orderNumber(): string {
  numbers += 1;
  return `111-${String(numbers).padStart(7, '0')}-7654321`;
}

export interface Bought {
  account: string;
  sku: string;
  day: string;
  fulfilledBy?: 'AMAZON' | 'MERCHANT';
  /** What it was sold for, USD; one piece. */
  price?: string;
  /** Its number; one that no other order has where left out. */
  order?: string;
}

/** An order of one piece, shipped; answers its number. */
export async function buy(
  ctx: Ctx,
  { account, sku, day, fulfilledBy = 'AMAZON', price = '20', order: number = orderNumber() }: Bought,
): Promise<string> {
  await sql`
    INSERT INTO "order".amazon_order (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, channel,
      fulfilled_by, status, purchased_at, local_date, last_updated_at, currency, quantity, shipped_quantity, line_count, lead_sku,
      source, row_hash)
    VALUES (${ctx.companyId}, 'SELLER', ${number}, ${account}, ${US}, 'AMAZON', ${fulfilledBy}, 'SHIPPED',
      ${`${day}T20:00:00Z`}, ${day}, ${`${day}T20:00:00Z`}, 'USD', 1, 1, 1, ${sku}, 'api', ${randomUUID()})`.execute(
    ctx.db,
  );
  await sql`
    INSERT INTO "order".amazon_order_line (company_id, selling_partner_id, amazon_order_id, item_key, account_id, marketplace_id,
      purchased_at, local_date, seller_sku, quantity, first_quantity, shipped_quantity, currency, item_price, source)
    VALUES (${ctx.companyId}, 'SELLER', ${number}, '1', ${account}, ${US}, ${`${day}T20:00:00Z`}, ${day}, ${sku}, 1, 1, 1, 'USD',
      ${price}, 'api')`.execute(ctx.db);
  return number;
}

export interface Returned {
  account: string;
  sku: string;
  order: string;
  day: string;
  reason?: string;
  disposition?: string;
  quantity?: number;
}

/** A piece that came back to Amazon's warehouse; answers its row. */
export async function comeBack(ctx: Ctx, one: Returned): Promise<string> {
  const row = randomUUID();
  const { account, sku, order, day, reason = 'DEFECTIVE', disposition = 'SELLABLE', quantity = 1 } = one;
  await sql`
    INSERT INTO inventory.customer_return (company_id, account_id, day, row_id, stock, marketplace_id, document_id, returned_at,
      order_id, seller_sku, fnsku, asin, title, quantity, centre, disposition, reason, status, plate, comments)
    VALUES (${ctx.companyId}, ${account}, ${day}, ${row}, 'US', ${US}, ${randomUUID()}, ${`${day}T20:00:00Z`}, ${order},
      ${sku}, ${`X-${sku}`}, 'B000000001', '', ${quantity}, 'ONT8', ${disposition}, ${reason}, '', ${randomUUID()}, '')`.execute(
    ctx.db,
  );
  return row;
}

/** A return to the seller himself; answers its row. */
export async function sendBack(ctx: Ctx, { account, sku, order, day, reason = 'DEFECTIVE', quantity = 1 }: Returned) {
  const row = randomUUID();
  await sql`
    INSERT INTO inventory.merchant_return (company_id, account_id, day, row_id, stock, marketplace_id, document_id, order_id, rma,
      merchant_rma, order_day, status, seller_sku, asin, title, quantity, reason, in_policy, return_type, resolution, claim,
      label_type, label_payer, carrier, tracking, currency, safet_id, safet_state)
    VALUES (${ctx.companyId}, ${account}, ${day}, ${row}, 'US', ${US}, ${randomUUID()}, ${order}, ${`D${row.slice(0, 8)}`}, '',
      ${day}::date - 5, 'Approved', ${sku}, 'B000000001', '', ${quantity}, ${`CR-${reason}`}, 'Y', '', '', 'N', '', '', 'UPS',
      ${`1Z${row.slice(0, 8)}`}, 'USD', '', '')`.execute(ctx.db);
  return row;
}

export interface Money {
  account: string;
  sku: string;
  order: string;
  day: string;
  /** Each line: transaction type, fee code, amount in USD. */
  lines: readonly (readonly [type: string, fee: string, amount: string])[];
}

/** Money of an order as a transaction told it; answers its document. */
export async function book(ctx: Ctx, { account, sku, order, day, lines }: Money): Promise<string> {
  const doc = randomUUID();
  await sql`
    INSERT INTO settlement.source_doc (company_id, id, account_id, kind, external_id, marketplace_id, currency, total,
      content_hash, posted_at, order_id)
    VALUES (${ctx.companyId}, ${doc}, ${account}, 'TRANSACTION', ${doc}, ${US}, 'USD', 0, ${doc}, ${`${day}T20:00:00Z`},
      ${order})`.execute(ctx.db);
  for (const [index, [type, fee, amount]] of lines.entries()) {
    await sql`
      INSERT INTO settlement.money_line (company_id, source_doc_id, line_no, account_id, source, stage, marketplace_id,
        marketplace_from, transaction_type, amount_type, amount_description, fee_code, pl_section, mapping_version, order_id,
        ref_kind, ref_value, sku, sku_from, quantity, amount, currency, posted_at, posted_date)
      VALUES (${ctx.companyId}, ${doc}, ${index + 1}, ${account}, 'TRANSACTION', 'RELEASED', ${US}, 'FILE', ${type}, 'ItemPrice', ${fee},
        ${fee}, ${fee.startsWith('REFUND') ? 'REFUND' : 'REVENUE'}, 1, ${order}, 'ORDER', ${order}, ${sku}, 'FILE', 1, ${amount}, 'USD',
        ${`${day}T20:00:00Z`}, ${day})`.execute(ctx.db);
  }
  return doc;
}

/** Units that a SKU sold on a day, as the rollup of sales has them. */
export async function sold(ctx: Ctx, account: string, sku: string, day: string, units: number): Promise<void> {
  await sql`
    INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business, currency,
      orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales, discount, shipping_sales,
      tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
    VALUES (${ctx.companyId}, ${account}, ${US}, ${day}, ${sku}, '', 'AMAZON', false, 'USD', ${units}, ${units}, ${units}, ${units}, 0,
      ${units}, ${units * 10}, 0, 0, 0, 0, 0, 0, 0, 0)`.execute(ctx.db);
}

/** Marks all money and returns of the company. */
export async function markAll(ctx: Ctx): Promise<void> {
  await sql`
    INSERT INTO returns.refund_dirty (company_id, account_id, source_doc_id)
    SELECT company_id, account_id, id FROM settlement.source_doc WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  await sql`
    INSERT INTO returns.refund_dirty (company_id, account_id, from_day, to_day)
    SELECT company_id, account_id, day, day FROM inventory.customer_return WHERE company_id = ${ctx.companyId}
    UNION
    SELECT company_id, account_id, day, day FROM inventory.merchant_return WHERE company_id = ${ctx.companyId}`.execute(
    ctx.db,
  );
}

/** Adds up all cases that are marked. */
export async function foldCases(ctx: Ctx): Promise<void> {
  while ((await foldSomeRefunds(ctx)) > 0);
}
