import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBusiness } from '../business/index.ts';
import type { SimOrder } from '../business/types.ts';
import { DAY, firstAccount, START, tiny } from './business-support.ts';

const business = tiny();
const account = firstAccount(business);
const NOW = START + 90 * DAY + 20 * 3_600_000;

function orders(by: 'created' | 'updated', from: number, to: number, now = NOW): SimOrder[] {
  return business.orders(account, { marketplaceIds: account.marketplaceIds, by, from, to }, now);
}

const all = orders('created', 0, NOW + 1);

describe('orders', () => {
  it('look like a shop of fifteen orders a day', () => {
    expect(all.length).toBeGreaterThan(90 * 10);
    expect(all.length).toBeLessThan(90 * 22);
    const share = (test: (order: SimOrder) => boolean): number => all.filter(test).length / all.length;
    expect(share((order) => order.status === 'CANCELLED')).toBeGreaterThan(0.01);
    expect(share((order) => order.status === 'CANCELLED')).toBeLessThan(0.05);
    expect(share((order) => order.isBusiness)).toBeGreaterThan(0.04);
    expect(share((order) => order.items.length > 1)).toBeGreaterThan(0.02);
    expect(share((order) => order.fulfilment === 'MFN')).toBeGreaterThan(0.01);
    expect(all.some((order) => order.items[0]?.sku === order.items[1]?.sku)).toBe(true);
    expect(all.some((order) => order.isReplacement && order.items[0]?.itemPrice === '0.00')).toBe(true);
  });

  it('have the numbers that Amazon gives, each once', () => {
    for (const order of all) expect(order.orderId).toMatch(/^\d{3}-\d{7}-\d{7}$/);
    const items = all.flatMap((order) => order.items.map((item) => item.orderItemId));
    for (const id of items) expect(id).toMatch(/^\d{14}$/);
    expect(new Set(all.map((order) => order.orderId)).size).toBe(all.length);
    expect(new Set(items).size).toBe(items.length);
  });

  it('walk from pending to shipped, price hidden at first, each step moving the last update', () => {
    for (const order of all.slice(0, 150)) {
      const rank = { PENDING: 0, UNSHIPPED: 1, PARTIALLY_SHIPPED: 2, SHIPPED: 3, CANCELLED: 4, UNFULFILLABLE: 5 };
      let before: SimOrder | undefined;
      for (let at = order.purchasedAt; at < order.purchasedAt + 10 * DAY; at += 7 * 60_000) {
        const now = business.order(account, order.orderId, at);
        if (!now) throw new Error(`${order.orderId} must be seen once it was bought`);
        expect(now.lastUpdatedAt).toBeLessThanOrEqual(at);
        if (now.status === 'PENDING') expect(now.items.every((item) => item.itemPrice === '')).toBe(true);
        if (now.status === 'SHIPPED') expect(now.items.every((item) => item.quantityShipped > 0)).toBe(true);
        if (before && before.status !== now.status) {
          expect(rank[now.status]).toBeGreaterThan(rank[before.status]);
          expect(now.lastUpdatedAt).toBeGreaterThan(before.lastUpdatedAt);
        }
        before = now;
        if (at > order.purchasedAt + DAY) at += 6 * 3_600_000;
      }
      expect(['SHIPPED', 'CANCELLED']).toContain(before?.status);
    }
    expect(business.order(account, all[5]?.orderId ?? '', (all[5]?.purchasedAt ?? 0) - 1)).toBeUndefined();
  });

  it('are updated again by a refund, weeks after their delivery', () => {
    const late = all.filter((order) => order.deliveredAt && order.lastUpdatedAt >= order.deliveredAt + 5 * DAY);
    expect(late.length / all.length).toBeGreaterThan(0.02);
    expect(late.length / all.length).toBeLessThan(0.1);
  });

  it('add tax in America and hide it in the price elsewhere', () => {
    expect(all.some((order) => order.items.some((item) => item.itemTax !== '0.00'))).toBe(true);
    const world = createBusiness({ seed: 'demo-1', scenario: 'demo', startAt: START });
    const until = START + 6 * DAY;
    for (const other of world.accounts.filter(({ region }) => region !== 'na')) {
      const query = { marketplaceIds: other.marketplaceIds, by: 'created', from: 0, to: until } as const;
      const items = world.orders(other, query, until).flatMap((order) => order.items);
      expect(items.length).toBeGreaterThan(50);
      for (const item of items) expect(Number(item.itemTax)).toBe(0);
      if (other.region === 'fe') for (const item of items) expect(item.unitPrice).toMatch(/^\d+$/);
    }
  });
});

describe('windows over orders', () => {
  it('tile: every order is in exactly one of the neighbouring windows, oldest first', () => {
    // Cuts at the very instants of orders as well: each belongs to the window that it opens.
    const instants = all.flatMap(({ purchasedAt, lastUpdatedAt }) => [purchasedAt, lastUpdatedAt]);
    const cut = fc.oneof(fc.integer({ min: START - DAY, max: NOW + DAY }), fc.constantFrom(...instants));
    const cuts = fc.uniqueArray(cut, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom('created' as const, 'updated' as const), cuts, (by, inner) => {
        const edges = [0, ...inner.toSorted((a, b) => a - b), NOW + 2 * DAY];
        const found: string[] = [];
        for (const [position, from] of edges.slice(0, -1).entries()) {
          const to = edges[position + 1] ?? 0;
          const window = orders(by, from, to);
          const at = window.map((order) => (by === 'created' ? order.purchasedAt : order.lastUpdatedAt));
          expect(at.every((one) => one >= from && one < to)).toBe(true);
          expect(at).toEqual(at.toSorted((a, b) => a - b));
          found.push(...window.map((order) => order.orderId));
        }
        expect(found.length).toBe(all.length);
        expect(new Set(found).size).toBe(all.length);
      }),
      { numRuns: 25 },
    );
  });

  it('keep to the marketplaces that were asked for', () => {
    const [us = '', ca = ''] = account.marketplaceIds;
    const only = (id: string): SimOrder[] =>
      business.orders(account, { marketplaceIds: [id], by: 'created', from: 0, to: NOW + 1 }, NOW);
    expect(only(us).every((order) => order.marketplaceId === us)).toBe(true);
    expect(only(us).length + only(ca).length).toBe(all.length);
    expect(only(ca).length).toBeGreaterThan(0);
  });

  it('hand over, poll by poll, every change that ever happens', () => {
    const seen = new Map<string, SimOrder>();
    const step = 6 * 3_600_000;
    for (let at = START; at < NOW; at += step) {
      const now = Math.min(at + step, NOW);
      for (const order of orders('updated', at, now, now - 1)) seen.set(order.orderId, order);
    }
    const final = orders('created', 0, NOW, NOW - 1);
    expect(seen.size).toBe(final.length);
    for (const order of final) expect(seen.get(order.orderId)?.lastUpdatedAt).toBe(order.lastUpdatedAt);
  });
});
