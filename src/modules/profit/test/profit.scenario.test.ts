import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { CA, type FileLine, makeAccount, settle } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { FIGURE_KEYS } from '../contract/figures.ts';
import { drillProfit, exportProfit, listProfit, totalProfit, trendProfit } from '../contract/report.ts';
import { wholeRow } from '../web/whole.ts';
import { fold } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

const date = { from: '2026-01-01', to: '2026-01-31' };
const order = { orderId: '113-1111111-1111111', marketplaceName: 'Amazon.com', postedAt: '2026-01-10T20:00:00Z' };
const line = (
  sku: string,
  type: string,
  description: string,
  amount: string,
  more: Partial<FileLine> = {},
): FileLine => ({
  ...order,
  sku,
  amountType: type,
  amountDescription: description,
  amount,
  ...more,
});
const shop = (description: string, amount: string): FileLine => ({
  transactionType: 'other-transaction',
  amountType: 'other-transaction',
  amountDescription: description,
  amount,
  postedAt: '2026-01-12T20:00:00Z',
});
const refund = { transactionType: 'Refund' };

/** Worked example E7: one SKU-day whose shared costs are all its own, because nothing else sells. */
const E7: FileLine[] = [
  line('SKU-A', 'ItemPrice', 'Principal', '1749.30', { quantity: 70 }),
  line('SKU-A', 'Promotion', 'Principal', '-35.00'),
  line('SKU-A', 'ItemPrice', 'Principal', '-49.98', { ...refund, quantity: 2 }),
  line('SKU-A', 'ItemFees', 'Commission', '7.50', refund),
  line('SKU-A', 'ItemFees', 'RefundCommission', '-1.50', refund),
  line('SKU-A', 'ItemFees', 'Commission', '-257.15'),
  line('SKU-A', 'ItemFees', 'FBAPerUnitFulfillmentFee', '-441.70'),
  {
    transactionType: 'ServiceFee',
    amountType: 'Cost of Advertising',
    amountDescription: 'TransactionTotalAmount',
    amount: '-180.00',
    postedAt: '2026-01-12T20:00:00Z',
  },
  shop('Storage Fee', '-22.40'),
  shop('Subscription Fee', '-10.00'),
  shop('Current Reserve Amount', '-500.00'),
];

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function fresh() {
  owner = await world.owner();
  account = await makeAccount(world, owner);
}

