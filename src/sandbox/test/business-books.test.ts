import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { auditLane, auditSettlements } from '../business/audit.ts';
import { createBusiness } from '../business/index.ts';
import { cast } from '../business/shops.ts';
import { advance } from '../business/simulate.ts';
import type { Business, SimAccount, SimTransaction } from '../business/types.ts';
import { DAY, firstAccount, START, tiny } from './business-support.ts';

const NOW = START + 120 * DAY;
const demo = createBusiness({ seed: 'demo-1', scenario: 'demo', startAt: START });

describe('the demo business after 120 days', () => {
  it('audits clean', () => {
    expect(demo.audit(NOW)).toEqual([]);
    expect(tiny().audit(NOW)).toEqual([]);
  });

  it('has two sellers, four accounts, forty SKUs each, and a first sync of the promised size', () => {
    expect(demo.accounts.map(({ storeName, region }) => `${storeName} ${region}`)).toEqual([
      'Northquay na',
      'Northquay eu',
      'Lumipaw na',
      'Lumipaw fe',
    ]);
    const skus = (seller: string): number =>
      new Set(
        demo.accounts
          .filter(({ storeName }) => storeName === seller)
          .flatMap((account) => account.marketplaceIds.flatMap((id) => demo.listings(account, id, NOW)))
          .map(({ product }) => product.sku),
      ).size;
    expect(skus('Northquay')).toBeGreaterThanOrEqual(40);
    expect(skus('Lumipaw')).toBeGreaterThanOrEqual(40);
    const listings = demo.accounts.flatMap((one) => one.marketplaceIds.flatMap((id) => demo.listings(one, id, NOW)));
    const products = new Map(listings.map(({ product }) => [product.sku, product]));
    const distinct = (key: 'asin' | 'fnsku'): number => new Set([...products.values()].map((one) => one[key])).size;
    expect(distinct('asin')).toBe(products.size);
    expect(distinct('fnsku')).toBe(products.size);
    const count = demo.accounts
      .map((account) => ({ account, marketplaceIds: account.marketplaceIds }))
      .map(
        ({ account, marketplaceIds }) =>
          demo.orders(account, { marketplaceIds, by: 'created', from: 0, to: NOW }, NOW).length,
      )
      .reduce((sum, orders) => sum + orders, 0);
    expect(count).toBeGreaterThan(25_000);
    expect(count).toBeLessThan(35_000);
  });

  it('ran out of stock somewhere and is waiting for goods somewhere', () => {
    const stock = demo.accounts.flatMap((one) => one.marketplaceIds.flatMap((id) => demo.stock(one, id, NOW)));
    expect(stock.some(({ fulfillable }) => fulfillable === 0)).toBe(true);
    expect(stock.some(({ inboundShipped }) => inboundShipped > 0)).toBe(true);
    expect(stock.some(({ unsellable }) => unsellable > 0)).toBe(true);
    for (const one of stock) expect(one.product.fulfilment).toBe('AFN');
  });
});

describe('the audit can fail', () => {
  it('finds a piece that was never there and a piece that came from nowhere', () => {
    const { shops } = cast('demo-1', 'tiny', START);
    const lane = shops[0]?.lanes[0];
    if (!shops[0] || !lane) throw new Error('a scenario has a lane');
    advance(shops[0], START + 20 * DAY);
    expect(auditLane(lane, START + 20 * DAY)).toEqual([]);
    lane.ledger.push({ at: START + DAY, kind: 'receipt', quantity: 5 });
    expect(auditLane(lane, START + 20 * DAY).join()).toMatch(/received \d+, deliveries \d+/);
    lane.ledger.push({ at: START + 2 * DAY, kind: 'damaged', quantity: 100_000 });
    expect(auditLane(lane, START + 20 * DAY).join()).toMatch(/fulfillable is -/);
  });

  it('finds a cent, a gap and a lost reserve', () => {
    const business = tiny();
    const settlements = business.settlements(firstAccount(business), NOW).filter(({ currency }) => currency === 'USD');
    expect(auditSettlements(settlements, START)).toEqual([]);
    const [newest, ...older] = settlements;
    if (!newest) throw new Error('120 days close several settlements');
    const cent = new Decimal(newest.total).plus('0.01').toFixed(2);
    expect(auditSettlements([{ ...newest, total: cent }, ...older], START)).toHaveLength(1);
    expect(auditSettlements([newest, ...older.slice(1)], START).join()).toMatch(/does not begin .* reserve /s);
  });
});

