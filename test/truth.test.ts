import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import { saveCost } from '#modules/product/contract.ts';
import { listOrderProfit, type OrderProfitRow } from '#modules/profit/contract/order.ts';
import { totalProfit } from '#modules/profit/contract/report.ts';
import { truthOrders } from '#sandbox/business/truth-money.ts';
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

/** Every page of the report of orders. */
async function allOrders() {
  const records: OrderProfitRow[] = [];
  for (let currentpage = 1; ; currentpage += 1) {
    const page = await owner.call(listOrderProfit, { body: { currentpage, pagesize: 100, filter: {} } });
    records.push(...page.records);
    if (page.records.length < 100) return records;
  }
}

const cents = (amount: string | null | undefined) => new Decimal(amount ?? Number.NaN).toFixed(2);

test('what orders brought is their settlements plus open money, and with what names no order it is everything', async () => {
  const { clock, business } = world.sandbox;
  const account = business.accounts.find((one) => one.sellingPartnerId === SELLER && one.region === 'na');
  if (!account) throw new Error(`the sandbox does not know ${SELLER}`);
  const now = clock.now();
  const expected: Record<string, string> = {};
  const sums: Record<string, string> = {};
  for (const marketplaceId of account.marketplaceIds) {
    const { currency, money } = business.truth(account, marketplaceId, { from: 0, to: now }, now);
    const settlements = business.settlements(account, now).filter((one) => one.marketplaceId === marketplaceId);
    const transactions = business.transactions(account, { from: 0, to: now + 1, marketplaceId }, now);
    const { byOrder, rest } = truthOrders(settlements, transactions, currency);
    for (const { orderId, units, sales, refunds, net } of byOrder) {
      expected[`${orderId} ${currency}`] = [units, cents(sales), cents(refunds), cents(net)].join(' ');
    }
    const known = byOrder.map(({ net }) => net);
    expect(cents(Decimal.sum(rest, ...known).toFixed())).toBe(cents(money.net));
    sums[currency] = cents(new Decimal(money.net).minus(rest).toFixed());
  }
  expect(Object.keys(expected).length).toBeGreaterThan(500);
  const told = (rows: readonly OrderProfitRow[]) =>
    Object.fromEntries(
      rows.map((row) => [
        `${row.orderId} ${row.currency}`,
        [row.units, cents(row.sales), cents(row.refund), cents(row.net)].join(' '),
      ]),
    );
  await expect.poll(async () => told(await allOrders()), { timeout: PATIENCE_MS }).toEqual(expected);
  const rows = await allOrders();
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  for (const [currency, list] of byCurrency) {
    expect(cents(Decimal.sum(...list.map(({ net }) => net ?? Number.NaN)).toFixed())).toBe(sums[currency]);
  }
  // What was charged for the goods of an order that has left whole is what the order says that they cost.
  const left = rows.filter(({ gap }) => gap !== null);
  expect(left.length).toBeGreaterThan(500);
  expect(left.filter(({ gap }) => !new Decimal(gap ?? Number.NaN).isZero())).toEqual([]);
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
