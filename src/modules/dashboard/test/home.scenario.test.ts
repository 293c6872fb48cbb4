import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import type { Person, World } from '#test/support/world.ts';
import * as home from '../contract.ts';
import { JP, makeAccount, type Sale, sell, US, worldAt } from './support.ts';

// 10:20 on 18 July in Los Angeles, already 02:20 of the 19th in Tokyo.
const NOW = '2026-07-18T17:20:00Z';

let world: World;
let close: () => Promise<void>;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  const made = await worldAt(NOW);
  ({ world, close } = made);
  owner = await world.owner();
  account = await makeAccount(world, owner);
});
afterAll(() => close());

/** Units, distinct orders and net sales straight from the orders of marketplace days. */
const raw = (person: Person, from: string, to: string, where = 'true') =>
  world.as(person, async (ctx) => {
    const { rows } = await sql<{ units: number; orders: number; net: string }>`
      SELECT coalesce(sum(l.quantity), 0)::int AS units, count(DISTINCT l.amazon_order_id)::int AS orders,
             coalesce(sum(l.item_price - coalesce(l.item_discount, 0)), 0) AS net
        FROM "order".amazon_order_line l JOIN "order".amazon_order o USING (company_id, selling_partner_id, amazon_order_id)
       WHERE l.company_id = ${ctx.companyId} AND o.status <> 'CANCELLED' AND l.quantity > 0
         AND l.local_date BETWEEN ${from}::date AND ${to}::date AND ${sql.raw(where)}`.execute(ctx.db);
    return rows[0] ?? { units: 0, orders: 0, net: '0' };
  });

describe('before the first store', () => {
  it('names the steps, and every card answers with nothing', async () => {
    const newcomer = await world.owner();
    const body = {};
    expect(await newcomer.call(home.setup, { body })).toMatchObject({
      accounts: [],
      authorised: false,
      synced: false,
      costed: false,
      hasData: false,
    });
    for (const endpoint of [
      home.kpi,
      home.salesChart,
      home.marketPie,
      home.stock,
      home.settlement,
      home.sync,
      home.compare,
      home.topGoods,
    ])
      expect((await newcomer.send(endpoint, { body })).code, endpoint.path).toBe(201);
    expect((await newcomer.call(home.kpi, { body })).units).toMatchObject({ value: 0, previous: 0, change: null });
  });
});

describe('worked example E5: today is compared with the same time of other days', () => {
  beforeAll(async () => {
    await sell(world, owner, account, [
      { at: '2026-07-18T16:00:00Z', units: 84 },
      // in the half hour that is still running
      { at: '2026-07-18T17:10:00Z', units: 6 },
      { at: '2026-07-17T16:59:59Z', units: 70 },
      { at: '2026-07-17T17:00:00Z', units: 170 },
      { at: '2026-07-11T15:00:00Z', units: 80 },
    ]);
  });

  it('on the card of comparisons', async () => {
    const card = await owner.call(home.compare, { body: {} });
    expect(card).toMatchObject({
      today: { units: 84, orders: 1 },
      yesterday: { units: 70 },
      lastWeek: { units: 80 },
      yesterdayAll: { units: 240, orders: 2 },
      vsYesterday: '0.2',
      vsLastWeek: '0.05',
    });
    expect(card.sites).toEqual([
      { marketplaceId: US, country: 'US', until: '10:00', today: 84, yesterday: 70, change: '0.2' },
    ]);
  });

  it('in the strip, which shows all of today but compares what is comparable', async () => {
    const { units, unfinished, range } = await owner.call(home.kpi, { body: { filter: { period: 'today' } } });
    expect(unfinished).toBe(true);
    expect(range).toEqual({
      from: '2026-07-18',
      to: '2026-07-18',
      previousFrom: '2026-07-17',
      previousTo: '2026-07-17',
      days: 1,
    });
    expect(units).toMatchObject({ value: 90, previous: 70, change: '0.2' });
    expect(units.spark[18]).toBe(84);
  });

  it('in the curve of half hours, which ends where the site stands', async () => {
    const chart = await owner.call(home.salesChart, { body: { filter: { period: 'today', marketplaceIds: [US] } } });
    expect(chart.grain).toBe('slot');
    expect(chart.labels).toHaveLength(48);
    expect(chart.units.slice(17, 22)).toEqual([0, 84, 0, null, null]);
    expect(chart.previousUnits.slice(18, 22)).toEqual([0, 70, 170, 0]);
  });
});

