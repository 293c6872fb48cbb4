import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commitUpload, uploadDetail } from '#modules/marketplace/contract/uploads.ts';
import { TASK_ROWS } from '#modules/marketplace/server/upload/commit.ts';
import { manualStore, send, US } from '#modules/marketplace/test/fixtures/upload.ts';
import { v2File } from '#modules/settlement/test/support.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { expectBooks, truthFigures } from './support/truth.ts';
import { connectAds, expectAds } from './support/truth-ads.ts';
import { kill, spawnWorker } from './support/worker-process.ts';
import type { Person } from './support/world.ts';

const SELLER = 'A1SANDBOX0001';
const KILLS = 8;
const ADS_KILLS = 2;

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld({}, { leaseSec: 2 });
  owner = await world.owner();
});
afterAll(() => world.close());

/** Waits until a worker holds a stream of advertising. */
async function untilAdsAreRead(admin: pg.Client): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await admin.query(
        `SELECT FROM marketplace.sync_cursor WHERE stream LIKE 'advertising.%' AND lease_until > kit.now()`,
      );
      expect(rowCount).toBeGreaterThan(0);
    },
    { timeout: PATIENCE_MS, interval: 10 },
  );
}

test(`killing the worker ${KILLS} times during the first synchronisation loses and doubles nothing`, async () => {
  const { accountId, storeId } = await connectStore(owner, SELLER);
  for (let round = 0; round < KILLS; round += 1) {
    const worker = await spawnWorker(world);
    // Each round dies a little later, so that every stage is hit: calls, downloads, loads, merges.
    await sleep(40 + round * 90);
    await kill(worker);
  }
  const worker = await spawnWorker(world);
  await untilSynced(owner, accountId);
  const truth = truthFigures(world.sandbox, SELLER, 'na');
  expect(Object.keys(truth.settlements).length).toBeGreaterThan(2);
  await expectBooks(world, owner, accountId, truth);
  await kill(worker);

  await connectAds(owner, storeId, SELLER);
  const admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
  for (let round = 0; round < ADS_KILLS; round += 1) {
    const reader = await spawnWorker(world);
    await untilAdsAreRead(admin);
    await sleep(round * 40);
    await kill(reader);
  }
  await admin.end();
  const last = await spawnWorker(world);
  try {
    await expectAds(world, owner, accountId, SELLER);
  } finally {
    await kill(last);
  }
});

/** What a settlement file leaves in the books, counted. */
async function left(person: Person): Promise<Record<string, unknown>> {
  return world.as(person, async ({ db, companyId }) => {
    const count = (table: string) => sql`(SELECT count(*) FROM ${sql.table(table)} WHERE company_id = ${companyId})`;
    const { rows } = await sql<Record<string, unknown>>`
      SELECT ${count('settlement.settlement')} AS settlements, ${count('settlement.source_doc')} AS documents,
             ${count('settlement.money_line')} AS lines, ${count('settlement.fee_total')} AS totals`.execute(db);
    return rows[0] ?? {};
  });
}

/** Lets a load write all its lines, and holds it just before it writes the settlement itself. */
async function heldBeforeItsEnd(run: (held: () => Promise<void>) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN; LOCK TABLE settlement.settlement IN SHARE MODE');
    await run(() =>
      vi.waitFor(
        async () => {
          const { rowCount } = await client.query(
            `SELECT FROM pg_locks WHERE NOT granted AND relation = 'settlement.settlement'::regclass`,
          );
          expect(rowCount).toBe(1);
        },
        { timeout: PATIENCE_MS, interval: 50 },
      ),
    );
  } finally {
    await client.end();
  }
}

test('killing the worker in the middle of loading an upload leaves nothing half; the next one loads it once', async () => {
  const person = await world.owner();
  const amazonauthid = await manualStore(person, '上传店', US);
  const line = { amountType: 'ItemPrice', amountDescription: 'Principal', amount: '0.01', sku: 'A', quantity: 1 };
  const lines = Array.from({ length: TASK_ROWS + 1 }, () => line);
  const bytes = Buffer.from(v2File({ total: ((TASK_ROWS + 1) / 100).toFixed(2) }, lines));
  const type = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
  const { data } = await send(world, person, bytes, { amazonauthid, requesttype: type });
  const params = { id: data.id ?? '' };
  const stateOf = async () => (await person.call(uploadDetail, { params })).state;
  expect(await stateOf()).toBe('checked');
  expect((await person.call(commitUpload, { params })).taskId).not.toBeNull();
  const first = await spawnWorker(world);
  await heldBeforeItsEnd(async (held) => {
    await held();
    await kill(first);
    expect(await stateOf()).toBe('checked');
    expect(await left(person)).toEqual({ settlements: 0, documents: 0, lines: 0, totals: 0 });
  });
  await world.work();
  await vi.waitFor(async () => expect(await stateOf()).toBe('loaded'), { timeout: PATIENCE_MS, interval: 200 });
  const once = { settlements: 1, documents: 1, lines: TASK_ROWS + 1, totals: 1 };
  expect(await left(person)).toEqual(once);
  const again = await person.call(commitUpload, { params });
  expect(again).toMatchObject({ state: 'loaded', inserted: TASK_ROWS + 1 });
  expect(await left(person)).toEqual(once);
});
