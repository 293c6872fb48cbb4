import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { CA, type FileLine, makeAccount, settle, US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { exportSettled, listSettled, proveSettled, type SettledFilter, type SettledRow } from '../contract/settled.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const date = { from: '2026-01-01', to: '2026-01-31' };
const SKU = 'KD-BWB-500-BL';
const US_FILE = '15000000001';
const CA_FILE = '25000000001';

const sold = (type: string, description: string, amount: string, more: Partial<FileLine> = {}): FileLine => ({
  orderId: '113-1234567-1234567',
  marketplaceName: 'Amazon.com',
  sku: SKU,
  amountType: type,
  amountDescription: description,
  amount,
  ...more,
});
const shop = (description: string, amount: string, more: Partial<FileLine> = {}): FileLine => ({
  transactionType: 'other-transaction',
  amountType: 'other-transaction',
  amountDescription: description,
  amount,
  ...more,
});
const REFUND = { transactionType: 'Refund' };

/** Worked example E1: a settlement of 10.79 USD, 13.79 of it reserves. */
const E1: FileLine[] = [
  sold('ItemPrice', 'Principal', '49.98', { quantity: 2 }),
  sold('ItemPrice', 'Tax', '4.12'),
  sold('ItemWithheldTax', 'MarketplaceFacilitatorTax-Principal', '-4.12'),
  sold('ItemFees', 'Commission', '-7.50'),
  sold('ItemFees', 'FBAPerUnitFulfillmentFee', '-12.20'),
  sold('Promotion', 'Principal', '-2.50'),
  sold('ItemPrice', 'Principal', '-19.99', { ...REFUND, quantity: 1 }),
  sold('ItemFees', 'Commission', '3.00', REFUND),
  sold('ItemFees', 'RefundCommission', '-0.60', REFUND),
  shop('Storage Fee', '-12.34'),
  shop('TransactionTotalAmount', '-8.00', { transactionType: 'ServiceFee', amountType: 'Cost of Advertising' }),
  shop('WAREHOUSE_LOST', '7.15', { amountType: 'FBA Inventory Reimbursement' }),
  shop('Previous Reserve Amount Balance', '35.10'),
  shop('Current Reserve Amount', '-21.31'),
];

const list = (person: Person, filter: SettledFilter = {}) =>
  person.call(listSettled, { body: { filter: { date, ...filter } } });
const rate = (currency: string) => new Decimal(PRESET_RATES[currency] ?? Number.NaN);
const near = (amount: string | number | null | undefined) => new Decimal(amount ?? Number.NaN).toFixed(4);
const bySku = (rows: readonly SettledRow[], sku: string) => rows.find((row) => row.sku === sku);

describe('worked example E1 by SKU', () => {
  let owner: Person;
  beforeAll(async () => {
    owner = await world.owner();
    await owner.call(saveCost, { body: { sku: SKU, unitCost: '10', validFrom: '2026-01-01' } });
    // Dearer from the day after the sale on.
    await owner.call(saveCost, { body: { sku: SKU, unitCost: '99', validFrom: '2026-01-11' } });
    await settle(world, owner, await makeAccount(world, owner), E1);
  });

  it('is the SKU to the cent, and the money of the store in a row of its own', async () => {
    const { records, totals } = await list(owner);
    expect(records.map((row) => row.sku)).toEqual(['', SKU]);
    expect(bySku(records, SKU)).toMatchObject({
      currency: 'USD',
      units: 2,
      orders: 1,
      sales: '49.98',
      promotion: '-2.5',
      refund: '-19.99',
      refundUnits: 1,
      refundRate: '0.5',
      netSales: '27.49',
      commission: '-7.5',
      refundFee: '2.4',
      fba: '-12.2',
      tax: '0',
      storageShare: '0',
      ads: '0',
      platformNet: '10.19',
    });
    expect(bySku(records, '')).toMatchObject({
      product: { name: '店铺费用', code: '未分摊' },
      sales: '0',
      storageShare: '-12.34',
      ads: '-8',
      otherShare: '7.15',
      platformNet: '-13.19',
    });
    expect(totals).toMatchObject({ currency: 'USD', units: 2, platformNet: '-3' });
  });

  it('costs what its pieces cost on the day of the sale, at the rate of the month', async () => {
    const row = bySku((await list(owner)).records, SKU);
    const cost = new Decimal(20).div(rate('USD'));
    expect(near(row?.cogs)).toBe(cost.neg().toFixed(4));
    expect(near(row?.profit)).toBe(new Decimal('10.19').minus(cost).toFixed(4));
    expect(near(row?.margin)).toBe(new Decimal('10.19').minus(cost).div('27.49').toFixed(4));
    const inYuan = bySku((await list(owner, { currency: 'CNY' })).records, SKU);
    expect(inYuan).toMatchObject({ currency: 'CNY', cogs: '-20' });
    expect(near(inYuan?.platformNet)).toBe(rate('USD').times('10.19').toFixed(4));
  });

  it('is proved: the file is its rows and its balances, whatever SKU is asked for', async () => {
    const filter = { settlementId: US_FILE, skus: [SKU] };
    const { proofs } = await owner.call(proveSettled, { body: { filter } });
    expect(proofs).toHaveLength(1);
    const [proof] = proofs;
    expect(proof).toMatchObject({ settlementId: US_FILE, currency: 'USD', gap: '0' });
    expect([proof?.total, proof?.rows, proof?.balances].map(Number)).toEqual([10.79, -3, 13.79]);
    expect((await owner.call(proveSettled, { body: { filter: { date } } })).proofs).toEqual([]);
    expect((await owner.call(proveSettled, { body: { filter: { settlementId: '19999999999' } } })).proofs).toEqual([]);
  });

  it('is found by the day it ended or was paid out, and by its number whatever the days', async () => {
    const paid = { from: '2026-01-16', to: '2026-01-18' };
    expect((await list(owner, { date: paid })).records).toEqual([]);
    expect((await list(owner, { date: paid, dateType: 'deposit' })).records).toHaveLength(2);
    const far = { from: '2030-01-01', to: '2030-01-31' };
    expect((await list(owner, { date: far, settlementId: US_FILE })).records).toHaveLength(2);
    expect((await list(owner, { skus: [SKU] })).records.map((row) => row.sku)).toEqual([SKU]);
    expect((await list(owner, { skus: [''] })).records.map((row) => row.sku)).toEqual(['']);
    await expect(list(owner, { date: { from: '2026-02-01', to: '2026-01-01' } })).rejects.toThrow('开始日期');
  });

  it('keeps costs from those who may not see them, and everything from other companies', async () => {
    const clerk = await world.member(owner, ['fin:profit:view', 'fin:profit:export']);
    const { records, totals } = await list(clerk);
    expect(records).toHaveLength(2);
    for (const row of [...records, totals ?? {}]) {
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['cogs']));
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['profit']));
      expect(Object.keys(row)).not.toEqual(expect.arrayContaining(['margin']));
    }
    const file = await clerk.send(exportSettled, { body: { filter: { date }, format: 'csv' } });
    const text = file.raw.toString('utf8');
    expect(text).toContain(SKU);
    expect(text).toContain('10.19');
    expect(text).not.toContain('采购成本');
    expect(text).not.toContain('结算编号');
    const stranger = await world.owner();
    expect((await list(stranger)).records).toEqual([]);
    expect((await stranger.call(proveSettled, { body: { filter: { settlementId: US_FILE } } })).proofs).toEqual([]);
    const outsider = await world.member(owner, ['fin:settlement:view']);
    expect((await outsider.send(listSettled, { body: { filter: { date } } })).status).toBe(403);
  });
});

