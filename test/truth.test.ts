import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { trialBalance } from '#modules/accounting/contract/ledger.ts';
import { makeVouchers, saveRule } from '#modules/accounting/contract/rules.ts';
import { applyTemplate } from '#modules/accounting/contract/subjects.ts';
import { listVouchers, voucherData, voucherSteps } from '#modules/accounting/contract/voucher-calls.ts';
import { PRESET_RATES, saveMonthRate } from '#modules/finance/contract/rates.ts';
import { saveCost } from '#modules/product/contract.ts';
import { listOrderProfit, type OrderProfitRow } from '#modules/profit/contract/order.ts';
import { totalProfit } from '#modules/profit/contract/report.ts';
import { truthMoney, truthOrders } from '#sandbox/business/truth-money.ts';
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

/** Whole rates, so that nothing is rounded. */
const BOOK_RATES = { USD: '7', CAD: '5', MXN: '2' };
/** What buyers paid and got back stands on subjects of its own, so that it can be held against what the marketplace says. */
const SALES = '500102';
const REFUNDS = '5402';
const RECEIVABLE = '112201';

/** The entries of a voucher by subject, debits less credits, and the number of what it was made from. */
async function booked(id: string) {
  const { lines, facts } = await owner.call(voucherData, { params: { id } });
  const on = (code: string) =>
    cents(
      Decimal.sum(
        0,
        ...lines
          .filter(({ subject }) => subject.startsWith(`${code} `))
          .map(({ debit, credit }) => new Decimal(debit ?? 0).minus(credit ?? 0)),
      ).toFixed(),
    );
  return { number: facts[0]?.number ?? '', owed: on(RECEIVABLE), sales: on(SALES), refunds: on(REFUNDS) };
}

test('the general ledger earns what the marketplace says, settlement by settlement, and costs what the profit report says', async () => {
  const { clock, business } = world.sandbox;
  const account = business.accounts.find((one) => one.sellingPartnerId === SELLER && one.region === 'na');
  if (!account) throw new Error(`the sandbox does not know ${SELLER}`);
  const months = ['2026-05', '2026-06', '2026-07', '2026-08'];
  await owner.call(applyTemplate, { body: { startMonth: '2026-05' } });
  for (const month of months) {
    for (const [currency, rate] of Object.entries(BOOK_RATES)) {
      await owner.call(saveMonthRate, { body: { currency, month, rate } });
    }
  }
  const own = Object.fromEntries([
    ...['PRINCIPAL', 'SHIPPING', 'GIFTWRAP'].map((fee) => [`REVENUE:${fee}`, SALES]),
    ...['REFUND_PRINCIPAL', 'REFUND_SHIPPING'].map((fee) => [`REFUND:${fee}`, REFUNDS]),
  ]);
  const rule = { source: 'settlement', version: 0, fromMonth: '2026-05', by: 'DOCUMENT' as const, active: true };
  await owner.call(saveRule, { body: { ...rule, subjects: own } });
  for (const month of months) {
    const { skipped } = await owner.call(makeVouchers, { body: { month } });
    expect(skipped).toEqual([]);
  }
  const { records } = await owner.call(listVouchers, { body: { pagesize: 100, filter: {} } });
  for (const { id } of records) {
    for (const step of ['submit', 'approve', 'post'] as const) await owner.call(voucherSteps[step], { body: { id } });
  }

  const expected: Record<string, object> = {};
  for (const one of business.settlements(account, clock.now())) {
    const { net, bySku } = truthMoney([one], [], one.currency);
    const rate = BOOK_RATES[one.currency as keyof typeof BOOK_RATES];
    const at = (amount: string) => cents(new Decimal(amount).times(rate).toFixed());
    const all = (key: 'sales' | 'refunds') =>
      Decimal.sum(0, ...bySku.map((row) => row[key]))
        .neg()
        .toFixed();
    expected[one.settlementId] = { owed: at(net), sales: at(all('sales')), refunds: at(all('refunds')) };
  }
  expect(Object.keys(expected).length).toBeGreaterThan(3);
  const told: Record<string, object> = {};
  for (const { id, summary } of records.filter((row) => row.summary.startsWith('亚马逊结算'))) {
    const { number, ...amounts } = await booked(id);
    expect(summary).toContain(number);
    told[number] = amounts;
  }
  expect(told).toEqual(expected);

  const { rows, totals } = await owner.call(trialBalance, {
    body: { from: '2026-05', to: '2026-08', level: 3, moved: true },
  });
  expect(totals.debit).toBe(totals.credit);
  const debit = (code: string) => rows.find((row) => row.code === code)?.closingDebit;
  const owed = Object.values(told).map((row) => ('owed' in row ? String(row.owed) : '0'));
  expect(debit(RECEIVABLE)).toBe(cents(Decimal.sum(...owed).toFixed()));
  // What Amazon sent; what the seller sends himself is cost of the stock ledger's.
  let pieces = 0;
  for (const id of account.marketplaceIds) {
    const listings = business.listings(account, id, clock.now());
    const sentByAmazon = new Set(
      listings.filter(({ product }) => product.fulfilment === 'AFN').map(({ product }) => product.sku),
    );
    const { money } = business.truth(account, id, { from: 0, to: clock.now() }, clock.now());
    pieces += money.bySku.filter(({ sku }) => sentByAmazon.has(sku)).reduce((sum, { units }) => sum + units, 0);
  }
  expect(pieces).toBeGreaterThan(100);
  const cost = new Decimal('12.3456').times(pieces);
  // Each month is rounded to the cent.
  const rounding = new Decimal('0.005').times(months.length);
  expect(
    cost
      .minus(debit('5401') ?? 0)
      .abs()
      .lte(rounding),
  ).toBe(true);

  // Made again, nothing is made: each event is booked once.
  for (const month of months) {
    expect(await owner.call(makeVouchers, { body: { month } })).toMatchObject({ made: 0, changed: 0, reversed: 0 });
  }
});
