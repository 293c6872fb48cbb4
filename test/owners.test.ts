import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { ownedListings } from '#modules/analysis/server/care.ts';
import { noteOwners } from '#modules/analysis/server/owners.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { listPerformance } from '#modules/performance/contract/report.ts';
import { listProfit, type ProfitScope } from '#modules/profit/contract/report.ts';
import { sumMonths } from '#modules/profit/server/months.ts';
import { putGoods } from '#test/support/goods.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { type FileLine, makeAccount, settle, US } from '#test/support/settlement-file.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';

let world: World;
let owner: Person;
let clerk: Person;
let account: AccountRef;
let today: string;

const line = (sku: string, day: string, amount: string): FileLine => ({
  orderId: '113-1111111-1111111',
  marketplaceName: 'Amazon.com',
  postedAt: `${day}T20:00:00Z`,
  sku,
  amountType: 'ItemPrice',
  amountDescription: 'Principal',
  amount,
  quantity: 1,
});

const whole = (month: string) => ({ from: `${month}-01`, to: `${month}-28` });
const report = async (filter: ProfitScope) =>
  owner.call(listProfit, { body: { pagesize: 100, filter: { currency: 'USD', ...filter } } });

/** Sales by who answers for them, and that they are those of the whole. */
async function salesByOwner(date: { from: string; to: string }): Promise<Record<string, string>> {
  const { records, totals } = await report({ dimension: 'owner', date });
  const skus = await report({ dimension: 'sku', date });
  const sales = records.map((row) => row.sales ?? 'NaN');
  expect(sum(sales)).toBe(new Decimal(String(skus.totals?.sales)).toFixed());
  expect(new Decimal(String(totals?.sales)).toFixed()).toBe(sum(sales));
  return Object.fromEntries(records.map((row) => [row.goods ?? '', new Decimal(row.sales ?? 'NaN').toFixed()]));
}

/** A change as it would have been noted on a day of the past. */
const changed = (sku: string, day: string, to: string | null) =>
  world.as(owner, (ctx) =>
    sql`INSERT INTO analysis.listing_owner (company_id, account_id, marketplace_id, seller_sku, from_day, owner_id)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, ${sku}, ${day}::date, ${to}::uuid)`.execute(ctx.db),
  );

/** Gives a listing to somebody, as the wall does. */
const give = (sku: string, to: string | null) =>
  world.as(owner, async (ctx) => {
    await sql`INSERT INTO analysis.listing_care (company_id, account_id, marketplace_id, seller_sku, owner_id)
              VALUES (${ctx.companyId}, ${account.id}, ${US}, ${sku}, ${to}::uuid)
              ON CONFLICT (company_id, account_id, marketplace_id, seller_sku) DO UPDATE SET owner_id = excluded.owner_id`.execute(
      ctx.db,
    );
    await noteOwners(ctx, sql`c.seller_sku = ${sku}`);
  });

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  clerk = await world.member(owner, []);
  today = world.clock.today();
  account = await makeAccount(world, owner);
  const of = { accountId: account.id, site: US };
  await putGoods(world, owner, [
    { ...of, sku: 'A', owner: owner.userId },
    { ...of, sku: 'B', owner: clerk.userId },
    { ...of, sku: 'C' },
  ]);
  await settle(world, owner, account, [
    line('A', '2026-01-05', '1'),
    line('A', '2026-01-14', '2'),
    line('A', '2026-01-15', '4'),
    line('A', '2026-01-25', '8'),
    line('B', '2026-01-10', '16'),
    line('C', '2026-01-20', '32'),
    line('A', '2026-02-03', '64'),
    line('A', dayAfter(today, -3), '100.01'),
    line('A', today, '200.02'),
    line('C', dayAfter(today, -3), '0.5'),
    line('C', today, '0.25'),
  ]);
  await world.work();
});
afterAll(() => world.close());