describe('two settlements of two currencies', () => {
  let owner: Person;
  let account: AccountRef;
  beforeAll(async () => {
    owner = await world.owner();
    account = await makeAccount(world, owner);
    await settle(world, owner, account, [sold('ItemPrice', 'Principal', '20.00', { quantity: 1 })]);
    const canadian = { marketplaceName: 'Amazon.ca', orderId: '702-1234567-1234567', quantity: 3 };
    await settle(
      world,
      owner,
      account,
      [sold('ItemPrice', 'Principal', '90.00', canadian), shop('Subscription Fee', '-5.00')],
      { id: CA_FILE, currency: 'CAD', marketplaceId: CA },
    );
  });

  it('stay apart in their own currencies, and add up in one', async () => {
    const own = await list(owner);
    expect(own.records.filter((row) => row.sku === SKU).map((row) => [row.currency, row.sales])).toEqual([
      ['CAD', '90'],
      ['USD', '20'],
    ]);
    const whole = rate('USD').times(20).plus(rate('CAD').times(85));
    expect(own.totals).toMatchObject({ currency: 'CNY', units: 4 });
    expect(near(own.totals?.platformNet)).toBe(whole.toFixed(4));
    const yuan = await list(owner, { currency: 'CNY' });
    expect(yuan.total).toBe(2);
    expect(near(bySku(yuan.records, SKU)?.sales)).toBe(rate('USD').times(20).plus(rate('CAD').times(90)).toFixed(4));
    expect(near(yuan.totals?.platformNet)).toBe(whole.toFixed(4));
  });

  it('have a row for each SKU of each of them, and are found by their store', async () => {
    const { records } = await list(owner, { view: 'settlement' });
    const rows = records.map((row) => `${row.settlementId} ${row.sku} ${row.store?.country} ${row.platformNet}`);
    expect(rows.toSorted()).toEqual([`${US_FILE} ${SKU} US 20`, `${CA_FILE}  CA -5`, `${CA_FILE} ${SKU} CA 90`]);
    expect(new Set(records.map((row) => row.id)).size).toBe(3);
    const american = await list(owner, { view: 'store', stores: [`${US}-${account.id}`] });
    expect(american.records.map((row) => [row.settlementId, row.sku, row.units])).toEqual([[null, SKU, 1]]);
    const file = await owner.send(exportSettled, { body: { filter: { date, view: 'settlement' }, format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain(CA_FILE);
  });

  it('are sorted by a figure and paged without overlap', async () => {
    const ask = (currentpage: number) =>
      owner.call(listSettled, {
        body: {
          filter: { date, view: 'settlement', currency: 'USD' },
          currentpage,
          pagesize: 2,
          sort: 'platformNet',
          order: 'asc',
        },
      });
    const [first, second] = [await ask(1), await ask(2)];
    const amounts = [...first.records, ...second.records].map((row) => Number(row.platformNet));
    expect([first.total, second.total]).toEqual([3, 3]);
    expect(amounts).toHaveLength(3);
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
  });
});

const KINDS: readonly (readonly [type: string, description: string, transaction?: string])[] = [
  ['ItemPrice', 'Principal'],
  ['ItemPrice', 'Principal', 'Refund'],
  ['ItemPrice', 'Shipping'],
  ['ItemPrice', 'Tax'],
  ['ItemFees', 'Commission'],
  ['ItemFees', 'FBAPerUnitFulfillmentFee'],
  ['Promotion', 'Principal'],
  ['other-transaction', 'Storage Fee', 'other-transaction'],
  ['other-transaction', 'Current Reserve Amount', 'other-transaction'],
  ['other-transaction', 'Previous Reserve Amount Balance', 'other-transaction'],
  ['other-transaction', 'Nobody Knows This Fee', 'other-transaction'],
  ['FBA Inventory Reimbursement', 'WAREHOUSE_LOST', 'other-transaction'],
];
const anyLine = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    sku: fc.constantFrom('A', 'B', ''),
    cents: fc.integer({ min: -9_999, max: 9_999 }).filter((cents) => cents !== 0),
    day: fc.integer({ min: 2, max: 14 }),
    quantity: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ kind: [amountType, amountDescription, transactionType = 'Order'], sku, cents, day, quantity }) => ({
    transactionType,
    amountType,
    amountDescription,
    amount: new Decimal(cents).div(100).toFixed(2),
    postedAt: new Date(Date.UTC(2026, 0, day, 20)).toISOString(),
    quantity,
    ...(sku === '' ? {} : { sku }),
  }));
