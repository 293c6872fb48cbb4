import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { CA, type FileLine, makeAccount, settle } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { ALL_GROUPS } from '../contract/figures.ts';
import { monthlyGroup } from '../contract/group.ts';
import { listLateMoney } from '../contract/late.ts';
import { closeProfitMonth, listProfitMonths, reopenProfitMonth } from '../contract/period.ts';
import { type Basis, drillProfit, listProfit, totalProfit } from '../contract/report.ts';
import { closeMonth } from '../server/period.ts';
import { fold, ledgerMoney, rollupMoney } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** "yyyy-MM" of the month so many before this one. */
const monthBefore = (count: number): string => {
  const first = new Date(`${world.clock.today().slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - count);
  return first.toISOString().slice(0, 7);
};

const sale = (month: string, day: string, sku: string, amount: string, description = 'Principal'): FileLine => ({
  orderId: '113-1111111-1111111',
  marketplaceName: 'Amazon.com',
  postedAt: `${month}-${day}T20:00:00Z`,
  sku,
  amountType: description === 'Principal' ? 'ItemPrice' : 'ItemFees',
  amountDescription: description,
  amount,
  quantity: 1,
});
const shop = (month: string, day: string, amount: string): FileLine => ({
  transactionType: 'other-transaction',
  amountType: 'other-transaction',
  amountDescription: 'Storage Fee',
  amount,
  postedAt: `${month}-${day}T20:00:00Z`,
});

async function fresh(months: readonly string[]) {
  owner = await world.owner();
  account = await makeAccount(world, owner);
  await world.as(owner, async (ctx) => {
    for (const month of months) {
      await sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, 'USD', ${`${month}-01`}::date, 7, '测试')`.execute(ctx.db);
    }
  });
}

const spanOf = (month: string) => ({ from: `${month}-01`, to: `${month}-28` });

let files = 0;
/** A settlement of its own. */
const paid = (lines: readonly FileLine[]) =>
  settle(world, owner, account, lines, { id: String(15_000_000_000 + files++) });

/** What the report says of a month, USD. */
async function netOf(month: string, basis: Basis): Promise<string | null | undefined> {
  const { records } = await owner.call(listProfit, {
    body: { filter: { date: spanOf(month), dimension: 'month', currency: 'ORIGINAL', basis } },
  });
  return records[0]?.platformNet;
}

const close = async (month: string) => {
  const row = (await owner.call(listProfitMonths, {})).find((one) => one.month === month);
  return owner.call(closeProfitMonth, { body: { month, version: row?.version ?? 0 } });
};
const reopen = async (month: string, reason = '补录成本') => {
  const row = (await owner.call(listProfitMonths, {})).find((one) => one.month === month);
  return owner.call(reopenProfitMonth, { body: { month, version: row?.version ?? 0, reason } });
};