describe('who answers for sales', () => {
  it('is the only owner of a listing for all of its past', async () => {
    await expect
      .poll(async () => (await report({ date: { from: '2026-01-01', to: today } })).totals?.units, {
        timeout: PATIENCE_MS,
      })
      .toBe(11);
    // Months that are over are read from their sums.
    await sumMonths(world.runtime, owner.companyId);
    expect(await salesByOwner(whole('2026-01'))).toEqual({ [owner.userId]: '15', [clerk.userId]: '16', '': '32' });
  });

  it('is who answered for it on the day: one that changed hands within the month has its days with both', async () => {
    await changed('A', '2026-01-15', clerk.userId);
    expect(await salesByOwner(whole('2026-01'))).toEqual({ [owner.userId]: '3', [clerk.userId]: '28', '': '32' });
    expect(await salesByOwner(whole('2026-02'))).toEqual({ [clerk.userId]: '64' });
    // More hands in one month, nobody among them; of two on a day the later one holds.
    await changed('A', '2026-01-20', owner.userId);
    await changed('A', '2026-01-20', null);
    expect(await salesByOwner(whole('2026-01'))).toEqual({ [owner.userId]: '3', [clerk.userId]: '20', '': '40' });
    await changed('A', '2026-02-01', owner.userId);
    expect(await salesByOwner(whole('2026-02'))).toEqual({ [owner.userId]: '64' });
    expect(await salesByOwner({ from: '2026-01-01', to: '2026-02-28' })).toEqual({
      [owner.userId]: '67',
      [clerk.userId]: '20',
      '': '40',
    });
  });

  it('opens to the same days: the goods, the days and the months behind a person are his alone', async () => {
    const date = whole('2026-01');
    for (const [key, sales] of [
      [owner.userId, '3'],
      [clerk.userId, '20'],
      ['', '40'],
    ] as const) {
      for (const dimension of ['sku', 'day', 'month', 'owner'] as const) {
        const { records, totals } = await report({ dimension, date, goods: { by: 'owner', key } });
        expect(new Decimal(String(totals?.sales)).toFixed()).toBe(sales);
        expect(sum(records.map((row) => row.sales ?? 'NaN'))).toBe(sales);
      }
    }
  });

  it('keeps what was earned before a listing was given to somebody else', async () => {
    const date = { from: dayAfter(today, -5), to: today };
    const before = await salesByOwner({ ...date, to: dayAfter(today, -1) });
    expect(before).toEqual({ [owner.userId]: '100.01', '': '0.5' });
    await give('A', clerk.userId);
    expect(await salesByOwner({ ...date, to: dayAfter(today, -1) })).toEqual(before);
    expect(await salesByOwner(date)).toEqual({ [owner.userId]: '100.01', [clerk.userId]: '200.02', '': '0.75' });
    const { records } = await owner.call(listPerformance, { body: { filter: { from: '2026-01', to: '2026-01' } } });
    expect(records.find(({ id }) => id === owner.userId)?.units).toBe(2);
    expect(records.find(({ id }) => id === clerk.userId)?.units).toBe(2);
  });

  it('passes on with whoever leaves, and a first owner answers for the past as well', async () => {
    const date = { from: dayAfter(today, -5), to: today };
    await give('C', clerk.userId);
    expect(await salesByOwner(date)).toEqual({ [owner.userId]: '100.01', [clerk.userId]: '200.77' });
    await world.as(owner, (ctx) => ownedListings.move(ctx, clerk.userId, owner.userId));
    // All of it today: B's and C's past stays with who had it.
    expect(await salesByOwner(date)).toEqual({ [owner.userId]: '300.28', [clerk.userId]: '0.5' });
    expect((await salesByOwner(whole('2026-01')))[clerk.userId]).toBe('52');
  });

  it('notes nothing where nothing changed', async () => {
    const count = () =>
      world.as(owner, async (ctx) => {
        const { rows } = await sql<{ n: number }>`
          SELECT count(*)::int AS n FROM analysis.listing_owner WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
        return rows[0]?.n;
      });
    const before = await count();
    await give('A', owner.userId);
    expect(await count()).toBe(before);
  });
});