function sum(amounts: string[]): string {
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).toFixed();
}

function leaves(transaction: SimTransaction): string[] {
  return [...transaction.items.flatMap((item) => item.breakdowns), ...transaction.breakdowns].map(
    ({ amount }) => amount,
  );
}

describe.each([
  ['tiny', tiny()],
  ['demo', demo],
] as [string, Business][])('settlements of %s', (_, business) => {
  it.each(business.accounts.map((account) => [`${account.storeName} ${account.region}`, account] as const))(
    '%s: header = lines = transactions, to the cent, without a gap',
    (_name, account) => checkSettlements(business, account),
  );
});

function checkSettlements(business: Business, account: SimAccount): void {
  const settlements = business.settlements(account, NOW);
  const transactions = business.transactions(account, { from: 0, to: NOW }, NOW);
  expect(settlements.length).toBeGreaterThanOrEqual(account.marketplaceIds.length * 7);
  for (const one of settlements) {
    expect(one.settlementId).toMatch(/^\d{11}$/);
    expect(one.endAt).toBeLessThanOrEqual(NOW);
    expect(sum(one.lines.map(({ amount }) => amount))).toBe(new Decimal(one.total).toFixed());
    const paid = transactions.filter(({ settlementId }) => settlementId === one.settlementId);
    expect(sum(paid.map(({ total }) => total))).toBe(new Decimal(one.total).toFixed());
    expect(paid.flatMap(leaves).toSorted()).toEqual(one.lines.map(({ amount }) => amount).toSorted());
    for (const { financialEventGroupId } of paid) expect(financialEventGroupId).toBe(one.financialEventGroupId);
  }
  for (const id of account.marketplaceIds) {
    const chain = settlements.filter(({ marketplaceId }) => marketplaceId === id).toReversed();
    expect(chain[0]?.startAt).toBe(START);
    for (const [position, one] of chain.entries()) {
      if (position > 0) expect(one.startAt).toBe(chain[position - 1]?.endAt);
    }
  }
}

describe('a settlement below zero', () => {
  it('is payable to Amazon: the next one begins with the debt and the card payment for it', () => {
    const all = demo.accounts.flatMap((account) => demo.settlements(account, NOW));
    const negative = all.filter(({ total }) => total.startsWith('-'));
    expect(negative.length).toBeGreaterThan(0);
    for (const one of negative) {
      const next = all.find(
        (other) =>
          other.startAt === one.endAt &&
          other.marketplaceId === one.marketplaceId &&
          other.account.sellingPartnerId === one.account.sellingPartnerId,
      );
      const opening = next?.lines.slice(0, 2).map(({ amountDescription, amount }) => [amountDescription, amount]);
      expect(opening).toEqual([
        ['Payable to Amazon', one.total],
        ['Successful charge', one.total.slice(1)],
      ]);
    }
  });
});

