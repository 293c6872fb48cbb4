import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { adFigures, adTruth, connectAds } from './support/truth-ads.ts';
import { kill, spawnWorker } from './support/worker-process.ts';
import type { Person } from './support/world.ts';

const SELLER = 'A1SANDBOX0001';
const DAY = 86_400_000;
const KILLS = 4;
const PATIENCE_MS = 90_000;

let world: MarketplaceWorld;
let admin: pg.Pool;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld({ reportDelayMs: [0, 400] }, { leaseSec: 2 });
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
  owner = await world.owner();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Everything that the advertising API can do to its callers, a few times each. */
function switchFaultsOn(): void {
  const { faults } = world.sandbox.world;
  for (const operation of ['createAdsReport', 'getAdsReport', 'listSpCampaigns']) {
    faults.add({ kind: 'throttleStorm', operation, probability: 0.3, seed: operation, count: 4 });
    faults.add({ kind: 'serverError', operation, probability: 0.2, seed: operation, count: 3 });
  }
  faults.add({ kind: 'timeoutAfter', operation: 'createAdsReport', nth: 2, ms: 100 });
  faults.add({ kind: 'reportFatal', reportType: 'spTargeting', nth: 1 });
  faults.add({ kind: 'truncatedGzip', operation: 'downloadAdsReport', nth: 2, count: 2 });
  faults.add({ kind: 'connectionReset', operation: 'downloadAdsReport', nth: 3, count: 2 });
  faults.add({ kind: 'documentExpired', operation: 'downloadAdsReport', nth: 4 });
}

/** Waits until every stream of advertising has been read since `since`. */
async function untilRead(since: Date): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await admin.query<{ stream: string; state: string; last_error: string | null }>(
      `SELECT stream, state, last_error FROM marketplace.sync_cursor
        WHERE stream LIKE 'advertising.%' AND (last_success_at IS NULL OR last_success_at < $1)`,
      [since],
    );
    if (rows.length === 0) return;
    if (Date.now() > deadline) throw new Error(`not read: ${JSON.stringify(rows)}`);
    await sleep(200);
  }
}

/** Reads everything again; returns when that began. */
async function again(accountId: string): Promise<Date> {
  const { rows } = await admin.query<{ now: string }>('SELECT clock_timestamp() AS now');
  await owner.call(syncNow, { body: { authid: accountId } });
  return new Date(rows[0]?.now ?? 0);
}

test(
  `through throttling, faults and ${KILLS} kills, over simulated days, every campaign costs what the marketplace says`,
  async () => {
    const { accountId, storeId } = await connectStore(owner, SELLER);
    await connectAds(owner, storeId, SELLER);
    switchFaultsOn();
    for (let round = 0; round < KILLS; round += 1) {
      const worker = await spawnWorker(world);
      await sleep(400 + round * 500);
      await kill(worker);
    }
    const worker = await spawnWorker(world);
    try {
      await untilRead(new Date(0));
      expect(await adFigures(world, owner, accountId)).toEqual(adTruth(world.sandbox, SELLER, 'na'));
      world.sandbox.world.commandClock({ advanceMs: 5 * DAY });
      await untilRead(await again(accountId));
    } finally {
      await kill(worker);
    }
    const truth = adTruth(world.sandbox, SELLER, 'na');
    for (const grain of ['campaign_day', 'product_day', 'target_day'] as const) {
      expect(await adFigures(world, owner, accountId, grain)).toEqual(truth);
    }
    const struck = world.sandbox.world.faults.list().filter((rule) => rule.struck > 0);
    expect(struck.length).toBeGreaterThan(6);
  },
  2 * PATIENCE_MS + 30_000,
);
