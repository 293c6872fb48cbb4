import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import {
  backfillStream,
  cancelBackfill,
  pauseStream,
  resumeStream,
  runStream,
  streamDetail,
  syncMatrix,
} from '../contract/sync-matrix.ts';
import { takeToken } from '../server/api/buckets.ts';
import { reserveOf } from '../server/api/limits.ts';

let world: MarketplaceWorld;
let owner: Person;
let authid: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
  owner = await world.owner();
  ({ accountId: authid } = await connectStore(owner, 'A1SANDBOX0001'));
  await untilSynced(owner, authid);
});
afterAll(() => world.close());

const detail = (stream: string) => owner.call(streamDetail, { query: { authid, stream } });
const matrix = (query: object = {}) => owner.call(syncMatrix, { query });

async function until<T>(look: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 100; tries += 1) {
    const value = await look();
    if (good(value)) return value;
    await sleep(200);
  }
  throw new Error('it never came to that');
}

/** A table's rows in one number; two equal ones mean that nothing was written. */
async function checksum(table: string): Promise<string> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ sum: string }>`
      SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum
        FROM ${sql.raw(table)} AS t WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    return rows[0]?.sum ?? '';
  });
}

test('every stream of a connected account has a cell, and its page says what was read', async () => {
  const { accounts, streams, figures } = await matrix();
  expect(accounts).toHaveLength(1);
  const codes = streams.map((stream) => stream.code);
  expect(codes).toEqual(expect.arrayContaining(['orders.live', 'fba.stock', 'finances', 'settlements', 'performance']));
  expect(accounts[0]?.cells.map((cell) => cell.stream).sort()).toEqual(codes.toSorted());
  expect(figures.all).toBe(codes.length);
  expect(figures.good + figures.late + figures.stopped).toBe(figures.all);
  const finances = await detail('finances');
  expect(finances).toMatchObject({ mode: 'window', cadenceSec: 1800, backfillDays: 730 });
  const [site] = finances.sites;
  expect(Date.parse(site?.watermark ?? '')).toBeGreaterThan(Date.parse(site?.firstFrom ?? ''));
  expect(finances.runs.length).toBeGreaterThan(0);
  expect(finances.runs.every((run) => run.windowFrom !== null && run.error === null)).toBe(true);
});

test('it is narrowed by words, region and trouble', async () => {
  expect((await matrix({ keyword: 'A1SANDBOX0001' })).accounts).toHaveLength(1);
  expect((await matrix({ keyword: '没有这家' })).accounts).toHaveLength(0);
  expect((await matrix({ region: 'eu' })).accounts).toHaveLength(0);
  expect((await matrix({ state: 'stopped' })).accounts).toHaveLength(0);
});

test('a paused stream stands still until it is resumed', async () => {
  const body = { authid, stream: 'listings' };
  await owner.call(pauseStream, { body });
  expect((await matrix({ state: 'stopped' })).accounts).toHaveLength(1);
  expect((await owner.send(runStream, { body })).msg).toContain('已暂停');
  const before = (await detail('listings')).runs.length;
  expect((await detail('listings')).sites.every((site) => site.state === 'paused' && site.nextAt === null)).toBe(true);
  await owner.call(resumeStream, { body });
  await until(
    () => detail('listings'),
    (now) => now.runs.length > before,
  );
  expect((await owner.send(resumeStream, { body })).msg).toContain('没有暂停');
});

test('a backfill reads the past again beside the live stream and changes nothing that is right', async () => {
  // The stream reads its own past window after window; only then nothing new can come.
  const before = await until(
    () => detail('finances'),
    ({ sites }) => Date.parse(sites[0]?.watermark ?? '') > world.sandbox.world.now() - 3_600_000,
  );
  const money = await checksum('settlement.money_line');
  const from = new Date(world.sandbox.world.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  await owner.call(backfillStream, { body: { authid, stream: 'finances', from } });
  const after = await until(
    () => detail('finances'),
    (now) => now.backfills[0]?.state === 'done',
  );
  const windows = after.runs.filter((run) => run.windowFrom?.startsWith(from) || run.rowsIn > 0);
  expect(windows.length).toBeGreaterThan(1);
  expect(after.backfills[0]).toMatchObject({ readDownTo: `${from}T00:00:00.000Z`, error: null });
  expect(after.backfills[0]?.rows).toBeGreaterThan(0);
  expect(Date.parse(after.sites[0]?.watermark ?? '')).toBeGreaterThanOrEqual(
    Date.parse(before.sites[0]?.watermark ?? ''),
  );
  expect(await checksum('settlement.money_line')).toBe(money);
});

test('orders come back by their reports; a stream of the present has no past', async () => {
  const from = new Date(world.sandbox.world.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  const { message } = await owner.call(backfillStream, { body: { authid, stream: 'orders.live', from } });
  expect(message).toBe('已申请1个报表，见报表任务');
  const stock = await owner.send(backfillStream, { body: { authid, stream: 'fba.stock', from } });
  expect(stock.msg).toContain('只反映当前状态');
  const old = await owner.send(backfillStream, { body: { authid, stream: 'finances', from: '2020-01-01' } });
  expect(old.msg).toBe('最多回补730天');
});

test('what is no longer running cannot be cancelled, and strangers see nothing', async () => {
  const [row] = (await detail('finances')).backfills;
  expect((await owner.send(cancelBackfill, { body: { id: row?.id ?? '' } })).status).toBe(404);
  const stranger = await world.owner();
  expect((await stranger.send(streamDetail, { query: { authid, stream: 'finances' } })).status).toBe(404);
  expect((await stranger.send(pauseStream, { body: { authid, stream: 'finances' } })).status).toBe(404);
  expect((await stranger.call(syncMatrix, { query: {} })).accounts).toEqual([]);
});

test('work without hurry leaves two fifths of a bucket to the rest', async () => {
  const key = { applicationId: 'reserve', sellerKey: 'S/na', operation: 'createReport' };
  const plan = { rate: 0.001, burst: 15 };
  const spare: number[] = [];
  for (let n = 0; n < 10; n += 1) spare.push(await takeToken(world.runtime, key, plan, reserveOf(plan)));
  // Nine at once, six stay behind for whoever reads the present.
  expect(spare.filter((wait) => wait === 0)).toHaveLength(9);
  const live: number[] = [];
  for (let n = 0; n < 7; n += 1) live.push(await takeToken(world.runtime, key, plan));
  expect(live.filter((wait) => wait === 0)).toHaveLength(6);
});