const RESERVE = /Reserve Amount/;

it('whatever lines a settlement has, its rows are its total less the balances', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { minLength: 1, maxLength: 14 }), async (lines) => {
      const owner = await world.owner();
      await settle(world, owner, await makeAccount(world, owner), lines);
      const amountsOf = (isBalance: boolean) =>
        sum(lines.filter((line) => RESERVE.test(line.amountDescription) === isBalance).map((line) => line.amount));
      const { proofs } = await owner.call(proveSettled, { body: { filter: { settlementId: US_FILE } } });
      expect(proofs.map(({ rows, balances, gap }) => [near(rows), near(balances), near(gap)])).toEqual([
        [near(amountsOf(false)), near(amountsOf(true)), '0.0000'],
      ]);
      for (const view of ['sku', 'store', 'settlement'] as const) {
        const { records } = await list(owner, { view });
        expect(near(sum(records.map((row) => row.platformNet ?? 'NaN')))).toBe(near(amountsOf(false)));
        for (const row of records) {
          const own = lines.filter((line) => (line.sku ?? '') === row.sku && !RESERVE.test(line.amountDescription));
          expect(near(row.platformNet)).toBe(near(sum(own.map((line) => line.amount))));
        }
      }
    }),
    { numRuns: 15 },
  );
});
