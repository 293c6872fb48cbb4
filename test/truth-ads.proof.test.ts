import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import { adFigures, adTruth, atGrain, connectAds } from './support/truth-ads.ts';
import type { Person } from './support/world.ts';

const SELLER = 'A1SANDBOX0001';
const DAY = 86_400_000;
/** Some forty reports of two profiles are read four times over. */
const WORKERS = 4;

let world: MarketplaceWorld;
let admin: pg.Pool;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld({ reportDelayMs: [0, 100] });
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
  faults.add({ kind: 'reportFatal', reportType: 'sbAds', nth: 1 });
  for (const operation of ['listSbKeywords', 'listSdTargets', 'getAdsHistory']) {
    faults.add({ kind: 'serverError', operation, nth: 1 });
  }
  faults.add({ kind: 'truncatedGzip', operation: 'downloadAdsReport', nth: 2, count: 2 });
  faults.add({ kind: 'connectionReset', operation: 'downloadAdsReport', nth: 3, count: 2 });
  faults.add({ kind: 'documentExpired', operation: 'downloadAdsReport', nth: 4 });
}

interface Cursor {
  id: string;
  company_id: string;
  state: string;
  last_error: string | null;
}

/**
 * Runs the streams of advertising, each until it has been read once more, however often it stumbles; gives up once none was
 * read for so long. A refused call closes its bucket for a while, which is sat through.
 */
async function readAll(): Promise<void> {
  const sync = world.runtime.modules.flatMap((one) => one.jobs ?? []).find(({ name }) => name === 'marketplace.sync');
  if (!sync) throw new Error('nothing synchronises');
  const { rows: begun } = await admin.query<{ now: string }>('SELECT kit.instant() AS now');
  let unread = Number.POSITIVE_INFINITY;
  let deadline = 0;
  for (;;) {
    const { rows } = await admin.query<Cursor>(
      `SELECT id, company_id, state, last_error FROM marketplace.sync_cursor
        WHERE stream LIKE 'advertising.%' AND (last_success_at IS NULL OR last_success_at < $1)`,
      [begun[0]?.now],
    );
    if (rows.length === 0) return;
    expect(rows.filter(({ state }) => state !== 'ready')).toEqual([]);
    if (rows.length < unread) deadline = Date.now() + PATIENCE_MS;
    else await sleep(200);
    unread = rows.length;
    if (Date.now() > deadline) throw new Error(`not read: ${JSON.stringify(rows)}`);
    // Side by side, as workers do.
    const left = [...rows];
    const work = async () => {
      for (let one = left.pop(); one; one = left.pop()) {
        await sync.run(world.runtime, { companyId: one.company_id, cursorId: one.id } as never);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
  }
}

test('through throttling and faults, over simulated days, every campaign costs what the marketplace says', async () => {
  const { accountId, storeId } = await connectStore(owner, SELLER);
  await connectAds(owner, storeId, SELLER);
  switchFaultsOn();
  await readAll();
  expect(await adFigures(world, owner, accountId)).toEqual(adTruth(world.sandbox, SELLER, 'na'));
  const struck = world.sandbox.world.faults.list().filter((rule) => rule.struck > 0);
  expect(struck.length).toBeGreaterThan(6);
  for (let step = 0; step < 3; step += 1) {
    world.sandbox.world.commandClock({ advanceMs: 2 * DAY });
    await readAll();
  }
  const truth = adTruth(world.sandbox, SELLER, 'na');
  expect(new Set(Object.keys(truth).map((key) => key.split(' ')[1]))).toEqual(new Set(['SP', 'SB', 'SD']));
  for (const grain of ['campaign_day', 'product_day', 'target_day', 'placement_day'] as const) {
    expect(await adFigures(world, owner, accountId, grain)).toEqual(atGrain(truth, grain));
  }
});
