import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { saveCost } from '#modules/product/contract.ts';
import { CA, type FileLine, makeAccount, settle } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { type Dimension, listProfit, type ProfitFilter, totalProfit } from '../contract/report.ts';
import { sumMonths } from '../server/months.ts';
import { closeMonth } from '../server/period.ts';
import { fold } from './support.ts';

let world: World;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const BACK = [4, 3, 2, 1, 0];

/** First day of the month so many before this one. */
const firstOf = (count: number): string => {
  const first = new Date(`${world.clock.today().slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - count);
  return first.toISOString().slice(0, 10);
};
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

async function fresh(): Promise<void> {
  owner = await world.owner();
  account = await makeAccount(world, owner);
  await world.as(owner, async (ctx) => {
    for (const back of BACK) {
      await sql`INSERT INTO finance.month_rate (company_id, currency, month, rate, updated_by_name)
        VALUES (${ctx.companyId}, 'USD', ${firstOf(back)}::date, ${7 + back / 8}::numeric, '测试'),
               (${ctx.companyId}, 'CAD', ${firstOf(back)}::date, ${5 + back / 16}::numeric, '测试')`.execute(ctx.db);
    }
  });
}

interface Money {
  back: number;
  day: number;
  sku: string;
  cents: number;
  abroad: boolean;
}

let files = 0;
async function pay({ back, day, sku, cents, abroad }: Money): Promise<void> {
  const postedAt = `${firstOf(back).slice(0, 8)}${String(day).padStart(2, '0')}T20:00:00Z`;
  const amount = new Decimal(cents || 1).div(100).toFixed(2);
  const marketplaceName = abroad ? 'Amazon.ca' : 'Amazon.com';
  const line: FileLine = sku
    ? {
        orderId: '113-1111111-1111111',
        marketplaceName,
        postedAt,
        sku,
        amountType: 'ItemPrice',
        amountDescription: 'Principal',
        amount,
        quantity: 1,
      }
    : {
        transactionType: 'other-transaction',
        amountType: 'other-transaction',
        amountDescription: 'Storage Fee',
        amount,
        postedAt,
      };
  await settle(world, owner, account, [line], {
    id: String(35_000_000_000 + files++),
    ...(abroad ? { currency: 'CAD', marketplaceId: CA } : {}),
  });
}

/** What reports say in every way that may read months: by dimension, basis and currency, over whole months and parts of them. */
async function told(): Promise<unknown> {
  const spans = [
    { from: firstOf(4), to: dayBefore(firstOf(0)) },
    { from: dayBefore(firstOf(3)), to: world.clock.today() },
    { from: `${firstOf(4).slice(0, 8)}12`, to: `${firstOf(1).slice(0, 8)}11` },
  ];
  const found: unknown[] = [];
  for (const date of spans) {
    for (const basis of ['BOOKED', 'BELONG'] as const) {
      const ask = async (dimension: Dimension, currency: NonNullable<ProfitFilter['currency']>) => {
        const filter = { date, basis, dimension, currency };
        const { records, totals } = await owner.call(listProfit, { body: { filter, sort: 'netSales', order: 'desc' } });
        found.push(filter, records.map((row) => JSON.stringify(row)).toSorted(), totals);
      };
      await ask('sku', 'ORIGINAL');
      await ask('store', 'CNY');
      await ask('month', 'USD');
      await ask('parent', 'CNY');
      const { current, quality } = await owner.call(totalProfit, {
        body: { filter: { date, basis, currency: 'CNY' } },
      });
      found.push(current, quality);
    }
  }
  return found;
}

const staleMonths = () =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ month: string }>`
      SELECT DISTINCT month::text AS month FROM profit.month_stale WHERE company_id = ${ctx.companyId} ORDER BY 1`.execute(
      ctx.db,
    );
    return rows.map(({ month }) => month);
  });

const money = fc.record({
  back: fc.constantFrom(...BACK),
  day: fc.integer({ min: 1, max: 20 }),
  sku: fc.constantFrom('A', 'B', 'C', ''),
  cents: fc.integer({ min: -9_000, max: 9_000 }),
  abroad: fc.boolean(),
});

it('a report from months is the report from their days, whatever came late and whatever has moved since', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(money, { minLength: 6, maxLength: 12 }),
      fc.array(money, { minLength: 1, maxLength: 4 }),
      fc.option(fc.constantFrom(4, 3)),
      async (first, later, closed) => {
        await fresh();
        for (const one of first) await pay(one);
        await owner.call(saveCost, { body: { sku: 'A', unitCost: '3.33', validFrom: firstOf(3) } });
        await fold(world, owner);
        if (closed !== null) {
          await world.as(owner, (ctx) => closeMonth(ctx, { month: firstOf(closed).slice(0, 7), version: 0 }));
        }
        for (const one of later) await pay(one);
        await owner.call(saveCost, { body: { sku: 'A', unitCost: '4.44', validFrom: firstOf(4) } });
        await fold(world, owner);

        const byDays = await told();
        expect((await staleMonths()).length).toBeGreaterThan(0);
        await sumMonths(world.runtime, owner.companyId);
        expect((await staleMonths()).filter((month) => month < firstOf(0))).toEqual([]);
        expect(await told()).toEqual(byDays);

        await pay({ back: 2, day: 5, sku: 'B', cents: 1_234, abroad: false });
        await fold(world, owner);
        expect(await staleMonths()).toContain(firstOf(2));
        const moved = await told();
        expect(moved).not.toEqual(byDays);
        await sumMonths(world.runtime, owner.companyId);
        expect(await told()).toEqual(moved);
      },
    ),
    { numRuns: 6 },
  );
});

it('a report reads what was added up: a month that is not stale is not read by its days', async () => {
  await fresh();
  await pay({ back: 2, day: 5, sku: 'A', cents: 1_000, abroad: false });
  await fold(world, owner);
  await sumMonths(world.runtime, owner.companyId);
  await world.as(owner, (ctx) =>
    sql`UPDATE profit.profit_monthly SET principal = 20 WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
  );
  const sales = async (from: string, to: string) =>
    (await owner.call(totalProfit, { body: { filter: { date: { from, to }, currency: 'USD' } } })).current.sales;
  expect(await sales(firstOf(2), dayBefore(firstOf(1)))).toBe('20');
  expect(await sales(firstOf(2), dayBefore(dayBefore(firstOf(1))))).toBe('10');
});
