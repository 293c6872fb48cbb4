import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { runReport } from '../server/reports/run.ts';

let world: MarketplaceWorld;
let owner: Person;
let reportId: string;
let beside: pg.Client;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  const worker = await world.work();
  const { accountId } = await connectStore(owner, 'A1SANDBOX0001');
  await untilSynced(owner, accountId);
  // From here on the steps are taken by hand.
  await worker.stop();
  beside = new pg.Client(world.runtime.connections.url);
  await beside.connect();
  const { rows } = await beside.query(
    `INSERT INTO marketplace.report_request (company_id, account_id, plan, report_type, marketplace_ids)
     VALUES ($1, $2, 'manual', 'GET_MERCHANT_LISTINGS_ALL_DATA', ARRAY['ATVPDKIKX0DER']) RETURNING id`,
    [owner.companyId, accountId],
  );
  reportId = rows[0].id;
});
afterAll(async () => {
  await beside.end();
  await world.close();
});

async function stateOf(): Promise<{ status: string; queued: boolean } | undefined> {
  const { rows } = await beside.query(
    `SELECT status, EXISTS (SELECT FROM graphile_worker._private_jobs WHERE key = 'report:' || r.id) AS queued
       FROM marketplace.report_request AS r WHERE r.id = $1`,
    [reportId],
  );
  return rows[0];
}

/** Takes a step while somebody else writes the report's row, which its stream does when it asks for the window again. */
async function stepBeside(heldMs: number): Promise<void> {
  await beside.query('DELETE FROM graphile_worker._private_jobs WHERE key = $1', [`report:${reportId}`]);
  await beside.query('BEGIN');
  await beside.query('SELECT FROM marketplace.report_request WHERE id = $1 FOR UPDATE', [reportId]);
  const step = runReport(world.runtime, owner.companyId, reportId);
  await Promise.race([step, sleep(heldMs)]);
  await beside.query('COMMIT');
  await step;
}

test.for(['requested', 'ready', 'downloaded'])(
  'a report becomes %s although its row is held meanwhile',
  async (status) => {
    await stepBeside(500);
    expect(await stateOf()).toEqual({ status, queued: true });
  },
);

test('a load passes over a row that is held, and comes again', async () => {
  await stepBeside(60_000);
  expect(await stateOf()).toEqual({ status: 'downloaded', queued: true });
  await runReport(world.runtime, owner.companyId, reportId);
  expect((await stateOf())?.status).toBe('loaded');
});