describe('worked example E12: a line that comes after its month was closed', () => {
  it('is booked in the next month, and belongs to its own', async () => {
    const [september, october] = [monthBefore(2), monthBefore(1)];
    await fresh([september, october]);
    await paid([sale(september, '10', 'A', '100.00'), sale(september, '11', 'B', '50.00')]);
    await paid([sale(october, '05', 'A', '40.00')]);
    await fold(world, owner);
    await close(september);
    await paid([sale(september, '27', 'A', '-15.00', 'Commission')]);
    await fold(world, owner);

    expect(await netOf(september, 'BOOKED')).toBe('150');
    expect(await netOf(october, 'BOOKED')).toBe('25');
    expect(await netOf(september, 'BELONG')).toBe('135');
    expect(await netOf(october, 'BELONG')).toBe('40');

    const filter = { date: spanOf(october), currency: 'ORIGINAL' as const };
    const total = await owner.call(totalProfit, { body: { filter } });
    expect(total.quality.late).toBe('-15');
    const months = await owner.call(listProfitMonths, {});
    expect(months.find(({ month }) => month === september)).toMatchObject({
      state: 'CLOSED',
      late: '-105',
      profit: '1050',
    });
    const { months: shown, rows } = await owner.call(monthlyGroup, {
      body: { filter: { date: { from: `${september}-01`, to: `${october}-28` }, currency: 'ORIGINAL' } },
    });
    expect(shown).toEqual([september, october]);
    expect(rows.map(({ platformNet }) => platformNet)).toEqual(['150', '25']);

    const { proof } = await owner.call(drillProfit, {
      body: { filter: { ...filter, figure: 'commission', sku: null, storeKey: null, day: null, rowCurrency: null } },
    });
    expect(proof).toMatchObject([{ figure: '-15.0000', lines: '0', late: '-15', gap: '0' }]);

    const { records, total: late } = await owner.call(listLateMoney, { body: { filter: { month: september } } });
    expect(late).toBe(1);
    expect(records).toMatchObject([
      { day: `${september}-27`, sku: 'A', title: '佣金', month: october, amount: '-15', currency: 'USD' },
    ]);

    await close(october);
    await paid([sale(september, '28', 'B', '-1.00', 'Commission')]);
    await fold(world, owner);
    expect([await netOf(september, 'BOOKED'), await netOf(october, 'BOOKED')]).toEqual(['150', '25']);
    expect(await netOf(monthBefore(0), 'BOOKED')).toBe('-1');

    await expect(reopen(september)).rejects.toThrow(`${october} 已关账，请先反关账较晚的月份`);
    await reopen(october);
    await fold(world, owner);
    expect([await netOf(october, 'BOOKED'), await netOf(monthBefore(0), 'BOOKED')]).toEqual(['24', undefined]);
    await reopen(september);
    await fold(world, owner);
    expect([await netOf(september, 'BOOKED'), await netOf(october, 'BOOKED')]).toEqual(['134', '40']);
  });

  it('is shared over the SKUs of its own month where it names none, and a cost that changes comes late as well', async () => {
    const [september, october] = [monthBefore(2), monthBefore(1)];
    await fresh([september, october]);
    await paid([sale(september, '10', 'A', '75.00'), sale(september, '11', 'B', '25.00')]);
    await fold(world, owner);
    await close(september);
    await paid([shop(september, '12', '-8.00')]);
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '14', validFrom: `${september}-01` } });
    await fold(world, owner);
    const { records } = await owner.call(listProfit, {
      body: { filter: { date: spanOf(october), dimension: 'sku', currency: 'ORIGINAL' }, sort: 'sku', order: 'asc' },
    });
    expect(records.map(({ sku, storageShare, cogs, profit }) => [sku, storageShare, cogs, profit])).toEqual([
      ['A', '-6', '-2', '-8'],
      ['B', '-2', '0', '-2'],
    ]);
    expect(await netOf(september, 'BOOKED')).toBe('100');
    const { proof } = await owner.call(drillProfit, {
      body: {
        filter: { date: spanOf(october), figure: 'cogs', sku: null, storeKey: null, day: null, rowCurrency: null },
      },
    });
    expect(proof).toMatchObject([{ figure: '-14', lines: '0', late: '-14', gap: '0' }]);
  });

  it('has the change of a known cost in the open month, and says which pieces cost nothing yet', async () => {
    const [september, october] = [monthBefore(2), monthBefore(1)];
    await fresh([september, october]);
    await paid([sale(september, '10', 'A', '100.00'), sale(september, '11', 'B', '50.00')]);
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '7', validFrom: `${september}-01` } });
    await fold(world, owner);
    await close(september);
    await owner.call(saveCost, { body: { sku: 'A', unitCost: '14', validFrom: `${september}-01` } });
    await owner.call(saveCost, { body: { sku: 'B', unitCost: '21', validFrom: `${september}-01` } });
    await fold(world, owner);
    const of = async (month: string, basis: Basis) => {
      const filter = { date: spanOf(month), currency: 'ORIGINAL' as const, basis };
      const { records } = await owner.call(listProfit, {
        body: { filter: { ...filter, dimension: 'sku' }, sort: 'sku', order: 'asc' },
      });
      const { quality } = await owner.call(totalProfit, { body: { filter } });
      return {
        rows: records.map(({ sku, units, cogs, profit, costMissing }) => [sku, units, cogs, profit, costMissing]),
        missing: quality.missingCostSkus,
        settled: quality.settledShare,
      };
    };
    expect(await of(september, 'BOOKED')).toEqual({
      rows: [
        ['A', 1, '-1', '99', 0],
        ['B', 1, null, '50', 1],
      ],
      missing: 1,
      settled: '1',
    });
    expect(await of(october, 'BOOKED')).toEqual({
      rows: [
        ['A', 0, '-1', '-1', 0],
        ['B', 0, '-3', '-3', 0],
      ],
      missing: 0,
      settled: null,
    });
    expect(await of(september, 'BELONG')).toEqual({
      rows: [
        ['A', 1, '-2', '98', 0],
        ['B', 1, '-3', '47', 0],
      ],
      missing: 0,
      settled: '1',
    });
    const lateOf = async (who: Person) =>
      (
        await who.call(listLateMoney, { body: { filter: { month: september }, sort: 'amount', order: 'asc' } })
      ).records.map(({ sku, figure, amount, currency }) => [sku, figure, amount, currency]);
    expect(await lateOf(owner)).toEqual([
      ['B', 'cogs', '-21', 'CNY'],
      ['A', 'cogs', '-7', 'CNY'],
    ]);
    expect(await lateOf(await world.member(owner, ['fin:profit:view']))).toEqual([]);
    const { costs } = await owner.call(drillProfit, {
      body: {
        filter: { date: spanOf(october), figure: 'cogs', sku: 'A', storeKey: null, day: null, rowCurrency: null },
      },
    });
    expect(costs).toMatchObject([{ day: `${september}-10`, units: 0, unitCost: null, amount: '-7' }]);
  });
});

