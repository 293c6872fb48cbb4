import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { connectAds } from '#test/support/truth-ads.ts';
import type { Person } from '#test/support/world.ts';
import { adsCapture } from '../contract/ads.ts';
import { callDetail, exportCalls, listCalls } from '../contract/api-log.ts';
import { createSpApi } from '../server/api/client.ts';
import { flushCalls, maskedPath, purgeCalls } from '../server/api/log.ts';
import { KEPT_CHARS, maskedBody } from '../server/api/masked.ts';
import { accountOf } from '../server/auth/accounts.ts';

const SELLER = 'A1SANDBOX0001';

let world: MarketplaceWorld;
let admin: pg.Pool;
let owner: Person;
let accountId: string;
let storeId: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
  owner = await world.owner();
  ({ accountId, storeId } = await connectStore(owner, SELLER));
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

async function call(path = '/sellers/v1/account', operation = 'getAccount', query: Record<string, string> = {}) {
  const account = await inTenant(world.runtime, systemPrincipal(owner.companyId), (ctx) =>
    accountOf(ctx.db, owner.companyId, accountId),
  );
  if (!account) throw new Error('no account');
  const api = createSpApi(world.runtime, account, { calls: 0, throttled: 0 });
  await api.call({ operation, method: 'GET', path, query }).catch(() => {});
  await flushCalls(world.runtime);
}

const calls = async (filter: object = {}) => (await owner.call(listCalls, { body: { filter } })).records;

test('a call that is throttled once is two lines, with what support asks for and without any secret', async () => {
  world.sandbox.world.faults.add({ kind: 'throttleStorm', operation: 'getAccount', count: 1 });
  await call();
  const rows = await calls();
  expect(rows.map((row) => [row.outcome, row.status, row.attempt])).toEqual([
    ['ok', 200, 2],
    ['throttled', 429, 1],
  ]);
  expect(rows[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(rows[0]?.store).toMatch(/-北美$/);
  const { rows: raw } = await admin.query<{ text: string }>(
    "SELECT string_agg(c::text, ' ') AS text FROM marketplace.api_call c",
  );
  expect(raw[0]?.text).not.toMatch(/Atz|very-secret/);
});

test('it is found by outcome, operation, account and number, and leaves as a file', async () => {
  await call('/orders/2026-01-01/orders/000-0000000-0000000', 'getOrder');
  const [refused] = await calls({ outcome: 'refused' });
  expect(refused).toMatchObject({ operation: 'getOrder', status: 404 });
  expect(await calls({ operation: 'account', outcome: 'ok' })).toHaveLength(1);
  expect(await calls({ requestId: refused?.requestId ?? '' })).toHaveLength(1);
  expect(await calls({ authid: [accountId], at: { from: '2020-01-01', to: '2020-01-02' } })).toEqual([]);
  const file = await owner.send(exportCalls, { body: { format: 'csv' } });
  expect(file.raw.toString('utf8')).toContain('getOrder');
  const stranger = await world.owner();
  expect((await stranger.call(listCalls, { body: {} })).records).toEqual([]);
});

test('calls about advertising stand in it too, under the store whose consent they use', async () => {
  await owner.call(adsCapture, { query: { id: await connectAds(owner, storeId, SELLER) } });
  await flushCalls(world.runtime);
  const rows = await calls({ operation: 'ads.' });
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row).toMatchObject({ operation: 'ads.listProfiles', outcome: 'ok', status: 200 });
    expect(row.store).toMatch(/-北美$/);
  }
});

test('a call that fails keeps what went and came for three days, and nothing that opens a door or names somebody', async () => {
  const account = await inTenant(world.runtime, systemPrincipal(owner.companyId), (ctx) =>
    accountOf(ctx.db, owner.companyId, accountId),
  );
  if (!account) throw new Error('no account');
  const body = { contentType: '', buyerEmail: 'li@example.com', restrictedDataToken: 'very-secret' };
  const request = {
    operation: 'createFeedDocument',
    method: 'POST',
    path: '/feeds/2021-06-30/documents',
    body,
  } as const;
  await createSpApi(world.runtime, account, { calls: 0, throttled: 0 })
    .call(request)
    .catch(() => {});
  await flushCalls(world.runtime);
  const [row] = await calls({ operation: 'createFeedDocument' });
  const params = { id: row?.id ?? '' };
  const detail = await owner.call(callDetail, { params });
  expect(JSON.parse(detail.requestBody ?? '')).toEqual({
    contentType: '',
    buyerEmail: '***',
    restrictedDataToken: '***',
  });
  expect(detail.responseBody).toContain('contentType: is required');
  const [good] = await calls({ outcome: 'ok' });
  const kept = await owner.call(callDetail, { params: { id: good?.id ?? '' } });
  expect([kept.requestBody, kept.responseBody]).toEqual([null, null]);
  const stranger = await world.owner();
  expect((await stranger.send(callDetail, { params })).status).toBe(404);
  await admin.query("UPDATE marketplace.api_call SET at = kit.now() - interval '4 days' WHERE operation = $1", [
    request.operation,
  ]);
  await purgeCalls.run(world.runtime, {} as never);
  expect((await owner.call(callDetail, { params })).requestBody).toBeNull();
});

test('what a body is kept as', () => {
  expect(maskedBody('<html>503 for a@b.example</html>')).toBe('<html>503 for ***</html>');
  expect(maskedBody('{"buyer":{"name":"Li"},"orders":[{"id":1,"url":"https://x?sig=1"}]}')).toBe(
    JSON.stringify({ buyer: '***', orders: [{ id: 1, url: '***' }] }, null, 2),
  );
  expect(maskedBody('{"recipient":"Li, Main St')).toBe('{"***":"***"');
  expect(maskedBody(JSON.stringify({ text: 'x'.repeat(9_000) }))?.length).toBeLessThan(KEPT_CHARS + 40);
  expect(maskedBody('')).toBeNull();
});

test('an address is kept without the token of its page', async () => {
  const us = 'ATVPDKIKX0DER';
  const summaries = { granularityType: 'Marketplace', granularityId: us, marketplaceIds: us };
  await call('/fba/inventory/v1/summaries', 'getInventorySummaries', { ...summaries, nextToken: 'very-secret-page' });
  const { rows } = await admin.query<{ text: string }>(
    "SELECT string_agg(c::text, ' ') AS text FROM marketplace.api_call c WHERE operation = 'getInventorySummaries'",
  );
  expect(rows[0]?.text).toContain('nextToken=***');
  expect(rows[0]?.text).not.toContain('very-secret');
});

test('it is kept for two weeks', async () => {
  await admin.query("UPDATE marketplace.api_call SET at = kit.now() - interval '15 days' WHERE operation = 'getOrder'");
  await purgeCalls.run(world.runtime, {} as never);
  const left = await calls();
  expect(left.length).toBeGreaterThan(0);
  expect(left.some((row) => row.operation === 'getOrder')).toBe(false);
});

test('whatever opens something is masked in an address', () => {
  expect(maskedPath('/a?nextToken=abc&x=1&sig=zz')).toBe('/a?nextToken=***&x=1&sig=***');
});
