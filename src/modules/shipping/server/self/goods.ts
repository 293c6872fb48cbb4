import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type ListingPart, localProducts, partsOfListings } from '#modules/product/server/index.ts';
import type { SelfLineInput } from '../../contract/self/input.ts';
import { listingsBySku } from '../order/listings.ts';
import { type OpenOrderLine, openOf } from './open.ts';

/** A line as it is written, with the local products of one piece of it. */
export interface Goods {
  sellingPartnerId: string | null;
  orderId: string | null;
  orderItemId: string | null;
  msku: string;
  asin: string | null;
  title: string;
  image: string | null;
  qty: number;
  parts: readonly ListingPart[];
}

interface Site {
  account: string;
  marketplaceId: string;
}

/** Puts the listing and its local products to lines of orders. @throws refused B1406 for a SKU that is matched with nothing */
async function withParts(ctx: Ctx, site: Site, lines: readonly (OpenOrderLine & { qty: number })[]): Promise<Goods[]> {
  const mskus = [...new Set(lines.map((line) => line.msku))];
  const listings = await listingsBySku(ctx, site.account, site.marketplaceId, mskus);
  const parts = await partsOfListings(ctx, site.account, site.marketplaceId, mskus);
  return lines.map(({ open: _, ...line }) => {
    const mine = parts.get(line.msku);
    if (!mine || mine.length === 0) throw refused(`平台SKU【${line.msku}】未关联本地产品`, 'B1406');
    const { name = '', image = null, asin = line.asin } = listings.get(line.msku) ?? {};
    return { ...line, asin, title: name, image, parts: mine };
  });
}

/** All that is open of orders. @throws refused B1407 where nothing is, B1406 for a SKU that is matched with nothing */
export async function allOpen(
  ctx: Ctx,
  site: Site,
  orders: readonly { sellingPartnerId: string; orderId: string }[],
): Promise<Goods[]> {
  const lines = (await openOf(ctx, orders)).filter(({ open }) => open > 0);
  for (const { orderId } of orders) {
    if (!lines.some((line) => line.orderId === orderId)) {
      throw refused(`订单 ${orderId} 没有待发数量，已有自发货单或包裹`, 'B1407');
    }
  }
  return withParts(
    ctx,
    site,
    lines.map((line) => ({ ...line, qty: line.open })),
  );
}

/**
 * Pieces of orders' lines as somebody asked for them. `docId`: the document that they are written for, whose own pieces
 * count as open.
 * @throws refused B1407 for a line of another order, twice the same, or more than is open; B1406 for a SKU without a match
 */
export async function someOpen(
  ctx: Ctx,
  site: Site,
  orders: readonly { sellingPartnerId: string; orderId: string }[],
  wanted: readonly SelfLineInput[],
  docId: string | null,
): Promise<Goods[]> {
  const open = new Map(
    (await openOf(ctx, orders, docId)).map((line) => [
      `${line.sellingPartnerId}~${line.orderId} ${line.orderItemId}`,
      line,
    ]),
  );
  const seen = new Set<string>();
  const lines = wanted.map(({ orderId, orderItemId, qty }, index) => {
    const key = `${orderId} ${orderItemId}`;
    const line = open.get(key);
    if (!line) throw refused(`第 ${index + 1} 行：商品行不属于该订单`, 'B1407');
    if (seen.has(key)) throw refused(`第 ${index + 1} 行：同一商品行只能填写一次`, 'B1407');
    seen.add(key);
    if (qty > line.open) {
      throw refused(`第 ${index + 1} 行：【${line.msku}】还可发货 ${line.open} 件，不能发 ${qty} 件`, 'B1407');
    }
    return { ...line, qty };
  });
  return withParts(ctx, site, lines);
}

/** Local products of a document typed by hand. @throws notFound, refused B1407 for one twice */
export async function ownGoods(ctx: Ctx, wanted: readonly SelfLineInput[]): Promise<Goods[]> {
  const known = await localProducts(
    ctx,
    wanted.flatMap(({ productId }) => (productId === null ? [] : [productId])),
  );
  const seen = new Set<string>();
  return wanted.map(({ productId, qty }, index) => {
    const product = known.get(productId ?? '');
    if (!product)
      throw productId === null ? refused(`第 ${index + 1} 行：请选择商品`, 'B1407') : notFound('商品不存在');
    if (seen.has(product.id)) throw refused(`第 ${index + 1} 行：不能重复添加SKU【${product.sku}】`, 'B1407');
    seen.add(product.id);
    return {
      sellingPartnerId: null,
      orderId: null,
      orderItemId: null,
      msku: product.sku,
      asin: null,
      title: product.cell.name,
      image: product.image,
      qty,
      parts: [{ productId: product.id, qty: 1 }],
    };
  });
}

/** Writes the lines of a document, in place of those that it had. */
export async function putGoods(
  ctx: Ctx,
  docId: string,
  account: string | null,
  goods: readonly Goods[],
): Promise<void> {
  await sql`DELETE FROM shipping.self_line WHERE company_id = ${ctx.companyId} AND doc_id = ${docId}`.execute(ctx.db);
  const rows = goods.map(({ parts: _, ...line }, index) => ({ n: index + 1, ...line }));
  const made = await sql<{ id: string; n: number }>`
    INSERT INTO shipping.self_line (company_id, doc_id, line_no, account_id, selling_partner_id, amazon_order_id,
      order_item_id, msku, asin, title, image, qty)
    SELECT ${ctx.companyId}, ${docId}, r.n, ${account}, r."sellingPartnerId", r."orderId", r."orderItemId", r.msku, r.asin,
           r.title, r.image, r.qty
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(n int, "sellingPartnerId" text, "orderId" text,
        "orderItemId" text, msku text, asin text, title text, image text, qty int)
    RETURNING id, line_no AS n`.execute(ctx.db);
  const parts = made.rows.flatMap(({ id, n }) =>
    (goods[n - 1]?.parts ?? []).map(({ productId, qty }) => ({ line: id, product: productId, qty })),
  );
  await sql`
    INSERT INTO shipping.self_part (company_id, doc_id, line_id, product_id, qty_per)
    SELECT ${ctx.companyId}, ${docId}, r.line, r.product, r.qty
      FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) AS r(line uuid, product uuid, qty int)`.execute(ctx.db);
}
