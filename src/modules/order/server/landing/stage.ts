import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { copyFields, copyText } from '#kit/server/db/copy.ts';
import type { FactRow, LineFact, OrderHead } from './fact.ts';

const COLUMNS = `
  version int NOT NULL, line_no int NOT NULL,
  amazon_order_id text NOT NULL, marketplace_id text NOT NULL, seller_order_id text, sales_channel text,
  channel text NOT NULL, fulfilled_by text NOT NULL, status text NOT NULL, purchased_at timestamptz NOT NULL,
  last_updated_at timestamptz NOT NULL, earliest_ship_at timestamptz, latest_ship_at timestamptz,
  earliest_deliver_at timestamptz, latest_deliver_at timestamptz, service_level text, programs text[] NOT NULL,
  is_business boolean NOT NULL, is_replacement boolean, original_order_id text,
  buyer_cancel_requested boolean NOT NULL, ship_country text, ship_state text, postal_prefix text, currency text,
  order_total numeric(18,4), packages jsonb NOT NULL,
  order_item_id text, seller_sku text NOT NULL, asin text, title text, quantity int NOT NULL,
  shipped_quantity int NOT NULL, unit_price numeric(18,4), item_price numeric(18,4), shipping_price numeric(18,4),
  gift_wrap_price numeric(18,4), other_price numeric(18,4), item_tax numeric(18,4), shipping_tax numeric(18,4),
  gift_wrap_tax numeric(18,4), item_discount numeric(18,4), shipping_discount numeric(18,4),
  promotion_ids text[] NOT NULL, cancel_reason text`;

function headCells(head: OrderHead): string {
  return copyFields([
    head.amazonOrderId,
    head.marketplaceId,
    head.sellerOrderId,
    head.salesChannel,
    head.channel,
    head.fulfilledBy,
    head.status,
    head.purchasedAt,
    head.lastUpdatedAt ?? head.purchasedAt,
    head.earliestShipAt,
    head.latestShipAt,
    head.earliestDeliverAt,
    head.latestDeliverAt,
    head.serviceLevel,
    head.programs,
    head.isBusiness,
    head.isReplacement,
    head.originalOrderId,
    head.buyerCancelRequested,
    head.shipCountry,
    head.shipState,
    head.postalPrefix,
    head.currency,
    head.orderTotal,
    head.packages.length === 0 ? '[]' : JSON.stringify(head.packages),
  ]);
}

function lineCells(line: LineFact): string {
  return copyFields([
    line.orderItemId,
    line.sku,
    line.asin,
    line.title,
    line.quantity,
    line.shippedQuantity,
    line.unitPrice,
    line.itemPrice,
    line.shippingPrice,
    line.giftWrapPrice,
    line.otherPrice,
    line.itemTax,
    line.shippingTax,
    line.giftWrapTax,
    line.itemDiscount,
    line.shippingDiscount,
    line.promotionIds,
    line.cancelReason,
  ]);
}

/** Copies a delivery into the temporary table landing_row; only the batch at hand is in memory. Returns its lines. */
export async function stageRows(ctx: Ctx, batches: AsyncIterable<readonly FactRow[]>): Promise<number> {
  await sql.raw('DROP TABLE IF EXISTS pg_temp.landing_row').execute(ctx.db);
  await sql.raw(`CREATE TEMP TABLE landing_row (${COLUMNS}) ON COMMIT DROP`).execute(ctx.db);
  let lineNo = 0;
  async function* lines(): AsyncGenerator<string> {
    let head: OrderHead | undefined;
    let text = '';
    for await (const batch of batches) {
      let out = '';
      for (const row of batch) {
        if (row.head !== head) {
          head = row.head;
          text = headCells(head);
        }
        lineNo += 1;
        out += `${row.version}\t${lineNo}\t${text}\t${lineCells(row.line)}\n`;
      }
      yield out;
    }
  }
  await copyText(ctx, 'pg_temp.landing_row', lines());
  return lineNo;
}
