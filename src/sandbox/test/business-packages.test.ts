import { describe, expect, it } from 'vitest';
import type { Business, PackageSaid, SimOrder } from '../business/types.ts';
import { booksOf, DAY, firstAccount, START, tiny } from './business-support.ts';

const HOUR = DAY / 24;
/** Late enough for some hundred orders. */
const DAYS = 60;

/** The first moment, hour by hour, at which an order stands as wished; and the order. */
function moment(business: Business, fits: (order: SimOrder) => boolean): { at: number; order: SimOrder } {
  const account = firstAccount(business);
  for (let at = START + 2 * DAY; at < START + DAYS * DAY; at += HOUR) {
    const query = { marketplaceIds: account.marketplaceIds, by: 'created' as const, from: at - 2 * DAY, to: at };
    const order = business.orders(account, query, at).find(fits);
    if (order) return { at, order };
  }
  throw new Error('the business has no such order');
}

const isWaiting = (order: SimOrder): boolean => order.fulfilment === 'MFN' && order.status === 'UNSHIPPED';

function said(order: SimOrder, at: number, more: Partial<PackageSaid> = {}): PackageSaid {
  return {
    reference: '7',
    carrier: 'UPS',
    trackingNumber: '1Z7',
    shippedAt: at,
    items: order.items.map((item) => ({ orderItemId: item.orderItemId, quantity: item.quantityOrdered })),
    ...more,
  };
}

describe('packages that the seller confirms', () => {
  it('ship the order with the last piece, and all that follows comes earlier; the books stay right', () => {
    const business = tiny();
    const account = firstAccount(business);
    const { at, order } = moment(business, isWaiting);
    const planned = tiny().order(account, order.orderId, at + 30 * DAY);
    expect(business.confirmPackage(account, order.orderId, said(order, at), at)).toBe(true);
    const shipped = business.order(account, order.orderId, at);
    expect(shipped).toMatchObject({ status: 'SHIPPED', shippedAt: at, lastUpdatedAt: at });
    expect(shipped?.packages).toMatchObject([{ reference: '7', trackingNumber: '1Z7', shippedAt: at }]);
    expect(business.order(account, order.orderId, at - 1)?.status).toBe('UNSHIPPED');
    const later = business.order(account, order.orderId, at + 30 * DAY);
    expect(later?.deliveredAt).toBe((planned?.deliveredAt ?? 0) - ((planned?.shippedAt ?? 0) - at));
    for (let days = 0; days < 40; days += 1) expect(business.audit(at + days * DAY)).toEqual([]);
  });

  it('leave the rest to be sent, and one of the same reference replaces the former', () => {
    const business = tiny();
    const account = firstAccount(business);
    const { at, order } = moment(
      business,
      (one) => isWaiting(one) && one.items.some((item) => item.quantityOrdered > 1),
    );
    const item = order.items.find(({ quantityOrdered }) => quantityOrdered > 1);
    const items = [{ orderItemId: item?.orderItemId ?? '', quantity: 1 }];
    const send = (trackingNumber: string, now: number) =>
      business.confirmPackage(account, order.orderId, said(order, now, { items, trackingNumber }), now);
    expect([send('A', at), send('B', at + 1)]).toEqual([true, true]);
    const partly = business.order(account, order.orderId, at + 1);
    expect(partly?.status).toBe('PARTIALLY_SHIPPED');
    expect(partly?.packages).toMatchObject([{ reference: '7', trackingNumber: 'B', items }]);
    expect(partly?.items.map(({ quantityShipped }) => quantityShipped)).toContain(1);
    const whole = business.order(account, order.orderId, at + 10 * DAY);
    expect(whole?.status).toBe('SHIPPED');
    const sent = (whole?.packages ?? []).flatMap((one) => one.items).reduce((sum, one) => sum + one.quantity, 0);
    expect(sent).toBe(order.items.reduce((sum, one) => sum + one.quantityOrdered, 0));
    expect(business.audit(at + 10 * DAY)).toEqual([]);
  });

  it('come before a cancellation that was still to come, whether its day was walked already or not', () => {
    const plain = tiny();
    const account = firstAccount(plain);
    const later = plain.orders(
      account,
      { marketplaceIds: account.marketplaceIds, by: 'created', from: 0, to: START + DAYS * DAY },
      START + DAYS * DAY,
    );
    const cancelled = later.filter((order) => order.status === 'CANCELLED' && order.fulfilment === 'MFN');
    const before = cancelled.flatMap((order) => {
      const at = order.lastUpdatedAt - 1;
      return plain.order(account, order.orderId, at)?.status === 'UNSHIPPED' ? [{ order, at }] : [];
    });
    expect(before.length).toBeGreaterThan(0);
    for (const { order, at } of before) {
      const business = tiny();
      if (!business.confirmPackage(account, order.orderId, said(order, at), at)) continue;
      expect(business.order(account, order.orderId, at + 3 * DAY)?.status).toBe('SHIPPED');
      expect(business.audit(at + 20 * DAY)).toEqual([]);
    }
  });

  it('are the same however often they are told again after a restart', () => {
    const first = tiny();
    const account = firstAccount(first);
    const { at, order } = moment(first, isWaiting);
    const again = tiny();
    for (const business of [first, again]) business.confirmPackage(account, order.orderId, said(order, at), at);
    expect(booksOf(again, at + 20 * DAY)).toBe(booksOf(first, at + 20 * DAY));
  });
});
