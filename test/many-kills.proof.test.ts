import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import { luck } from './support/depth.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { expectBooks, truthFigures } from './support/truth.ts';
import { connectAds, expectAds } from './support/truth-ads.ts';
import { productWarehouse, truthWarehouse } from './support/truth-fba.ts';
import { kill, spawnWorker } from './support/worker-process.ts';
import type { Person } from './support/world.ts';

const random = luck('many-kills');

/** A quarter of an hour for all of them; KILLS=5 npm run proof -- test/many-kills tries a few. */
const KILLS = Number(process.env.KILLS ?? 50);
const SELLER = 'A1SANDBOX0001';
const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);
/** Sponsored Brands are kept for sixty days, of which this is the last: the first of all can just be read. */
const FIRST_DAY = 59;
const LAST_DAY = 120;
/** Everything is wanted anew after so many kills. */
const ROUND = 5;
/** So often somebody is left alive until all of it is read: orders follow clicks for weeks, and old days are not kept. */
const READ_DAYS = 14;
/** A worker dies within so long after it has begun to work. */
const LIFE_MS = 2_000;
/** All of it; on a machine that does much else besides. */
const LIMIT_MS = 90 * 60_000;

let world: MarketplaceWorld;
let owner: Person;
let admin: pg.Client;

beforeAll(async () => {
  world = await createMarketplaceWorld(
    { startAt: START, clock: { mode: 'frozen', at: START + FIRST_DAY * DAY } },
    { leaseSec: 2 },
  );
  owner = await world.owner();
  admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** What was being done at this moment, by kind of job. */
async function underWay(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT t.identifier || coalesce(' ' || c.stream, ' ' || r.status, '') AS name
       FROM graphile_worker._private_jobs AS j
       JOIN graphile_worker._private_tasks AS t ON t.id = j.task_id
       LEFT JOIN marketplace.sync_cursor AS c ON c.id::text = j.payload ->> 'cursorId'
       LEFT JOIN marketplace.report_request AS r ON r.id::text = j.payload ->> 'requestId'
      WHERE j.locked_at IS NOT NULL`,
  );
  return rows.map(({ name }) => name);
}

/** Waits until the cursors of advertising are as a condition of SQL says: some of them, or all. */
async function untilAds(condition: string, all: boolean): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await admin.query<{ some: number; missing: number }>(
          `SELECT (count(*) FILTER (WHERE ${condition}))::int AS some, (count(*) FILTER (WHERE NOT (${condition})))::int AS missing
             FROM marketplace.sync_cursor WHERE stream LIKE 'advertising.%'`,
        );
        return (rows[0]?.some ?? 0) > 0 && !(all && (rows[0]?.missing ?? 1) > 0);
      },
      { timeout: PATIENCE_MS, interval: 20 },
    )
    .toBe(true);
}

/** Has everything read anew, and waits until all of it has been. A worker must be running. */
async function readAnew(accountId: string): Promise<void> {
  const since = world.runtime.clock.now().toISOString();
  await owner.call(syncNow, { body: { authid: accountId } });
  await untilSynced(owner, accountId);
  await untilAds(`coalesce(last_success_at > '${since}', false)`, true);
  await expect.poll(() => openReports(), { timeout: PATIENCE_MS, interval: 1_000 }).toBe(0);
}

test(
  `${KILLS} kills at random moments of ${LAST_DAY} days leave every figure as the marketplace has it`,
  async () => {
    const { accountId, storeId } = await connectStore(owner, SELLER);
    await connectAds(owner, storeId, SELLER);
    const struck = new Map<string, number>();
    const killed = async (worker: ChildProcess) => {
      await sleep(random() * LIFE_MS);
      for (const name of await underWay()) struck.set(name, (struck.get(name) ?? 0) + 1);
      await kill(worker);
    };
    const inAds = Math.round(KILLS / 10);
    const standing = Math.round(KILLS / 2) - inAds;
    for (let round = 0; round < standing; round += 1) await killed(await spawnWorker(world));
    for (let round = 0; round < inAds; round += 1) {
      // All of it may have been read by now, and would not be read again for hours.
      await owner.call(syncNow, { body: { authid: accountId } });
      const worker = await spawnWorker(world);
      await untilAds('coalesce(lease_until > kit.now(), false)', false);
      await killed(worker);
    }
    const readWhole = async () => {
      const reader = await spawnWorker(world);
      await readAnew(accountId);
      await kill(reader);
    };
    // Nothing of the first days is left to be read when the clock moves on: some of it would not be kept by then.
    await readWhole();
    const moving = KILLS - standing - inAds - 1;
    const step = (LAST_DAY - FIRST_DAY) / moving;
    let unread = 0;
    for (let round = 1; round <= moving; round += 1) {
      world.sandbox.world.commandClock({ advanceMs: Math.floor(step * DAY) });
      if (round % ROUND === 1) await owner.call(syncNow, { body: { authid: accountId } });
      await killed(await spawnWorker(world));
      unread += step;
      if (unread < READ_DAYS) continue;
      await readWhole();
      unread = 0;
    }
    const last = await spawnWorker(world);
    try {
      // What was read, or asked for, before the clock stood still is read once more.
      for (let turn = 0; turn < 2; turn += 1) await readAnew(accountId);
      await expectBooks(world, owner, accountId, truthFigures(world.sandbox, SELLER, 'na'));
      await expectAds(world, owner, accountId, SELLER);
      // Fees of storage and those foretold are kept month by month and week by week, from the first reading on.
      const { storage: _, previews: __, ...truth } = await truthWarehouse(world.sandbox, SELLER, 'na');
      await expect.poll(() => productWarehouse(world, owner, accountId), { timeout: PATIENCE_MS }).toMatchObject(truth);
    } finally {
      await kill(last);
      const lines = [...struck].sort((a, b) => b[1] - a[1]).map(([name, times]) => `${times} x ${name}`);
      process.stdout.write(`${lines.join('\n')}\n`);
    }
    expect(struck.size).toBeGreaterThan(KILLS / 10);
  },
  LIMIT_MS,
);

/** Reports that are neither loaded nor given up. */
async function openReports(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM marketplace.report_request
      WHERE status IN ('planned', 'requested', 'ready', 'downloaded')`,
  );
  return rows[0]?.n ?? 0;
}
