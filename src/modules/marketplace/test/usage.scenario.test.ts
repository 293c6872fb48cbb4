import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listCalls } from '../contract/api-log.ts';
import { listUsage, usageChart } from '../contract/usage.ts';
import { takeToken } from '../server/api/buckets.ts';
import { planOf } from '../server/api/limits.ts';
import { type CallEntry, flushCalls, logCall } from '../server/api/log.ts';
import type { AccountRef } from '../server/streams.ts';

const OPERATION = 'searchOrders';

let world: World;
let owner: Person;
let account: AccountRef;
let other: AccountRef;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { name: '甲店' });
  other = await makeSellerAccount(world, owner, { name: '乙店', region: 'eu' });
});
afterAll(() => world.close());

async function calls(of: AccountRef, operation: string, statuses: readonly (number | null)[]): Promise<void> {
  const entry: Omit<CallEntry, 'status'> = {
    companyId: of.companyId,
    accountId: of.id,
    operation,
    method: 'GET',
    path: '/x',
    ms: 30,
    requestId: null,
    rate: null,
    attempt: 1,
    problem: null,
    requestBody: null,
    responseBody: null,
  };
  for (const status of statuses) logCall(world.runtime, { ...entry, status });
  await flushCalls(world.runtime);
}

const usage = async (filter: object = {}) => (await owner.call(listUsage, { body: { filter } })).records;

test('counts what the log holds, by account and operation, however it was written', async () => {
  await calls(account, OPERATION, [200, 200, 429]);
  await calls(account, OPERATION, [200, 500, null, 403]);
  await calls(account, 'getReport', [200]);
  await calls(other, OPERATION, [200, 200]);
  const [first, ...rest] = await usage();
  expect(first).toMatchObject({
    store: '甲店-北美',
    operation: OPERATION,
    calls: 7,
    throttled: 1,
    failed: 3,
    averageMs: 30,
  });
  expect(rest.map(({ store, operation, calls: n }) => [store, operation, n])).toEqual([
    ['乙店-欧洲', OPERATION, 2],
    ['甲店-北美', 'getReport', 1],
  ]);
  const { total } = await owner.call(listCalls, { body: { filter: {} } });
  expect((await usage()).reduce((sum, row) => sum + row.calls, 0)).toBe(total);
  expect((await usage({ throttledOnly: true })).map((row) => row.calls)).toEqual([7]);
  expect((await usage({ operation: 'report' })).map((row) => row.operation)).toEqual(['getReport']);
});

test('beside what Amazon allows: a day’s calls, what of them is used up, and how many may leave now', async () => {
  const key = {
    applicationId: 'test',
    sellerKey: `${account.sellingPartnerId}/${account.region}`,
    operation: OPERATION,
  };
  expect(await takeToken(world.runtime, key, planOf(OPERATION))).toBe(0);
  const [row] = await usage({ authid: [account.id], operation: OPERATION });
  // 0.0056 a second are 484 a day; of twenty saved up one is gone.
  expect(row).toMatchObject({
    perDay: 484,
    rate: '0.0056',
    burst: 20,
    tokens: 19,
    blockedUntil: null,
    share: '0.0145',
  });
  const chart = await owner.call(usageChart, { body: { filter: { authid: [account.id] } } });
  expect(chart.hours).toHaveLength(24);
  expect(chart.hours.reduce((sum, one) => sum + one.calls, 0)).toBe(8);
  expect(chart.closest).toEqual([{ store: '甲店-北美', operation: OPERATION, share: '0.0145' }]);
  const week = await owner.call(usageChart, { body: { filter: { period: 'week' } } });
  expect(week.hours).toHaveLength(168);
  expect(week.hours.reduce((sum, one) => sum + one.calls, 0)).toBe(10);
});

test('is nobody else’s', async () => {
  const stranger = await world.owner();
  expect((await stranger.call(listUsage, { body: { filter: {} } })).records).toEqual([]);
  const colleague = await world.member(owner, []);
  expect((await colleague.send(listUsage, { body: { filter: {} } })).status).toBe(403);
});