describe('figures of a period', () => {
  const sales: Sale[] = [];
  beforeAll(async () => {
    for (let day = 1; day <= 17; day += 1)
      for (const [index, sku] of ['A', 'B', 'C'].entries())
        sales.push({
          at: `2026-07-${String(day).padStart(2, '0')}T${String(4 + index * 7).padStart(2, '0')}:30:00Z`,
          units: ((day * (index + 2)) % 5) + 1,
          sku,
          marketplaceId: index === 2 ? JP : US,
          price: index === 2 ? '3200' : '59.97',
          ...(index === 0 ? { discount: '5.00' } : {}),
          ...(day % 6 === 0 ? { status: 'CANCELLED' as const } : {}),
        });
    await sell(world, owner, account, sales);
  });

  it('equal plain SQL over the orders, seven days that end with yesterday', async () => {
    const { units, orders, range } = await owner.call(home.kpi, { body: { filter: { period: 'd7' } } });
    expect(range).toEqual({
      from: '2026-07-11',
      to: '2026-07-17',
      previousFrom: '2026-07-04',
      previousTo: '2026-07-10',
      days: 7,
    });
    const now = await raw(owner, '2026-07-11', '2026-07-17');
    const before = await raw(owner, '2026-07-04', '2026-07-10');
    expect(now.units).toBeGreaterThan(300);
    expect(units).toMatchObject({ value: now.units, previous: before.units });
    expect(orders).toMatchObject({ value: now.orders, previous: before.orders });
    expect(Number(units.change)).toBeCloseTo((now.units - before.units) / before.units, 8);
    expect(units.spark.reduce((a, b) => a + b, 0)).toBe(now.units);
  });

  it('stay in their own currency where there is one', async () => {
    const filter = { period: 'd7' as const, marketplaceIds: [US] };
    const { netSales } = await owner.call(home.kpi, { body: { filter } });
    const { net } = await raw(owner, '2026-07-11', '2026-07-17', `l.marketplace_id = '${US}'`);
    expect(netSales).toMatchObject({ currency: 'USD', converted: false, missingRates: [] });
    expect(plainDecimal(netSales?.value ?? '')).toBe(plainDecimal(net));
  });

  it('are converted with the rates of their month where there are several, and say when one is missing', async () => {
    const filter = { period: 'd7' as const };
    expect((await owner.call(home.kpi, { body: { filter } })).netSales?.presetRates).toEqual([
      'JPY 2026-07',
      'USD 2026-07',
    ]);
    await world.as(owner, (ctx) =>
      ctx.db
        .insertInto('finance.month_rate')
        .values([
          { company_id: ctx.companyId, currency: 'JPY', month: '2026-07-01', rate: '0.0465', updated_by_name: '测试' },
          { company_id: ctx.companyId, currency: 'USD', month: '2026-07-01', rate: '7.1034', updated_by_name: '测试' },
        ])
        .execute(),
    );
    const { netSales } = await owner.call(home.kpi, { body: { filter } });
    const usd = await raw(owner, '2026-07-11', '2026-07-17', `l.marketplace_id = '${US}'`);
    const jpy = await raw(owner, '2026-07-11', '2026-07-17', `l.marketplace_id = '${JP}'`);
    expect(netSales).toMatchObject({ currency: 'CNY', converted: true, missingRates: [], presetRates: [] });
    const converted = new Decimal(usd.net).times('7.1034').plus(new Decimal(jpy.net).times('0.0465'));
    expect(new Decimal(netSales?.value ?? 0).toFixed(3)).toBe(converted.toFixed(3));
  });

  it('add up over sites and over days', async () => {
    const filter = { period: 'd7' as const };
    const { units } = await owner.call(home.kpi, { body: { filter } });
    const pie = await owner.call(home.marketPie, { body: { filter } });
    expect(pie.units).toBe(units.value);
    expect(pie.markets.map((one) => one.country)).toEqual(['US', 'JP']);
    const chart = await owner.call(home.salesChart, { body: { filter } });
    expect(chart.labels.at(-1)).toBe('2026-07-18');
    expect(chart.unfinished).toBe(1);
    expect(chart.units.slice(0, 7).reduce<number>((a, b) => a + (b ?? 0), 0)).toBe(units.value);
    expect(chart.units.at(-1)).toBe((await raw(owner, '2026-07-18', '2026-07-18')).units);
    expect(chart.previousUnits.slice(0, 7).reduce((a, b) => a + b, 0)).toBe(units.previous);
  });

  it('move with the clock: half an hour before midnight there is the next day in Beijing', async () => {
    const ask = async (zone: 'site' | 'beijing', from: string) =>
      (
        await owner.call(home.kpi, {
          body: { filter: { period: 'custom', dates: { from, to: from }, zone, marketplaceIds: [US] } },
        })
      ).units.value;
    // 2026-07-16T21:30Z … in Los Angeles the 16th, in Beijing the 17th
    expect(await ask('site', '2026-07-05')).toBe(
      (await raw(owner, '2026-07-05', '2026-07-05', `l.marketplace_id = '${US}'`)).units,
    );
    const beijing = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ n: number }>`SELECT coalesce(sum(l.quantity), 0)::int AS n
        FROM "order".amazon_order_line l JOIN "order".amazon_order o USING (company_id, selling_partner_id, amazon_order_id)
       WHERE l.company_id = ${ctx.companyId} AND o.status <> 'CANCELLED' AND l.marketplace_id = ${US}
         AND (l.purchased_at AT TIME ZONE 'Asia/Shanghai')::date = '2026-07-05'`.execute(ctx.db);
      return rows[0]?.n;
    });
    expect(await ask('beijing', '2026-07-05')).toBe(beijing);
    expect(beijing).not.toBe(await ask('site', '2026-07-05'));
  });

  it('rank SKUs by units, sales, growth and decline', async () => {
    const filter = { period: 'd7' as const };
    const rank = async (by: home.Ranking) => (await owner.call(home.topGoods, { body: { filter, by } })).rows;
    const units = await rank('units');
    expect(units.map((row) => row.product.code)).toContain('C');
    expect(units.map((row) => row.units)).toEqual(units.map((row) => row.units).sort((a, b) => b - a));
    const a = await raw(owner, '2026-07-11', '2026-07-17', "l.seller_sku = 'A'");
    expect(units[0]).toMatchObject({ units: a.units, currency: 'USD', store: { name: '启航', country: 'US' } });
    expect(plainDecimal(units[0]?.netSales ?? '')).toBe(plainDecimal(a.net));
    for (const row of await rank('growth')) expect(row.units).toBeGreaterThan(row.previous);
    for (const row of await rank('decline')) expect(row.units).toBeLessThan(row.previous);
    expect((await rank('sales'))[0]?.product.code).toBe('A');
  });
});

