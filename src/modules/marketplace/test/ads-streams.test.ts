import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { agree, connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { adsBind, adsBindUrl, adsDisable } from '../contract/ads.ts';
import { type AdsStreamRun, adsStreams } from '../server/index.ts';
import { syncJob } from '../server/sync/jobs.ts';

const SELLER = 'A1SANDBOX0001';

/** What a module that reads advertising registers: here it only notes for which profile it was called. */
const runs: Pick<AdsStreamRun, 'profile' | 'window'>[] = [];
const probe = defineModule({
  name: 'probe',
  title: '探针',
  needs: ['marketplace'],
  extensions: [
    extend(adsStreams, {
      code: 'probe.campaigns',
      title: '广告活动',
      cadenceSec: 3600,
      overlapSec: 0,
      safetyLagSec: 0,
      maxWindowSec: 86_400,
      historySec: 86_400,
      priority: 50,
      sloMin: 120,
      fetch: async ({ api, profile, window }) => {
        const path = `/v2/profiles/${profile.profileId}`;
        const own = await api.call<{ profileId: number }>({ operation: 'getProfileById', method: 'GET', path });
        expect(String(own.profileId)).toBe(profile.profileId);
        runs.push({ profile, window });
        return { land: async () => ({ rowsIn: 1, inserted: 1, updated: 0, unchanged: 0 }) };
      },
    }),
  ],
});

let world: MarketplaceWorld;
let admin: pg.Pool;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  world.runtime.modules = [...world.runtime.modules, probe];
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
  owner = await world.owner();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

interface Cursor {
  id: string;
  company_id: string;
  marketplace_id: string;
  state: string;
  last_error: string | null;
}

async function cursors(): Promise<Cursor[]> {
  const { rows } = await admin.query<Cursor>(
    `SELECT id, company_id, marketplace_id, state, last_error FROM marketplace.sync_cursor
      WHERE stream = 'probe.campaigns' ORDER BY marketplace_id`,
  );
  return rows;
}

async function authorise(groupid: string): Promise<string> {
  const address = await owner.call(adsBindUrl, { query: { groupid, region: 'na' } });
  const back = await agree(address, SELLER);
  const part = (name: string) => back?.searchParams.get(name) ?? '';
  return (await owner.call(adsBind, { body: { state: part('state'), code: part('code') } })).id;
}

async function runAll(): Promise<void> {
  await admin.query("UPDATE marketplace.sync_cursor SET not_before = kit.now() WHERE stream = 'probe.campaigns'");
  for (const { id, company_id: companyId } of await cursors()) {
    await syncJob.run(world.runtime, { companyId, cursorId: id } as never);
  }
}

test('the engine reads a stream of advertising for every linked profile, stops with the consent and resumes with it', async () => {
  const { storeId } = await connectStore(owner, SELLER);
  expect(await cursors()).toEqual([]);
  const id = await authorise(storeId);
  expect((await cursors()).map((one) => one.marketplace_id)).toEqual(['A2EUQ1WTGCTBG2', 'ATVPDKIKX0DER']);
  await runAll();
  expect(runs.map((run) => run.profile.currency).sort()).toEqual(['CAD', 'USD']);
  expect((await cursors()).map((one) => [one.state, one.last_error])).toEqual([
    ['ready', null],
    ['ready', null],
  ]);

  await owner.call(adsDisable, { query: { id } });
  expect(new Set((await cursors()).map((one) => one.state))).toEqual(new Set(['blocked_auth']));
  await runAll();
  expect(runs).toHaveLength(2);

  await authorise(storeId);
  await runAll();
  expect(runs.length).toBeGreaterThan(2);
});