describe('transactions', () => {
  const account = firstAccount(demo);
  const all = demo.transactions(account, { from: 0, to: NOW }, NOW);

  it('are sums of their leaves and have an id of their own', () => {
    for (const one of all) expect(sum(leaves(one))).toBe(new Decimal(one.total).toFixed());
    expect(new Set(all.map(({ transactionId }) => transactionId)).size).toBe(all.length);
  });

  it('defer a sale at dispatch and release it once, for the same money', () => {
    const byId = new Map(all.map((one) => [one.transactionId, one]));
    const released = all.filter(({ status }) => status === 'DEFERRED_RELEASED');
    expect(released.length).toBeGreaterThan(1000);
    for (const one of released) {
      const release = byId.get(one.releaseTransactionId ?? '');
      expect(release?.status).toBe('RELEASED');
      expect(release?.deferredTransactionId).toBe(one.transactionId);
      expect(release?.total).toBe(one.total);
      expect(one.settlementId).toBeUndefined();
    }
    const waiting = all.filter(({ status }) => status === 'DEFERRED');
    expect(waiting.length).toBeGreaterThan(100);
    for (const one of waiting) expect(one.maturityAt).toBeGreaterThan(NOW);
  });

  it('of a group are its total: the payout of a closed one, the balance of the open one, without what is deferred', () => {
    const groups = demo.eventGroups(account, NOW);
    const settled = new Map(demo.settlements(account, NOW).map((one) => [one.financialEventGroupId, one]));
    const open = groups.filter(({ endAt }) => endAt === undefined);
    expect(open.map(({ marketplaceId }) => marketplaceId).sort()).toEqual([...account.marketplaceIds].sort());
    expect(groups.length).toBe(settled.size + open.length);
    for (const group of groups) {
      const own = all.filter(({ financialEventGroupId }) => financialEventGroupId === group.groupId);
      expect(own.every(({ status }) => status === 'RELEASED')).toBe(true);
      expect(sum(own.map(({ total }) => total))).toBe(new Decimal(group.total).toFixed());
      if (group.endAt !== undefined) expect(settled.get(group.groupId)?.total).toBe(group.total);
    }
    expect(all.filter(({ status }) => status === 'DEFERRED').every((one) => !one.financialEventGroupId)).toBe(true);
    const onTheWay = groups.filter(({ transfer }) => transfer?.status === 'Processing');
    for (const { endAt = 0, transfer } of onTheWay) {
      expect(transfer?.at).toBeUndefined();
      expect(endAt + 2 * DAY).toBeGreaterThan(NOW);
    }
    expect(groups.some(({ transfer }) => transfer?.status === 'Succeeded')).toBe(true);
  });

  it('withhold in America exactly the tax that they collect', () => {
    const collected = new Set<string>();
    for (const one of all.filter(({ transactionType }) => transactionType === 'Shipment')) {
      const named = one.items.flatMap((item) => item.breakdowns);
      const tax = named.filter(({ path }) => path[1]?.endsWith(' Tax')).map(({ amount }) => amount);
      const withheld = named.filter(({ path }) => path[1] === 'Tax Withheld').map(({ amount }) => amount);
      expect(sum([...tax, ...withheld])).toBe('0');
      collected.add(sum(tax));
    }
    expect(collected.size).toBeGreaterThan(100);
  });
});

describe('listings', () => {
  const account = firstAccount(demo);

  it('are marked as changed whenever their price or state changes', () => {
    const seen = new Map<string, { text: string; at: number }>();
    let changes = 0;
    for (let now = START + DAY; now < START + 100 * DAY; now += 0.5 * DAY) {
      for (const one of account.marketplaceIds.flatMap((id) => demo.listings(account, id, now))) {
        const key = `${one.marketplaceId}|${one.product.sku}`;
        const text = JSON.stringify([one.price, one.status, one.quantity, one.issues]);
        const before = seen.get(key);
        expect(one.lastUpdatedAt).toBeLessThanOrEqual(now);
        expect(one.lastUpdatedAt).toBeGreaterThanOrEqual(before?.at ?? 0);
        if (before && before.text !== text) {
          changes += 1;
          expect(one.lastUpdatedAt).toBeGreaterThan(before.at);
        }
        seen.set(key, { text, at: one.lastUpdatedAt });
      }
    }
    expect(changes).toBeGreaterThan(100);
  });
});
