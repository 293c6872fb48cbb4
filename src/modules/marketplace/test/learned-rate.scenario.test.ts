import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { createSpApi } from '../server/api/client.ts';
import { planOf } from '../server/api/limits.ts';
import { accountOf } from '../server/auth/accounts.ts';
import type { AccountRef } from '../server/streams.ts';

const OPERATION = 'getMarketplaceParticipations';
const PLAN = planOf(OPERATION);

let world: MarketplaceWorld;
let owner: Person;
let admin: pg.Client;
let account: AccountRef;

beforeAll(async () => {
  world = await createMarketplaceWorld({ rateFactor: 2 });
  owner = await world.owner();
  admin = new pg.Client(world.databaseUrl);
  await admin.connect();
  const { accountId } = await connectStore(owner, 'A1SANDBOX0001');
  const found = await world.as(owner, (ctx) => accountOf(ctx.db, ctx.companyId, accountId));
  if (!found) throw new Error('no account');
  account = found;
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

test('a rate that Amazon raises for a busy seller is kept, and the usual one when it is that again', async () => {
  const api = createSpApi(world.runtime, account, { calls: 0, throttled: 0 });
  const rateAfter = async (factor: number) => {
    world.sandbox.world.throttle.rateFactor = factor;
    await api.call({ operation: OPERATION, method: 'GET', path: '/sellers/v1/marketplaceParticipations' });
    const { rows } = await admin.query('SELECT rate FROM marketplace.rate_bucket WHERE operation = $1', [OPERATION]);
    return rows[0]?.rate;
  };
  expect(await rateAfter(2)).toBeCloseTo(2 * PLAN.rate);
  expect(await rateAfter(1)).toBeCloseTo(PLAN.rate);
  expect(await rateAfter(3)).toBeCloseTo(3 * PLAN.rate);
});

test('who waits for a token is not kept waiting by the rate of before', async () => {
  world.sandbox.world.throttle.rateFactor = 100_000;
  const api = createSpApi(world.runtime, account, { calls: 0, throttled: 0 });
  const look = () => api.call({ operation: OPERATION, method: 'GET', path: '/sellers/v1/marketplaceParticipations' });
  await look();
  const mine = `operation = '${OPERATION}' AND seller_key = '${account.sellingPartnerId}/${account.region}'`;
  // A token in fourteen seconds.
  await admin.query(
    `UPDATE marketplace.rate_bucket SET tokens = 0, rate = 1.0 / 14, refilled_at = kit.instant() WHERE ${mine}`,
  );
  const begun = performance.now();
  const waiting = look();
  await admin.query(`UPDATE marketplace.rate_bucket SET tokens = 5 WHERE ${mine}`);
  await waiting;
  expect(performance.now() - begun).toBeLessThan(10_000);
});
