import { describe, expect, it } from 'vitest';
import { createBusiness } from '../business/index.ts';
import { HISTORY_DAYS, SCENARIOS, sellersOf } from '../business/scenario.ts';
import type { Business, SimAccount, SimOrder } from '../business/types.ts';
import { DAY, START } from './business-support.ts';

const NOW = START + 20 * DAY;

function ordersOf(business: Business, account: SimAccount): SimOrder[] {
  const { marketplaceIds } = account;
  return business.orders(account, { marketplaceIds, by: 'created', from: 0, to: NOW }, NOW);
}

function skusOf(business: Business, account: SimAccount | undefined): string[] {
  if (!account) throw new Error('nobody sells');
  return account.marketplaceIds.flatMap((id) => business.listings(account, id, NOW)).map(({ product }) => product.sku);
}

describe('the medium business', () => {
  const business = createBusiness({ seed: 'medium-1', scenario: 'medium', startAt: START });
  const [first] = business.accounts;

  it('has twenty sellers with two hundred products each, singly and in packs, and two years behind it', () => {
    const plans = sellersOf('medium');
    expect(plans).toHaveLength(20);
    expect(HISTORY_DAYS.medium).toBe(730);
    const skus = new Set(skusOf(business, first));
    // Nine in ten of two hundred are on offer in each of two marketplaces.
    expect(skus.size).toBeGreaterThan(170);
    expect([...skus].some((sku) => sku.endsWith('-X2'))).toBe(true);
  });

  it('sells a pack for clearly more than one piece and for no more than they are worth', () => {
    if (!first) throw new Error('nobody sells');
    const [id = ''] = first.marketplaceIds;
    const prices = new Map(business.listings(first, id, NOW).map((one) => [one.product.sku, Number(one.price)]));
    const packs = [...prices].filter(([sku]) => sku.endsWith('-X2') && prices.has(sku.slice(0, -3)));
    expect(packs.length).toBeGreaterThan(20);
    for (const [sku, price] of packs) {
      const single = prices.get(sku.slice(0, -3)) ?? 0;
      expect(price).toBeGreaterThan(single);
      expect(price).toBeLessThan(single * 2.5);
    }
  });
});

describe('the large business', () => {
  const business = createBusiness({ seed: 'large-1', scenario: 'large', startAt: START });

  it('has a thousand sellers in all regions, each under an id and with SKUs of his own', () => {
    const sellers = new Set(business.accounts.map((one) => one.sellingPartnerId));
    expect(sellers.size).toBe(1000);
    expect(new Set(business.accounts.map((one) => one.region))).toEqual(new Set(['na', 'eu', 'fe']));
    expect(business.accounts.flatMap((one) => one.marketplaceIds).length).toBeGreaterThan(2000);
    const mine = new Set(skusOf(business, business.accounts[0]));
    expect(skusOf(business, business.accounts.at(-1)).some((sku) => mine.has(sku))).toBe(false);
  });

  it('has a few large sellers and a long tail, and no order number twice', () => {
    const cast = [0, 1, 2, 3, -2, -1].flatMap((at) => business.accounts.at(at) ?? []);
    const counts = cast.map((account) => ordersOf(business, account));
    expect(counts[0]?.length).toBeGreaterThan(20 * (counts.at(-1)?.length ?? 0));
    const ids = counts.flat().map((order) => order.orderId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('every scenario names its sellers once', () => {
  for (const name of SCENARIOS) {
    const ids = sellersOf(name).map((plan) => plan.sellingPartnerId);
    expect(new Set(ids).size).toBe(ids.length);
  }
});