describe('a month', () => {
  it('keeps the rates of all currencies that it may be looked at in', async () => {
    const september = monthBefore(2);
    await fresh([september]);
    const dollar = (value: number) =>
      world.as(owner, (ctx) =>
        sql`UPDATE finance.month_rate SET rate = ${value}::numeric WHERE company_id = ${ctx.companyId}
             AND currency = 'USD'`.execute(ctx.db),
      );
    await world.as(owner, (ctx) =>
      sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
          VALUES (${ctx.companyId}, 'CAD', ${`${september}-01`}::date, 7, '测试')`.execute(ctx.db),
    );
    const sales = async () =>
      (await owner.call(totalProfit, { body: { filter: { date: spanOf(september), currency: 'USD' } } })).current.sales;
    const canada = { ...sale(september, '10', 'A', '100.00'), marketplaceName: 'Amazon.ca' };
    await settle(world, owner, account, [canada], { id: '25000000001', currency: 'CAD', marketplaceId: CA });
    await fold(world, owner);
    expect(await sales()).toBe('100');
    await close(september);
    await dollar(14);
    expect(await sales()).toBe('100');
    await reopen(september);
    await fold(world, owner);
    expect(await sales()).toBe('50');
  });

  it('keeps its rates when it is closed, and takes the new ones when it is opened', async () => {
    const september = monthBefore(2);
    await fresh([september]);
    await paid([sale(september, '10', 'A', '100.00')]);
    await fold(world, owner);
    await close(september);
    const cny = async () =>
      (await owner.call(totalProfit, { body: { filter: { date: spanOf(september), currency: 'CNY' } } })).current.sales;
    await world.as(owner, (ctx) =>
      sql`UPDATE finance.month_rate SET rate = 8 WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
    expect(await cny()).toBe('700');
    await reopen(september);
    expect(await cny()).toBe('800');
  });

  it('closes only when it is over, counted and has its rates, with those before it, as it was seen', async () => {
    const [august, september] = [monthBefore(3), monthBefore(2)];
    await fresh([september]);
    await paid([sale(august, '10', 'A', '1.00'), sale(september, '10', 'A', '100.00')]);
    await expect(close(monthBefore(0))).rejects.toThrow('在部分站点尚未结束');
    await expect(close(september)).rejects.toThrow('个店铺日等待计算，请稍后再关账');
    await fold(world, owner);
    await expect(close(september)).rejects.toThrow(`缺少 USD ${august} 汇率，不能关账`);
    await world.as(owner, (ctx) =>
      sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
          VALUES (${ctx.companyId}, 'USD', ${`${august}-01`}::date, 7, '测试')`.execute(ctx.db),
    );
    await expect(owner.call(closeProfitMonth, { body: { month: september, version: 3 } })).rejects.toThrow('409');
    await close(september);
    const states = await owner.call(listProfitMonths, {});
    expect(states.filter(({ state }) => state === 'CLOSED').map(({ month }) => month)).toEqual([september, august]);
    await expect(close(september)).rejects.toThrow(`${september} 已关账`);
    await expect(reopen(monthBefore(1))).rejects.toThrow('没有关账');
    await expect(reopen(september, ' ')).rejects.toThrow('原因不能为空');
  });

  it('is the company’s alone, and a member without the right closes none', async () => {
    const september = monthBefore(2);
    await fresh([september]);
    await paid([sale(september, '10', 'A', '100.00')]);
    await fold(world, owner);
    const other = await world.owner();
    await other.call(closeProfitMonth, { body: { month: september, version: 0 } });
    await paid([sale(september, '11', 'A', '1.00')]);
    await fold(world, owner);
    expect(await netOf(september, 'BOOKED')).toBe('101');
    const clerk = await world.member(owner, ['fin:profit:view']);
    await expect(clerk.call(closeProfitMonth, { body: { month: september, version: 0 } })).rejects.toThrow('403');
  });

  it('that is closed while its money is counted has all of it or waits for it', async () => {
    const september = monthBefore(2);
    await fresh([september]);
    await paid([sale(september, '10', 'A', '100.00')]);
    const [, closed] = await Promise.allSettled([
      fold(world, owner),
      world.as(owner, (ctx) => closeMonth(ctx, { month: september, version: 0 })),
    ]);
    if (closed?.status === 'rejected') expect(String(closed.reason)).toContain('等待计算');
    await fold(world, owner);
    expect(await netOf(september, 'BOOKED')).toBe('100');
    expect(await netOf(september, 'BELONG')).toBe('100');
  });
});

describe('whatever comes late, in whatever order', () => {
  it('closed months never move, and all months together are what the money lines say', async () => {
    const months = [monthBefore(4), monthBefore(3), monthBefore(2)];
    const all = ALL_GROUPS.join(' + ');
    /** Money booked in the closed months. */
    const booked = () =>
      world.as(owner, async (ctx) => {
        const { rows } = await sql<{ row: string }>`
          SELECT concat_ws(' ', date_trunc('month', booked_date)::date, scope, date, sku, ${sql.raw(all)}, cost_cny, units) AS row
            FROM profit.profit_daily AS p
           WHERE company_id = ${ctx.companyId} AND EXISTS (
             SELECT FROM profit.period AS c WHERE c.company_id = p.company_id AND c.state = 'CLOSED'
                AND c.month = date_trunc('month', p.booked_date)::date) ORDER BY 1`.execute(ctx.db);
        return rows.map(({ row }) => row);
      });
    const total = (sums: { amount: string }[]) => sums.map(({ amount }) => plainDecimal(amount)).join(' ');
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('money' as const),
        month: fc.nat(2),
        day: fc.integer({ min: 1, max: 28 }),
        sku: fc.constantFrom('A', 'B', ''),
        cents: fc.integer({ min: -9_000, max: 9_000 }),
      }),
      fc.record({
        kind: fc.constant('cost' as const),
        sku: fc.constantFrom('A', 'B'),
        cents: fc.integer({ min: 1, max: 900 }),
      }),
      fc.constant({ kind: 'close' as const }),
      fc.constant({ kind: 'reopen' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        await fresh(months);
        const costs = new Map<string, string>();
        /** SKUs whose cost over all months is not pieces by the cost that holds. */
        const miscounted = () =>
          world.as(owner, async (ctx) => {
            const { rows } = await sql<{ sku: string; units: number; cost: string }>`
              SELECT sku, sum(units)::int AS units, sum(cost_cny)::text AS cost FROM profit.profit_daily
               WHERE company_id = ${ctx.companyId} AND scope = 'DIRECT' GROUP BY sku`.execute(ctx.db);
            return rows.filter(({ sku, units, cost }) => !new Decimal(costs.get(sku) ?? '0').times(units).eq(cost));
          });
        let closed = 0;
        let kept: string[] = [];
        for (const one of steps) {
          if (one.kind === 'money') {
            const amount = new Decimal(one.cents || 1).div(100).toFixed(2);
            const [month = '', day] = [months[one.month], String(one.day).padStart(2, '0')];
            await paid([one.sku ? sale(month, day, one.sku, amount) : shop(month, day, amount)]);
          }
          if (one.kind === 'cost') {
            const unitCost = new Decimal(one.cents).div(100).toFixed(2);
            await owner.call(saveCost, { body: { sku: one.sku, unitCost, validFrom: `${months[0]}-01` } });
            costs.set(one.sku, unitCost);
          }
          await fold(world, owner);
          if (one.kind === 'close' && closed < 3) await close(months[closed++] ?? '');
          if (one.kind === 'reopen' && closed > 0) await reopen(months[--closed] ?? '').then(() => fold(world, owner));
          const now = await booked();
          if (one.kind === 'money' || one.kind === 'cost') expect(now).toEqual(kept);
          kept = now;
          expect(total(await rollupMoney(world, owner))).toBe(total(await ledgerMoney(world, owner)));
          expect(await miscounted()).toEqual([]);
        }
        while (closed > 0) await reopen(months[--closed] ?? '').then(() => fold(world, owner));
        const late = await world.as(owner, (ctx) =>
          sql`SELECT FROM profit.profit_daily WHERE company_id = ${ctx.companyId} AND late_month > '0001-01-01'`.execute(
            ctx.db,
          ),
        );
        expect(late.rows).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});
