import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import { saveCost } from '#modules/product/contract.ts';
import { totalProfit } from '#modules/profit/contract/report.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { expectBooks, truthFigures } from './support/truth.ts';
import type { Person } from './support/world.ts';

const SELLER = 'A1SANDBOX0001';

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
});
afterAll(() => world.close());

test('after the first synchronisation the product and the marketplace keep the same books', async () => {
  const { accountId } = await connectStore(owner, SELLER);
  await untilSynced(owner, accountId);
  const truth = truthFigures(world.sandbox, SELLER, 'na');
  expect(Object.keys(truth.earned).length).toBeGreaterThan(5);
  await expectBooks(world, owner, accountId, truth);
});

test('the profit report is what the marketplace says was earned, converted, less the cost of what was sold', async () => {
  const { clock, business } = world.sandbox;
  const account = business.accounts.find((one) => one.sellingPartnerId === SELLER);
  if (!account) throw new Error(`the sandbox does not know ${SELLER}`);
  const now = clock.now();
  const truths = account.marketplaceIds.map((id) => business.truth(account, id, { from: 0, to: now }, now));
  const sold = truths.flatMap(({ money }) => money.bySku);
  for (const sku of new Set(sold.map((row) => row.sku))) {
    await owner.call(saveCost, { body: { sku, unitCost: '12.3456', validFrom: '2026-01-01' } });
  }
  const net = Decimal.sum(
    ...truths.map(({ currency, money }) => new Decimal(money.net).times(PRESET_RATES[currency] ?? Number.NaN)),
  );
  const cost = new Decimal('12.3456').times(sold.reduce((pieces, row) => pieces + row.units, 0));
  const filter = { currency: 'CNY' as const, date: { from: '2026-05-01', to: '2026-08-01' } };
  const reported = async () => {
    const { current, quality } = await owner.call(totalProfit, { body: { filter } });
    const cents = (amount: string | null | undefined) => new Decimal(amount ?? Number.NaN).toFixed(2);
    const { platformNet, cogs, profit } = current;
    return { ...quality, platformNet: cents(platformNet), cogs: cents(cogs), profit: cents(profit) };
  };
  // The cost of what was sold is counted in the background.
  await expect.poll(reported, { timeout: PATIENCE_MS }).toMatchObject({
    missingCostSkus: 0,
    platformNet: net.toFixed(2),
    cogs: cost.neg().toFixed(2),
    profit: net.minus(cost).toFixed(2),
  });
});