async function setRate(currency: string, month: string, rate: string) {
  await world.as(owner, (ctx) =>
    sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, ${currency}, ${month}::date, ${rate}::numeric, '测试')`.execute(ctx.db),
  );
}

describe('worked example E7: the profit of a SKU', () => {
  it('is 759.07 before cost and 486.74 after it, at the month rate; reserves are never profit', async () => {
    await fresh();
    await settle(world, owner, account, E7);
    await fold(world, owner);
    await setRate('USD', '2026-01-01', '7.1234');
    // 1,939.904 CNY over 70 pieces.
    await owner.call(saveCost, { body: { sku: 'SKU-A', unitCost: '27.7129' } });
    await fold(world, owner);
    const { records } = await owner.call(listProfit, { body: { filter: { date, dimension: 'sku' } } });
    expect(records).toHaveLength(1);
    const [row] = records;
    expect(row).toMatchObject({
      sku: 'SKU-A',
      units: 70,
      refundUnits: 2,
      sales: '1749.3',
      netSales: '1664.32',
      refundFee: '6',
      ads: '-180',
      storageShare: '-22.4',
      otherShare: '-10',
      platformNet: '759.07',
      fxMissing: false,
      costMissing: 0,
    });
    expect(Number(row?.cogs)).toBeCloseTo(-272.33, 2);
    expect(Number(row?.profit)).toBeCloseTo(486.74, 2);
    expect((Number(row?.margin) * 100).toFixed(2)).toBe('29.25');

    const cny = await owner.call(listProfit, { body: { filter: { date, dimension: 'sku', currency: 'CNY' } } });
    expect(Number(cny.records[0]?.platformNet)).toBeCloseTo(5407.16, 2);
    expect(Number(cny.records[0]?.profit)).toBeCloseTo(3467.26, 2);
  });

  it('every cell opens to lines that add up to it, shares and cost included', async () => {
    for (const figure of ['cogs', ...FIGURE_KEYS] as const) {
      const filter = {
        date,
        dimension: 'sku' as const,
        sku: 'SKU-A',
        storeKey: null,
        day: null,
        rowCurrency: 'USD',
        figure,
      };
      const drill = await owner.call(drillProfit, { body: { filter } });
      for (const proof of drill.proof) expect([figure, Number(proof.gap)]).toEqual([figure, 0]);
      if (figure === 'sales') {
        expect(drill.lines.records.map((row) => row.amount)).toEqual(['1749.3000']);
        expect(drill.proof).toMatchObject([{ title: '费用行合计', currency: 'USD', figure: '1749.3000' }]);
      }
      if (figure === 'storageShare') {
        expect(drill.shares).toMatchObject([{ whole: '-22.4000', part: '-22.4000', weight: '1' }]);
        expect(drill.lines.records.map((row) => row.amountDescription)).toEqual(['Storage Fee']);
      }
      if (figure === 'cogs')
        expect(drill.costs).toMatchObject([{ units: 70, unitCost: '27.7129', amount: '-1939.903' }]);
    }
  });

  it('its strip compares with the period before, its trend has the day', async () => {
    const filter = { date };
    const total = await owner.call(totalProfit, { body: { filter } });
    expect(total).toMatchObject({ currency: 'USD', converted: false, previous: null });
    expect(total.quality).toMatchObject({ missingCostSkus: 0, missingRates: [], settledShare: '1' });
    expect(total.settledUntil).toBe('2026-01-12');
    const next = await owner.call(totalProfit, {
      body: { filter: { date: { from: '2026-02-01', to: '2026-03-03' } } },
    });
    expect(Number(next.previous?.platformNet)).toBe(759.07);
    const trend = await owner.call(trendProfit, { body: { filter } });
    expect(trend.points.map((point) => [point.day, point.units])).toEqual([
      ['2026-01-10', 70],
      ['2026-01-12', 0],
    ]);
  });
});

describe('money of the whole store', () => {
  it('is shared by net sales of the month to the last cent, over those who sold', async () => {
    await fresh();
    const sale = (sku: string, amount: string, day: string) =>
      line(sku, 'ItemPrice', 'Principal', amount, { quantity: 1, postedAt: `2026-01-${day}T20:00:00Z` });
    await settle(world, owner, account, [
      sale('A', '1200.50', '05'),
      sale('B', '860.25', '20'),
      sale('D', '39.99', '21'),
      line('C', 'ItemFees', 'Commission', '-1.00'),
      shop('Storage Fee', '-87.65'),
    ]);
    await fold(world, owner);
    const { records, totals } = await owner.call(listProfit, { body: { filter: { date, dimension: 'sku' } } });
    const shares = Object.fromEntries(records.map((row) => [row.sku, plainDecimal(row.storageShare ?? '0')]));
    expect(shares).toEqual({ A: '-50.09', B: '-35.89', C: '0', D: '-1.67' });
    expect(plainDecimal(String(totals?.storageShare))).toBe('-87.65');
  });

  it('opens as a whole too: the lines behind each total add up to it', async () => {
    const { totals } = await owner.call(listProfit, { body: { filter: { date, dimension: 'sku' } } });
    const whole = wholeRow(totals);
    expect(whole).toMatchObject({ sku: null, storeKey: null, day: null, units: 3, sales: '2100.74' });
    for (const figure of FIGURE_KEYS) {
      const filter = { date, sku: null, storeKey: null, day: null, rowCurrency: null, figure };
      const { proof } = await owner.call(drillProfit, { body: { filter } });
      const lines = proof.reduce((added, one) => added.plus(one.lines), new Decimal(0));
      expect([figure, lines.toFixed()]).toEqual([figure, new Decimal(whole?.[figure] ?? 0).toFixed()]);
    }
  });

  it('stays apart as 未分摊 while nothing sells, and moves when something does', async () => {
    await fresh();
    await settle(world, owner, account, [shop('Subscription Fee', '-39.99')]);
    await fold(world, owner);
    const first = await owner.call(listProfit, { body: { filter: { date, dimension: 'sku' } } });
    expect(first.records).toMatchObject([{ sku: '', otherShare: '-39.99', product: { name: '未分摊' } }]);
    const { quality } = await owner.call(totalProfit, { body: { filter: { date } } });
    expect(plainDecimal(quality.unallocated ?? '')).toBe('-39.99');

    await settle(world, owner, account, [line('A', 'ItemPrice', 'Principal', '10.00', { quantity: 1 })], {
      id: '15000000002',
    });
    await fold(world, owner);
    const second = await owner.call(listProfit, { body: { filter: { date, dimension: 'sku' } } });
    expect(second.records).toMatchObject([{ sku: 'A', otherShare: '-39.99' }]);
  });
});

describe('a SKU that sells in one of two stores', () => {
  it('opens to the shared money of that store only', async () => {
    await fresh();
    await settle(world, owner, account, [
      line('A', 'ItemPrice', 'Principal', '10.00', { quantity: 1 }),
      shop('Storage Fee', '-2.00'),
    ]);
    const canada = [{ ...line('B', 'ItemPrice', 'Principal', '20.00', { quantity: 1 }), marketplaceName: 'Amazon.ca' }];
    const store = { id: '25000000001', currency: 'CAD', marketplaceId: CA };
    await settle(world, owner, account, [...canada, shop('Storage Fee', '-5.00')], store);
    await fold(world, owner);
    const drill = (sku: string | null) =>
      owner.call(drillProfit, {
        body: { filter: { date, sku, storeKey: null, day: null, rowCurrency: null, figure: 'storageShare' } },
      });
    const one = await drill('A');
    expect(one.lines.records.map((row) => [row.site, row.amount])).toEqual([['US', '-2.0000']]);
    expect(one.proof.map((proof) => [proof.currency, Number(proof.figure), Number(proof.gap)])).toEqual([
      ['USD', -2, 0],
    ]);
    expect((await drill('C')).lines.total).toBe(0);
    expect((await drill(null)).lines.total).toBe(2);
  });
});

describe('what is not known is not zero', () => {
  it('a SKU without a cost shows none, and is counted in the notice until it has one', async () => {
    await fresh();
    await settle(world, owner, account, [line('A', 'ItemPrice', 'Principal', '10.00', { quantity: 2 })]);
    await fold(world, owner);
    const list = () => owner.call(listProfit, { body: { filter: { date } } });
    expect((await list()).records[0]).toMatchObject({ cogs: null, costMissing: 2, profit: '10' });
    const notice = async () => (await owner.call(totalProfit, { body: { filter: { date } } })).quality.missingCostSkus;
    expect(await notice()).toBe(1);
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '7.10' } });
    await fold(world, owner);
    expect(await notice()).toBe(0);
    expect((await list()).records[0]).toMatchObject({ costMissing: 0, cogs: '-2', profit: '8' });
  });

  it('a cost holds from its day on', async () => {
    await fresh();
    const at = (day: string) => ({ quantity: 1, postedAt: `2026-01-${day}T20:00:00Z` });
    await settle(world, owner, account, [
      line('A', 'ItemPrice', 'Principal', '10.00', at('09')),
      line('A', 'ItemPrice', 'Principal', '10.00', at('10')),
    ]);
    await fold(world, owner);
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '7.10' } });
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '14.20', validFrom: '2026-01-10' } });
    await fold(world, owner);
    const { records } = await owner.call(listProfit, { body: { filter: { date, dimension: 'day' } } });
    expect(records.map((row) => [row.day, row.cogs])).toEqual([
      ['2026-01-10', '-2'],
      ['2026-01-09', '-1'],
    ]);
  });

  it('a currency without a rate empties the figures that need it, and says which', async () => {
    await fresh();
    await settle(world, owner, account, [line('A', 'ItemPrice', 'Principal', '10.00', { quantity: 1 })], {
      currency: 'CLP',
    });
    await settle(world, owner, account, [line('B', 'ItemPrice', 'Principal', '5.00', { quantity: 1 })], {
      id: '15000000002',
    });
    await fold(world, owner);
    const own = await owner.call(listProfit, { body: { filter: { date } } });
    expect(own.records.map((row) => [row.currency, row.sales, row.fxMissing])).toEqual([
      ['CLP', '10', false],
      ['USD', '5', false],
    ]);
    expect(own.totals).toMatchObject({ currency: 'CNY', sales: null, units: 2 });
    const total = await owner.call(totalProfit, { body: { filter: { date } } });
    expect(total).toMatchObject({ converted: true, current: { sales: null } });
    expect(total.quality.missingRates).toEqual(['CLP 2026-01']);
    const cny = await owner.call(listProfit, {
      body: { filter: { date, currency: 'CNY' }, sort: 'sku', order: 'asc' },
    });
    expect(cny.records.map((row) => [row.sku, row.sales, row.fxMissing])).toEqual([
      ['A', null, true],
      ['B', '35.5', false],
    ]);
  });
});

describe('who may see it', () => {
  it('profit needs one right, costs and what follows from them another; other companies see nothing', async () => {
    await fresh();
    await settle(world, owner, account, E7);
    await owner.call(saveCost, { body: { sku: 'SKU-A', unitCost: '1.00' } });
    await fold(world, owner);
    const viewer = await world.member(owner, ['fin:profit:view', 'fin:profit:export']);
    const { records, totals } = await viewer.call(listProfit, { body: { filter: { date } } });
    expect(Object.keys(records[0] ?? {})).not.toContain('cogs');
    expect(Object.keys(records[0] ?? {})).not.toContain('profit');
    expect(Object.keys(totals ?? {})).not.toContain('margin');
    expect(wholeRow(totals)).toMatchObject({ sales: '1749.3', profit: null });
    expect((await viewer.call(totalProfit, { body: { filter: { date } } })).current).toMatchObject({
      cogs: null,
      profit: null,
    });
    expect((await viewer.send(listProfit, { body: { filter: { date }, sort: 'profit' } })).code).toBe(400);
    const filter = { date, sku: 'SKU-A', storeKey: null, day: null, rowCurrency: null, figure: 'cogs' as const };
    expect((await viewer.send(drillProfit, { body: { filter } })).status).toBe(403);
    const file = await viewer.send(exportProfit, { body: { filter: { date }, format: 'csv' } });
    expect(file.raw.toString('utf8')).not.toContain('毛利润');
    expect(file.raw.toString('utf8')).toContain('SKU-A');

    const whole = await owner.send(exportProfit, {
      body: { filter: { date }, format: 'csv', columns: ['product', 'sales', 'profit'] },
    });
    expect(whole.raw.toString('utf8').split('\r\n')[0]).toContain('毛利润');
    const nobody = await world.member(owner, ['fin:settlement:view']);
    for (const endpoint of [listProfit, totalProfit, trendProfit, exportProfit]) {
      expect((await nobody.send(endpoint, { body: {} } as never)).status).toBe(403);
    }
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listProfit, { body: { filter: { date } } })).total).toBe(0);
    const foreign = await outsider.call(drillProfit, { body: { filter: { ...filter, figure: 'sales' } } });
    expect(foreign.lines.total).toBe(0);
    expect(
      (await owner.send(listProfit, { body: { filter: { date: { from: '2026-02-01', to: '2026-01-01' } } } })).code,
    ).toBe(400);
  });
});
