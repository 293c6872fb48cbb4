import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { inTenant } from '#kit/server/runtime.ts';
import type { DataScope } from '#kit/server/scope.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { putGoods } from '#test/support/goods.ts';
import { CA, type FileLine, makeAccount, settle } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { FIGURE_KEYS } from '../contract/figures.ts';
import { exportGroup, listGroup, monthlyGroup } from '../contract/group.ts';
import {
  DIMENSIONS,
  type Dimension,
  drillProfit,
  exportProfit,
  listProfit,
  type ProfitRow,
  trendProfit,
} from '../contract/report.ts';
import { amountOf } from '../contract/statement.ts';
import { groupPage } from '../server/group/list.ts';
import { monthlyOf } from '../server/group/monthly.ts';
import { profitPage } from '../server/list.ts';
import { contributionOf } from '../web/Contribution.tsx';
import { rowFilter } from '../web/whole.ts';
import { fold } from './support.ts';

const US = 'ATVPDKIKX0DER';
const date = { from: '2026-01-01', to: '2026-02-28' };
let world: World;
let owner: Person;
let account: AccountRef;

const line = (
  sku: string,
  day: string,
  type: string,
  description: string,
  amount: string,
  quantity?: number,
): FileLine => ({
  orderId: '113-1111111-1111111',
  marketplaceName: 'Amazon.com',
  postedAt: `2026-${day}T20:00:00Z`,
  sku,
  amountType: type,
  amountDescription: description,
  amount,
  ...(quantity === undefined ? {} : { quantity }),
});
const shop = (day: string, description: string, amount: string): FileLine => ({
  transactionType: 'other-transaction',
  amountType: 'other-transaction',
  amountDescription: description,
  amount,
  postedAt: `2026-${day}T20:00:00Z`,
});
const added = (values: readonly unknown[]) => Decimal.sum(0, ...values.map((value) => String(value ?? 0))).toFixed(2);
const report = (dimension: Dimension, more: object = {}) =>
  owner.call(listProfit, { body: { pagesize: 100, filter: { date, dimension, currency: 'CNY', ...more } } });

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeAccount(world, owner);
  const accountId = account.id;
  await putGoods(world, owner, [
    {
      accountId,
      site: US,
      sku: 'A-1',
      asin: 'B0A1',
      parent: 'B0FAMILY',
      owner: owner.userId,
      local: 'LOC-A',
      brand: 'Nuvia',
      category: '水杯',
    },
    {
      accountId,
      site: US,
      sku: 'A-2',
      asin: 'B0A2',
      parent: 'B0FAMILY',
      local: 'LOC-A',
      brand: 'Nuvia',
      category: '水杯',
    },
    { accountId, site: US, sku: 'B-1', asin: 'B0B1', owner: owner.userId, local: 'B-1', brand: 'Kari' },
  ]);
  await settle(world, owner, account, [
    line('A-1', '01-10', 'ItemPrice', 'Principal', '1749.30', 70),
    line('A-1', '01-10', 'Promotion', 'Principal', '-35.00'),
    line('A-1', '01-10', 'ItemFees', 'Commission', '-257.15'),
    line('A-1', '01-10', 'ItemFees', 'FBAPerUnitFulfillmentFee', '-441.70'),
    line('A-2', '02-03', 'ItemPrice', 'Principal', '199.98', 2),
    line('B-1', '02-04', 'ItemPrice', 'Principal', '80.01', 3),
    line('C-1', '02-05', 'ItemPrice', 'Principal', '10.00', 1),
    shop('01-12', 'Storage Fee', '-22.40'),
    shop('02-12', 'Storage Fee', '-33.33'),
    shop('02-12', 'Subscription Fee', '-39.99'),
  ]);
  const canada = { ...line('A-1', '02-06', 'ItemPrice', 'Principal', '50.00', 1), marketplaceName: 'Amazon.ca' };
  await settle(world, owner, account, [canada], { id: '25000000001', currency: 'CAD', marketplaceId: CA });
  await world.as(owner, async (ctx) => {
    for (const [currency, month, rate] of [
      ['USD', '2026-01-01', '7.1234'],
      ['USD', '2026-02-01', '7.0011'],
      ['CAD', '2026-02-01', '5.1007'],
    ] as const) {
      await sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, ${currency}, ${month}::date, ${rate}::numeric, '测试')`.execute(ctx.db);
    }
  });
  await owner.call(saveCost, { body: { sku: 'A-1', unitCost: '27.7129' } });
  await fold(world, owner);
});
afterAll(() => world.close());

const names = (rows: readonly ProfitRow[]) => rows.map((row) => row.name ?? row.product?.code).toSorted();

describe('profit by what SKUs belong to', () => {
  it('names every row, and what belongs to nothing', async () => {
    const of = async (dimension: Dimension) => names((await report(dimension)).records);
    expect(await of('asin')).toEqual(['B0A1', 'B0A2', 'B0B1', '没有ASIN']);
    expect(await of('parent')).toEqual(['B0B1', 'B0FAMILY', '没有ASIN']);
    expect(await of('brand')).toEqual(['Kari', 'Nuvia', '未设置品牌']);
    expect(await of('category')).toEqual(['未设置品类', '水杯']);
    expect(await of('owner')).toHaveLength(2);
    expect((await report('month')).records.map(({ month }) => month)).toEqual(['2026-02', '2026-01']);
    const { records } = await report('parent', { stores: [`${US}-${account.id}`] });
    expect(records.find(({ goods }) => goods === 'B0FAMILY')).toMatchObject({ units: 72, currency: 'CNY' });
  });

  it.each(Object.keys(DIMENSIONS) as Dimension[])('adds up to the same over %s', async (dimension) => {
    for (const currency of ['CNY', 'ORIGINAL'] as const) {
      const { records, totals, total } = await report(dimension, { currency });
      expect(records).toHaveLength(total);
      const whole = (await report('sku', { currency })).totals;
      for (const key of [...FIGURE_KEYS, 'platformNet', 'cogs', 'profit'] as const) {
        if (currency === 'CNY')
          expect([key, added(records.map((row) => row[key]))]).toEqual([key, added([totals?.[key]])]);
        expect([key, added([totals?.[key]])]).toEqual([key, added([whole?.[key]])]);
      }
      expect(records.reduce((sum, { units }) => sum + units, 0)).toBe(77);
    }
  });

  it.each(Object.keys(DIMENSIONS) as Dimension[])(
    'opens each amount of a row by %s to lines that add up to it',
    async (dimension) => {
      const filter = { date, dimension, currency: 'ORIGINAL' as const };
      const { records } = await owner.call(listProfit, { body: { pagesize: 100, filter } });
      for (const row of records) {
        for (const figure of ['sales', 'commission', 'storageShare', 'cogs'] as const) {
          const { sku, storeKey, day, currency } = row;
          const asked = { ...rowFilter(filter, row), sku, storeKey, day, rowCurrency: currency, figure };
          const { proof, shares } = await owner.call(drillProfit, { body: { filter: asked } });
          const about = [dimension, row.id, figure];
          expect([...about, ...proof.map(({ gap }) => Number(gap))]).toEqual([...about, ...proof.map(() => 0)]);
          if (figure === 'sales')
            expect([...about, added(proof.map((one) => one.figure))]).toEqual([...about, added([row.sales])]);
          if (figure === 'storageShare')
            expect([...about, added(shares.map(({ part }) => part))]).toEqual([...about, added([row.storageShare])]);
        }
        const { points } = await owner.call(trendProfit, {
          body: { filter: { ...rowFilter(filter, row), currency: 'CNY' } },
        });
        expect(points.length).toBeGreaterThan(0);
      }
    },
  );

  it('is exported with the name of its dimension', async () => {
    const body = { filter: { date, dimension: 'brand' as const, currency: 'CNY' as const }, format: 'csv' as const };
    const text = (await owner.send(exportProfit, { body: { ...body, columns: ['name', 'sales'] } })).raw.toString(
      'utf8',
    );
    expect(text.replace(/^\uFEFF/, '').split('\r\n')[0]).toBe('品牌,销售额');
    expect(text).toContain('Nuvia,');
  });
});

describe('店铺利润', () => {
  it('has a row for every store with its part of the whole', async () => {
    const { records, totals } = await owner.call(listGroup, { body: { filter: { date, currency: 'CNY' } } });
    expect(records.map(({ store }) => store?.country)).toEqual(['US', 'CA']);
    expect(added(records.map(({ salesShare }) => salesShare))).toBe('1.00');
    // 50 CAD at 5.1007
    expect(records[1]).toMatchObject({ sales: '255.035', platformNet: '255.035', other: '0' });
    expect(added(records.map(({ profit }) => profit))).toBe(added([totals?.profit]));
    // Subscription of February, at its rate.
    expect(added([records[0]?.other])).toBe(new Decimal('-39.99').times('7.0011').toFixed(2));
  });

  it('adds its months up to the whole, every line of them', async () => {
    const found = await owner.call(monthlyGroup, { body: { filter: { date, currency: 'CNY' } } });
    expect(found).toMatchObject({ currency: 'CNY', converted: true, months: ['2026-01', '2026-02'], partial: false });
    const [january] = found.rows;
    const of = (key: Parameters<typeof amountOf>[1]) => january && added([amountOf(january, key)]);
    const yuan = (usd: string) => new Decimal(usd).times('7.1234').toFixed(2);
    expect([of('sales'), of('income')]).toEqual([yuan('1749.30'), yuan('1714.30')]);
    expect([of('storage'), of('spent'), of('net')]).toEqual([yuan('-22.40'), yuan('-721.25'), yuan('993.05')]);
    // 70 pieces at 27.7129 CNY, never converted.
    expect([of('cogs'), of('profit')]).toEqual([
      '-1939.90',
      new Decimal('993.05').times('7.1234').minus('1939.903').toFixed(2),
    ]);
    for (const key of ['income', 'spent', 'net', 'cogs', 'profit'] as const) {
      const { whole } = found;
      if (!whole) throw new Error('no whole');
      expect([key, added(found.rows.map((row) => amountOf(row, key)))]).toEqual([key, added([amountOf(whole, key)])]);
    }
    const long = { from: '2024-01-01', to: '2026-02-28' };
    expect((await owner.send(monthlyGroup, { body: { filter: { date: long } } })).data).toMatchObject({
      code: 'B0612',
    });
  });

  it('is exported as it is seen', async () => {
    const csv = async (view: 'store' | 'monthly') =>
      (
        await owner.send(exportGroup, { body: { filter: { view, date, currency: 'CNY' }, format: 'csv' } })
      ).raw.toString('utf8');
    const [head, ...lines] = (await csv('monthly'))
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n');
    expect(head).toBe('项目,2026-01,2026-02,合计');
    expect(lines.map((text) => text.split(',')[0])).toContain('毛利率（%）');
    expect(await csv('store')).toContain('销售占比');
  });

  it('says who brings the profit, up to the whole', async () => {
    const { records, totals } = await report('sku');
    const parts = contributionOf(records.slice(0, 1), 'profit', String(totals?.profit));
    expect(parts.map(({ name }) => name)).toEqual([records[0]?.sku, '其余']);
    expect(added(parts.map(({ amount }) => amount))).toBe(added([totals?.profit]));
    expect(Number(parts[1]?.reached)).toBe(1);
  });
});

describe('who may see it', () => {
  it('costs need a right of their own; other companies see nothing', async () => {
    const viewer = await world.member(owner, ['fin:profit:view', 'fin:profit:export']);
    const { records } = await viewer.call(listGroup, { body: { filter: { date } } });
    for (const key of ['cogs', 'profit', 'profitShare', 'margin'])
      expect(Object.keys(records[0] ?? {})).not.toContain(key);
    expect(records[0]).toHaveProperty('salesShare');
    const months = await viewer.call(monthlyGroup, { body: { filter: { date } } });
    expect(Object.keys(months.whole ?? {})).not.toContain('profit');
    const file = await viewer.send(exportGroup, { body: { filter: { view: 'monthly', date }, format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('平台净额');
    expect(file.raw.toString('utf8')).not.toMatch(/采购成本|毛利/);
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listGroup, { body: { filter: { date } } })).total).toBe(0);
    expect((await outsider.call(monthlyGroup, { body: { filter: { date } } })).rows).toEqual([]);
    const goods = { by: 'parent' as const, key: 'B0FAMILY' };
    expect((await outsider.call(listProfit, { body: { filter: { date, goods } } })).total).toBe(0);
    const nobody = await world.member(owner, ['fin:settlement:view']);
    expect((await nobody.send(monthlyGroup, { body: {} })).status).toBe(403);
  });

  it('who has the data rights of one store sees its part only, as stores, months and brands', async () => {
    const boss = await world.owner('两个店铺的公司');
    const [first, second] = [await makeAccount(world, boss), await makeAccount(world, boss)];
    await settle(world, boss, first, [line('S-1', '01-10', 'ItemPrice', 'Principal', '100.00', 1)]);
    const more = [line('S-2', '01-10', 'ItemPrice', 'Principal', '40.00', 1)];
    await settle(world, boss, second, more, { id: '25000000009' });
    await fold(world, boss);
    const request = { currentpage: 1, pagesize: 20, filter: { date } };
    const seen = { store: null, account: [second.id] };
    const answers = (scope?: DataScope) =>
      world.as(boss, ({ runtime, ...ctx }) =>
        inTenant(runtime, { ...ctx, permissions: undefined, dataScope: scope }, async (inner) => ({
          stores: (await groupPage(inner, request)).totals?.sales,
          month: (await monthlyOf(inner, request.filter)).whole?.sales,
          brand: (await profitPage(inner, { ...request, filter: { date, dimension: 'brand' } })).totals?.sales,
        })),
      );
    expect(await answers()).toEqual({ stores: '140', month: '140', brand: '140' });
    expect(await answers({ read: seen, write: seen })).toEqual({ stores: '40', month: '40', brand: '40' });
  });
});
