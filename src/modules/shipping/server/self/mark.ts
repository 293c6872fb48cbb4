import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { carrierOf } from '#modules/order/contract/carriers.ts';
import { lockOrders, nowThere, type PackageStand, packagesOf, planPackages } from '#modules/order/server/index.ts';
import { orderRef, type SelfDoc, type SelfOrder } from './load.ts';

const LIVE: readonly string[] = ['queued', 'accepted', 'unknown', 'confirmed'];

/** Where the packages of a document's orders stand; one that was never reported is absent. */
export function standsOf(ctx: Ctx, orders: readonly SelfOrder[]): Promise<Map<string, PackageStand>> {
  return packagesOf(
    ctx,
    orders.flatMap(({ write }) => (write === null ? [] : [write])),
  );
}

/** Whether the platform shows every order of a document as sent, whoever reported it, or the parcel that was reported. */
export async function allShown(ctx: Ctx, doc: SelfDoc): Promise<boolean> {
  const known = await lockOrders(ctx, doc.orders.map(orderRef));
  const stands = await standsOf(ctx, doc.orders);
  return doc.orders.every(
    (order) => known.get(orderRef(order))?.status === 'SHIPPED' || stands.get(order.write ?? '')?.state === 'confirmed',
  );
}

async function noteWrites(ctx: Ctx, doc: SelfDoc, writes: readonly (readonly [SelfOrder, string])[]): Promise<void> {
  for (const [{ sellingPartnerId, orderId }, write] of writes) {
    await sql`UPDATE shipping.self_order SET write_id = ${write}
       WHERE company_id = ${ctx.companyId} AND doc_id = ${doc.id} AND selling_partner_id = ${sellingPartnerId}
         AND amazon_order_id = ${orderId}`.execute(ctx.db);
  }
}

/**
 * Reports the parcel of a document that has left for each of its orders that the platform does not know it of yet; one that
 * the platform shows as sent, or may have been told of, needs nothing. Planned in the caller's transaction.
 * @throws refused B1404 without a carrier or tracking number, 400 where an order lacks less than the parcel holds
 */
export async function markOrders(ctx: Ctx, doc: SelfDoc): Promise<void> {
  if (doc.carrier === '') throw refused('承运商不能为空', 'B1404');
  if (doc.trackingNo === '') throw refused('运单号不能为空', 'B1404');
  const known = await lockOrders(ctx, doc.orders.map(orderRef));
  const stands = await standsOf(ctx, doc.orders);
  const open = doc.orders.filter((order) => known.get(orderRef(order))?.status !== 'SHIPPED');
  const wanted = open.filter(({ write }) => !LIVE.includes(stands.get(write ?? '')?.state ?? ''));
  const shippedAt = (await nowThere(ctx.runtime)).toISOString();
  const writes = await planPackages(
    ctx,
    wanted.map((order) => ({
      id: orderRef(order),
      ...carrierOf(doc.carrier),
      trackingNumber: doc.trackingNo,
      shippedAt,
      items: doc.lines.flatMap((line) =>
        line.orderItemId !== null && orderRef(line) === orderRef(order)
          ? [{ orderItemId: line.orderItemId, quantity: line.qty }]
          : [],
      ),
    })),
    (index, order) => ({ path: `orders.${index}`, words: order.amazon_order_id }),
  );
  await noteWrites(
    ctx,
    doc,
    wanted.flatMap((order, index) => (writes[index] ? [[order, writes[index]] as const] : [])),
  );
}
