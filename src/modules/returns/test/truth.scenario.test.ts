import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { pages } from '#test/support/pages.ts';
import type { Person } from '#test/support/world.ts';
import { reconciled } from '../contract/reconcile.ts';

const SELLER = 'A1SANDBOX0001';
const DAY = 86_400_000;
/** What is paid for goods and their delivery, taxes aside. */
const PRICES = ['Product Charges', 'Shipping Charges', 'Gift Wrap Charges', 'Promo Rebates'];

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
  owner = await world.owner();
  const { accountId } = await connectStore(owner, SELLER);
  await untilSynced(owner, accountId);
});
afterAll(() => world.close());

/** What the business gave back for each SKU of an order, by "order sku", to the cent. */
function refunded(): Record<string, string> {
  const { business, clock } = world.sandbox;
  const seller = business.accounts.find((one) => one.sellingPartnerId === SELLER && one.region === 'na');
  if (!seller) throw new Error('the sandbox has no such seller');
  const now = clock.now();
  const sums = new Map<string, Decimal>();
  // The API keeps the last two minutes back.
  for (const { transactionType, orderId, items } of business.transactions(
    seller,
    { from: now - 60 * DAY, to: now - 120_000 },
    now,
  )) {
    if (transactionType !== 'Refund' || orderId === undefined) continue;
    for (const { sku, breakdowns } of items) {
      const prices = breakdowns.filter(({ path }) => path[0] === 'Sales' && PRICES.includes(path[1] ?? ''));
      const key = `${orderId} ${sku}`;
      sums.set(key, Decimal.sum(sums.get(key) ?? 0, ...prices.map(({ amount }) => new Decimal(amount).negated())));
    }
  }
  return Object.fromEntries([...sums].map(([key, amount]) => [key, amount.toFixed()]));
}

test('every refund of the marketplace stands in the list, to the cent, and no other', async () => {
  const told = refunded();
  expect(Object.keys(told).length).toBeGreaterThan(5);
  const dates = { from: '2026-05-01', to: '2026-12-31' };
  const rows = await pages(owner, reconciled.list, { dates });
  const ours = rows.flatMap(({ orderId, product, refund }) =>
    refund === null ? [] : [[`${orderId} ${product.code}`, plainDecimal(refund)] as const],
  );
  expect(Object.fromEntries(ours)).toEqual(told);
  expect(ours).toHaveLength(Object.keys(told).length);
  // Nobody gives back more than was paid.
  expect(rows.filter(({ state }) => state === 'over')).toEqual([]);
});
