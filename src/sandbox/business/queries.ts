/** Finding orders in a shop's book without walking all of it. */
import { DAY } from './marketplaces.ts';
import type { Order, Shop } from './model.ts';
import { updatedAt } from './views.ts';

/** The longest that anything can still happen to an order after its purchase: ship, deliver, refund, release. */
export const ORDER_LIFE = 60 * DAY;

/** Index of the first order bought at or after an instant. */
function firstFrom(orders: readonly Order[], instant: number): number {
  let low = 0;
  let high = orders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((orders[middle]?.purchasedAt ?? 0) < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Orders bought in [from, to), by purchase instant. */
export function boughtBetween(shop: Shop, from: number, to: number): Order[] {
  return shop.orders.slice(firstFrom(shop.orders, from), firstFrom(shop.orders, to));
}

/** Orders whose last step as of `now` lies in [from, to); each order is in exactly one of several tiling windows. */
export function updatedBetween(shop: Shop, from: number, to: number, now: number): Order[] {
  const end = Math.min(to, now + 1);
  return boughtBetween(shop, from - ORDER_LIFE, end).filter((order) => {
    const at = updatedAt(order, now);
    return at >= from && at < end;
  });
}