describe('who may see what', () => {
  it('refuses without the permission', async () => {
    const member = await world.member(owner, ['amz:order:view']);
    expect(await member.send(home.kpi, { body: {} })).toMatchObject({ status: 403 });
  });

  it('keeps money, stock and settlements from those who may not see them elsewhere', async () => {
    const member = await world.member(owner, ['dash:home:view']);
    const filter = { period: 'd7' as const };
    const card = await member.call(home.kpi, { body: { filter } });
    expect(card.netSales).toBeNull();
    expect(card.units.value).toBeGreaterThan(0);
    expect((await member.call(home.topGoods, { body: { filter } })).rows[0]?.netSales).toBeNull();
    expect(await member.call(home.settlement, { body: {} })).toBeNull();
    expect(await member.call(home.stock, { body: {} })).toBeNull();
  });

  it('shows nothing of another company, whatever ids are sent', async () => {
    const stranger = await world.owner();
    const filter = { accountIds: [account.id], marketplaceIds: [US], period: 'd30' as const };
    const body = { filter };
    expect((await stranger.call(home.kpi, { body })).units.value).toBe(0);
    expect((await stranger.call(home.topGoods, { body })).rows).toEqual([]);
    expect((await stranger.call(home.sync, { body })).accounts).toEqual([]);
    expect((await stranger.call(home.settlement, { body }))?.recent).toEqual([]);
    expect((await stranger.call(home.setup, { body })).accounts).toEqual([]);
  });

  it('says what is wrong with a range of dates', async () => {
    const dates = { from: '2026-07-02', to: '2026-07-01' };
    const answer = await owner.send(home.kpi, { body: { filter: { period: 'custom', dates } } });
    expect(answer).toMatchObject({ status: 400, msg: expect.stringContaining('结束日期不能早于开始日期') });
  });
});
