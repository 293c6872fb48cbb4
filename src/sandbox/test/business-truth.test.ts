import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import type { SimOrder } from '../business/types.ts';
import { DAY, firstAccount, START, tiny } from './business-support.ts';

const business = tiny();
const account = firstAccount(business);
const US = 'ATVPDKIKX0DER';

/** All orders of a marketplace, gathered through many update windows, as a reader on the wire would. */
function gathered(now: number): SimOrder[] {
  const list: SimOrder[] = [];
  for (let from = START; from <= now; from += 3 * DAY) {
    const query = { marketplaceIds: [US], by: 'updated' as const, from, to: from + 3 * DAY };
    list.push(...business.orders(account, query, now));
  }
  return list;
}

/** An instant with a pending order in it, so that the estimate is part of the count. */
function instantWithPending(): number {
  for (let now = START + 60 * DAY; now < START + 70 * DAY; now += 10 * 60_000) {
    const query = { marketplaceIds: [US], by: 'created' as const, from: now - 3_600_000, to: now };
    if (business.orders(account, query, now).some(({ status }) => status === 'PENDING')) return now;
  }
  throw new Error('ten days without a pending order');
}

describe('the truth', () => {
  const now = instantWithPending();
  const from = Date.parse('2026-04-01T07:00:00Z');
  const truth = business.truth(account, US, { from, to: now + 1 }, now);
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });
  const mine = gathered(now).filter((order) => order.purchasedAt >= from && !order.isReplacement);
  const counted = mine.filter(({ status }) => status !== 'CANCELLED');

  function sales(orders: SimOrder[], sku?: string): string {
    return orders
      .flatMap((order) => order.items)
      .filter((item) => sku === undefined || item.sku === sku)
      .map((item) => item.itemPrice || new Decimal(item.unitPrice).times(item.quantityOrdered))
      .reduce((sum: Decimal, price) => sum.plus(price), new Decimal(0))
      .toFixed(2);
  }

  function units(orders: SimOrder[], sku?: string): number {
    const items = orders.flatMap((order) => order.items).filter((item) => sku === undefined || item.sku === sku);
    return items.reduce((sum, item) => sum + item.quantityOrdered, 0);
  }

  it('is an independent recount of the orders, pending ones at their offer price', () => {
    expect(counted.some(({ status }) => status === 'PENDING')).toBe(true);
    expect(truth.orders).toBe(counted.length);
    expect(truth.units).toBe(units(counted));
    expect(truth.productSales).toBe(sales(counted));
    expect(truth.units).toBeGreaterThan(200);
  });

  it('holds per SKU, cancelled pieces apart', () => {
    for (const row of truth.bySku) {
      expect(row.units).toBe(units(counted, row.sku));
      expect(row.grossUnits).toBe(units(mine, row.sku));
      expect(row.cancelledUnits).toBe(row.grossUnits - row.units);
      expect(row.productSales).toBe(sales(counted, row.sku));
      expect(row.orders).toBe(counted.filter((order) => order.items.some(({ sku }) => sku === row.sku)).length);
    }
    expect(truth.bySku.some(({ cancelledUnits }) => cancelledUnits > 0)).toBe(true);
  });

  it('holds per business day', () => {
    for (const row of truth.byDay) {
      const orders = counted.filter((order) => format.format(order.purchasedAt) === row.day);
      expect(row.orders).toBe(orders.length);
      expect(row.units).toBe(units(orders));
      expect(row.productSales).toBe(sales(orders));
    }
    expect(truth.byDay[0]?.day).toBe('2026-04-01');
  });

  it('repeats stock and settlements as they are served', () => {
    expect(truth.stock.map(({ fulfillable }) => fulfillable)).toEqual(
      business.stock(account, US, now).map(({ fulfillable }) => fulfillable),
    );
    expect(truth.settlements.length).toBeGreaterThan(2);
    for (const one of truth.settlements) expect(one.lineSum).toBe(one.total);
  });

  it('counts every event of money once: settled where its period is closed, else open', () => {
    const { money } = truth;
    const sum = (list: readonly string[]) => Decimal.sum(0, ...list).toFixed(2);
    expect(sum([...money.bySku.map(({ net }) => net), money.shop])).toBe(money.net);
    // Reserves move between periods: without them, settlements and what is open are all that was earned.
    const balance = (type: string) => type.includes('Reserve') || type.includes('Payable') || type.includes('charge');
    const settled = business
      .settlements(account, now)
      .filter((one) => one.marketplaceId === US)
      .flatMap(({ lines }) => lines.filter((line) => !balance(line.amountDescription)).map(({ amount }) => amount));
    const open = business
      .transactions(account, { from: START, to: now + 1, marketplaceId: US }, now)
      .filter(
        (one) => one.status !== 'DEFERRED_RELEASED' && !one.settlementId && !/^Reserve/.test(one.transactionType),
      );
    expect(open.length).toBeGreaterThan(10);
    expect(sum([...settled, ...open.map(({ total }) => total)])).toBe(money.net);
    // What is shipped is sold, whether its money is deferred, released or settled.
    const shipped = gathered(now).filter((one) => one.status === 'SHIPPED' && !one.isReplacement);
    const last = new Map(shipped.map((one) => [one.orderId, one]));
    const pieces = [...last.values()].flatMap(({ items }) => items).reduce((n, one) => n + one.quantityOrdered, 0);
    expect(money.bySku.reduce((n, { units }) => n + units, 0)).toBe(pieces);
  });

  it('does not know marketplaces where nobody sells', () => {
    expect(() => business.truth(account, 'A39IBJ37TRP1C6', { from: 0, to: now }, now)).toThrow(RangeError);
  });
});
