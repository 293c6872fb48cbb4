import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getRemind } from '#modules/message/contract/messages.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { syncNow } from '../contract/sync.ts';
import { runReport } from '../server/reports/run.ts';

const RETURNS = { plan: 'fba.returns', type: 'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA' };
const LISTINGS = { plan: 'listings', type: 'GET_MERCHANT_LISTINGS_ALL_DATA' };

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let admin: pg.Client;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  ({ accountId } = await connectStore(owner, 'A1SANDBOX0001'));
  admin = new pg.Client(world.databaseUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const daysAgo = (days: number) => new Date(world.sandbox.clock.now() - days * 86_400_000);

/** A report of a plan that is to be asked for, with the cursor that its plan runs by. */
async function planned({ plan, type }: typeof RETURNS): Promise<string> {
  const mine = [owner.companyId, accountId, plan];
  await admin.query('INSERT INTO marketplace.sync_cursor (company_id, account_id, stream) VALUES ($1, $2, $3)', mine);
  const { rows } = await admin.query<{ id: string }>(
    `INSERT INTO marketplace.report_request (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to)
     VALUES ($1, $2, $3, $4, ARRAY['ATVPDKIKX0DER'], $5, $6) RETURNING id`,
    [...mine, type, daysAgo(3), daysAgo(1)],
  );
  return rows[0]?.id ?? '';
}

async function standing(): Promise<{ plan: string; state: string; status: string; error: string | null }[]> {
  const { rows } = await admin.query(
    `SELECT c.stream AS plan, c.state, r.status, r.error FROM marketplace.sync_cursor AS c
       JOIN marketplace.report_request AS r ON r.account_id = c.account_id AND r.plan = c.stream ORDER BY 1`,
  );
  return rows;
}

test('a role that is missing for one report blocks its plan alone, is told, and is tried again when somebody wants it', async () => {
  const ids = [await planned(RETURNS), await planned(LISTINGS)];
  world.sandbox.world.faults.add({ kind: 'roleRemoved', operation: 'createReport', count: 1 });
  for (const id of ids) await runReport(world.runtime, owner.companyId, id);
  expect(await standing()).toMatchObject([
    { plan: RETURNS.plan, state: 'blocked_role', status: 'failed', error: expect.stringContaining('缺少权限角色') },
    { plan: LISTINGS.plan, state: 'ready', status: 'requested' },
  ]);
  const { records } = await owner.call(getRemind, { body: {} });
  expect(records.filter(({ title }) => title.startsWith('店铺缺少权限角色'))).toHaveLength(1);
  await owner.call(syncNow, { body: { authid: accountId } });
  expect(await standing()).toMatchObject([
    { plan: RETURNS.plan, state: 'ready', status: 'planned' },
    { plan: LISTINGS.plan, state: 'ready', status: 'requested' },
  ]);
});
