import { Decimal, sum } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { countryOf, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { buyerMessagesUrl } from '#modules/marketplace/server/index.ts';

import { AMOUNTS, type OrderDetail, type OrderLine, type Proof } from '../../contract/orders.ts';
import type { OrderSource } from '../../contract/status.ts';
import { type Left, leftToShip } from '../acts/left.ts';
import { type ActOrder, orderKey } from '../acts/orders.ts';
import { whyNotShip } from '../acts/ship.ts';
import { shipmentsOf } from '../acts/show.ts';
import { whyNotSolicit } from '../acts/solicit.ts';
import { aboutNowThere } from '../freshness.ts';
import type { PackageFact } from '../landing/fact.ts';
import { findOrder, type OrderKey } from './find.ts';
import { rowOf, withProduct } from './rows.ts';

async function readLines(ctx: Ctx, key: OrderKey) {
  return ctx.db
    .selectFrom('order.amazon_order_line as l')
    .leftJoin('order.sold_sku as s', (join) =>
      join
        .onRef('s.company_id', '=', 'l.company_id')
        .onRef('s.account_id', '=', 'l.account_id')
        .onRef('s.marketplace_id', '=', 'l.marketplace_id')
        .onRef('s.seller_sku', '=', 'l.seller_sku'),
    )
    .leftJoin('listing.product as p', (join) =>
      join
        .onRef('p.company_id', '=', 'l.company_id')
        .onRef('p.account_id', '=', 'l.account_id')
        .onRef('p.marketplace_id', '=', 'l.marketplace_id')
        .onRef('p.seller_sku', '=', 'l.seller_sku'),
    )
    .selectAll('l')
    .select(['s.title', 'p.name as listed', 'p.image'])
    .where('l.company_id', '=', ctx.companyId)
    .where('l.selling_partner_id', '=', key.selling_partner_id)
    .where('l.amazon_order_id', '=', key.amazon_order_id)
    .orderBy('l.item_key')
    .execute();
}
type DbLine = Awaited<ReturnType<typeof readLines>>[number];

const known = (...amounts: (string | null)[]): string => sum(amounts.map((amount) => amount ?? '0'));

/** Price, shipping, wrapping and other of a line, with tax where it comes on top, less discounts; null without price. */
function lineTotal(line: DbLine, taxOnTop: boolean): string | null {
  if (line.item_price === null) return null;
  const gross = known(line.item_price, line.shipping_price, line.gift_wrap_price, line.other_price);
  const tax = taxOnTop ? known(line.item_tax, line.shipping_tax, line.gift_wrap_tax) : '0';
  return new Decimal(gross).plus(tax).minus(known(line.item_discount, line.shipping_discount)).toFixed();
}

function lineOf(line: DbLine, taxOnTop: boolean, left: Left | undefined): OrderLine {
  const hasTax = line.item_tax !== null || line.shipping_tax !== null || line.gift_wrap_tax !== null;
  return {
    id: line.item_key,
    orderItemId: line.order_item_id,
    left: left?.lines.get(line.order_item_id ?? '')?.left ?? 0,
    product: {
      name: line.title ?? line.listed ?? line.seller_sku,
      code: line.seller_sku,
      image: line.image,
      extra: line.asin,
    },
    quantity: line.quantity,
    firstQuantity: line.first_quantity,
    shippedQuantity: line.shipped_quantity,
    currency: line.currency,
    unitPrice: line.unit_price,
    itemPrice: line.item_price,
    estimatedPrice: line.estimated_price,
    shippingPrice: line.shipping_price,
    giftWrapPrice: line.gift_wrap_price,
    otherPrice: line.other_price,
    tax: hasTax ? known(line.item_tax, line.shipping_tax, line.gift_wrap_tax) : null,
    itemDiscount: line.item_discount,
    shippingDiscount: line.shipping_discount,
    total: lineTotal(line, taxOnTop),
    promotionIds: line.promotion_ids,
    cancelReason: line.cancel_reason,
    supersededBy: line.superseded_by,
  };
}

interface Stated {
  item_amount: string | null;
  discount_amount: string | null;
  order_total: string | null;
  quantity: number;
}

/** What the order states against the sum of its living lines. */
export function proofOf(order: Stated, lines: readonly OrderLine[]): Proof[] {
  const living = lines.filter((line) => line.supersededBy === null);
  const sumOf = (values: (string | null)[]): string | null =>
    values.every((value) => value === null) ? null : known(...values);
  const entry = (key: Proof['key'], title: string, stated: string | null, added: string | null): Proof => ({
    key,
    title,
    stated,
    lines: added,
    difference: stated === null || added === null ? null : new Decimal(stated).minus(added).toFixed(),
  });
  const discounts = living.map((line) => line.itemDiscount ?? (line.itemPrice === null ? null : '0'));
  return [
    entry('itemAmount', '商品金额', order.item_amount, sumOf(living.map((line) => line.itemPrice))),
    entry('discountAmount', '折扣', order.discount_amount, sumOf(discounts)),
    entry('orderTotal', '订单总金额', order.order_total, sumOf(living.map((line) => line.total))),
    entry('quantity', '数量', String(order.quantity), String(living.reduce((n, line) => n + line.quantity, 0))),
  ];
}

/** The proof of amounts goes with the amounts, which their own permission withholds. */
function withoutAmountProof(detail: OrderDetail): OrderDetail {
  return { ...detail, proof: detail.proof.filter((entry) => entry.key === 'quantity') };
}

/** An order with its lines, parcels and the proof that the lines make up the order. */
export async function orderDetail(ctx: Ctx, id: string): Promise<OrderDetail> {
  const key = await findOrder(ctx, id);
  const order = await withProduct(
    ctx.db
      .selectFrom('order.amazon_order as o')
      .where('o.company_id', '=', ctx.companyId)
      .where('o.selling_partner_id', '=', key.selling_partner_id)
      .where('o.amazon_order_id', '=', key.amazon_order_id),
  )
    .selectAll('o')
    .executeTakeFirst();
  if (!order) throw notFound('订单不存在');
  const site = marketplaceOf(order.marketplace_id);
  const taxOnTop = order.source === 'api' || !(site?.taxIncluded ?? false);
  const acts = order as unknown as ActOrder;
  const left = (await leftToShip(ctx, [acts])).get(orderKey(acts));
  const lines = (await readLines(ctx, key)).map((line) => lineOf(line, taxOnTop, left));
  const asked = order.review === 'done' || order.review === 'queued' ? '已经请求过评价' : undefined;
  const detail: OrderDetail = {
    ...rowOf(order),
    sellerOrderId: order.seller_order_id,
    salesChannel: order.sales_channel ?? countryOf(order.marketplace_id),
    channel: order.channel === 'NON_AMAZON' ? 'NON_AMAZON' : 'AMAZON',
    serviceLevel: order.service_level,
    programs: order.programs,
    originalOrderId: order.original_order_id,
    buyerCancelRequested: order.buyer_cancel_requested,
    earliestShipAt: order.earliest_ship_at,
    earliestDeliverAt: order.earliest_deliver_at,
    latestDeliverAt: order.latest_deliver_at,
    timeZone: site?.timeZone ?? 'UTC',
    source: order.source as OrderSource,
    firstSeenAt: order.first_seen_at,
    lines,
    packages: order.packages as unknown as PackageFact[],
    shipments: await shipmentsOf(ctx, key),
    blocked: {
      ship: whyNotShip(acts) ?? null,
      solicit: asked ?? whyNotSolicit(acts, await aboutNowThere(ctx.runtime)) ?? null,
    },
    messagesUrl: buyerMessagesUrl(ctx.runtime, { marketplaceId: order.marketplace_id, orderId: order.amazon_order_id }),
    proof: proofOf(order, lines),
  };
  return can(ctx, AMOUNTS) ? detail : withoutAmountProof(detail);
}
