import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listItems } from '#modules/finance/contract/payables.ts';
import { menuRoute } from '#modules/identity/contract/menus.ts';
import { updateSelf, userDetail } from '#modules/identity/contract/self.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { countOrders, listOrders } from '../contract/order-calls.ts';
import { recountOrders } from '../server/order/sums.ts';
import { type Buyers, createBuyers, placedOrder, receive } from './support.ts';

// The world begins at 10:00 of 2026-11-18 in Beijing, which is 18:00 of the day before in Los Angeles.
let world: World;
let abroad: Buyers;
let home: Buyers;
beforeAll(async () => {
  world = await createWorld();
  [abroad, home] = [await createBuyers(world, ['A']), await createBuyers(world, ['A'])];
});
afterAll(() => world.close());

const moveTo = (owner: Person, companyTimeZone: 'America/Los_Angeles' | 'Asia/Shanghai') =>
  owner.call(updateSelf, { body: { name: '老板', companyTimeZone } });

const madeOn = async ({ owner }: Buyers, day: string) => {
  const filter = { created: { from: day, to: day } };
  const { total } = await owner.call(listOrders, { body: { pagesize: 1, filter } });
  const counts = await owner.call(countOrders, { body: { filter } });
  return [total, counts.all];
};

const daysNow = ({ owner }: Buyers) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ day: string; going: string }>`
      SELECT kit.today()::text AS day, warehouse.today()::text AS going`.execute(ctx.db);
    return [rows[0]?.day, rows[0]?.going, ctx.clock.today(), ctx.clock.dayAhead(30)];
  });

it('a company counts its days in the zone that its owner sets, from then on; its neighbour goes on in its own', async () => {
  await moveTo(abroad.owner, 'America/Los_Angeles');
  expect(await daysNow(abroad)).toEqual(['2026-11-17', '2026-11-17', '2026-11-17', '2026-12-17']);
  expect(await daysNow(home)).toEqual(['2026-11-18', '2026-11-18', '2026-11-18', '2026-12-18']);
  const [first] = await abroad.owner.call(menuRoute, {});
  expect(first?.meta.timeZone).toBe('America/Los_Angeles');
  expect((await home.owner.call(userDetail, {})).companyTimeZone).toBe('Asia/Shanghai');
});

it('orders, goods that came and what is owed for them have the days of their company', async () => {
  const days = async (buyers: Buyers, today: string, due: string) => {
    const { id } = await placedOrder(buyers, [{ sku: 'A', qty: 10, unitPrice: '5' }]);
    await receive(buyers, id, 'A', 10);
    expect(await madeOn(buyers, today)).toEqual([1, 1]);
    const { records } = await buyers.owner.call(listItems, { body: { pagesize: 10 } });
    expect(new Set(records.map((row) => row.day))).toEqual(new Set([today]));
    // A third with the order, the rest thirty days after the goods came.
    expect(records.map((row) => row.dueOn).sort()).toEqual([today, due]);
    const booked = await world.as(buyers.owner, async (ctx) => {
      const { rows } = await sql<{ day: string }>`
        SELECT DISTINCT business_date::text AS day FROM warehouse.stock_entry WHERE company_id = ${ctx.companyId}`.execute(
        ctx.db,
      );
      return rows.map((row) => row.day);
    });
    expect(booked).toEqual([today]);
  };
  await days(abroad, '2026-11-17', '2026-12-17');
  await days(home, '2026-11-18', '2026-12-18');
});

it('who moves to another zone keeps the days of what there is, and sums by day stay what they were', async () => {
  await moveTo(abroad.owner, 'Asia/Shanghai');
  expect(await madeOn(abroad, '2026-11-17')).toEqual([1, 1]);
  await placedOrder(abroad, [{ sku: 'A', qty: 3, unitPrice: '5' }]);
  expect(await madeOn(abroad, '2026-11-18')).toEqual([1, 1]);
  await world.as(abroad.owner, recountOrders);
  expect([await madeOn(abroad, '2026-11-17'), await madeOn(abroad, '2026-11-18')]).toEqual([
    [1, 1],
    [1, 1],
  ]);
});

it('only an owner sets it, and only to a zone that there is', async () => {
  const body = { name: '买手', companyTimeZone: 'America/Los_Angeles' as const };
  expect(await abroad.buyer.send(updateSelf, { body })).toMatchObject({
    code: 400,
    msg: expect.stringMatching('管理员'),
  });
  const mars = { name: '老板', companyTimeZone: 'Mars/Base' as 'UTC' };
  expect(await abroad.owner.send(updateSelf, { body: mars })).toMatchObject({
    status: 400,
    msg: expect.stringMatching('公司时区'),
  });
});
