import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { DEMO, ensureDemo } from '../demo.ts';
import { OPERATOR } from '../demo-people.ts';
import { stockDemo } from '../demo-stock.ts';

let world: World;
afterEach(() => world.close());

const logsIn = async (account: string) => {
  const payload = { account, password: DEMO.password };
  const response = await world.app.inject({ method: 'POST', url: '/api/auth/login', payload });
  return response.json<{ code: number }>().code === 201;
};

test('an empty database gets the demo once, and its accounts log in', async () => {
  world = await createWorld();
  expect(await ensureDemo(world.runtime)).toEqual([DEMO.account, OPERATOR.account]);
  expect(await ensureDemo(world.runtime)).toEqual([DEMO.account, OPERATOR.account]);
  expect([await logsIn(DEMO.account), await logsIn(OPERATOR.account)]).toEqual([true, true]);
});

test('a database that people took for their own gets none, and none is announced', async () => {
  world = await createWorld();
  await world.owner('自己的公司');
  expect(await ensureDemo(world.runtime)).toEqual([]);
  expect(await logsIn(DEMO.account)).toBe(false);
});

test('the demo gets stock and purchases when its products are known and no sooner, and only once', async () => {
  world = await createWorld();
  await ensureDemo(world.runtime);
  const companyId = await inSystem(world.runtime, async (db) => {
    const { rows } = await sql<{ id: string }>`
      SELECT company_id AS id FROM identity.member WHERE account = ${DEMO.account}`.execute(db);
    return rows[0]?.id ?? '';
  });
  const stocked = () =>
    inTenant(world.runtime, systemPrincipal(companyId), async (ctx) => {
      const { rows } = await sql<{ pieces: number }>`
        SELECT coalesce(sum(qty), 0)::int AS pieces FROM warehouse.stock_balance
         WHERE company_id = ${companyId} AND status = 'AVAILABLE'`.execute(ctx.db);
      return rows[0]?.pieces ?? 0;
    });
  const numbers = () =>
    inTenant(world.runtime, systemPrincipal(companyId), async (ctx) => {
      const { rows } = await sql<{ orders: number; requests: number; described: number; costs: number }>`
        SELECT (SELECT count(DISTINCT state)::int FROM purchase.purchase_order WHERE company_id = ${companyId}) AS orders,
               (SELECT count(DISTINCT state)::int FROM finance.payment_request WHERE company_id = ${companyId}) AS requests,
               (SELECT count(*)::int FROM product.local_product
                 WHERE company_id = ${companyId} AND brand_id IS NOT NULL AND category_id IS NOT NULL) AS described,
               (SELECT count(*)::int FROM product.sku_cost WHERE company_id = ${companyId}) AS costs`.execute(ctx.db);
      return rows[0];
    });
  const ended = new AbortController();
  const waiting = stockDemo(world.runtime, ended.signal, 20);
  await sleep(200);
  expect(await stocked()).toBe(0);
  await inTenant(world.runtime, systemPrincipal(companyId), (ctx) =>
    learnProducts(ctx, [{ sku: 'NQ-DRO-8P-GY' }, { sku: 'LP-PBW-900-PK' }, { sku: 'LP-PBR-S1-RD' }]),
  );
  await waiting;
  const pieces = await stocked();
  expect(pieces).toBeGreaterThan(0);
  const made = await numbers();
  expect(made?.orders).toBeGreaterThan(2);
  expect(made?.requests).toBe(4);
  expect(made?.described).toBe(3);
  expect(made?.costs).toBeGreaterThanOrEqual(3);
  await stockDemo(world.runtime, ended.signal, 20);
  expect(await stocked()).toBe(pieces);
  expect(await numbers()).toEqual(made);
});
