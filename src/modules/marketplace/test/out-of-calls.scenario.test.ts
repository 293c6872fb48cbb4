import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeConsents } from '#test/support/consents.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { runReport } from '../server/reports/run.ts';

/** Two years of orders by months; the limit of fifteen leaves nine to the past. */
const REPORTS = 24;
const AT_ONCE = 9;

let world: MarketplaceWorld;
let admin: pg.Client;

beforeAll(async () => {
  world = await createMarketplaceWorld({ rateFactor: 1 });
  admin = new pg.Client({ connectionString: world.databaseUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

interface Asked {
  id: string;
  status: string;
  /** Seconds until it is looked at again. */
  sec: number;
  queued: number;
}

async function asked(): Promise<Asked[]> {
  const { rows } = await admin.query<Asked>(
    `SELECT r.id, r.status, extract(epoch FROM r.next_at - kit.now())::float8 AS sec,
            extract(epoch FROM j.run_at - now())::float8 AS queued
       FROM marketplace.report_request AS r LEFT JOIN graphile_worker._private_jobs AS j ON j.key = 'report:' || r.id
      ORDER BY r.priority`,
  );
  return rows;
}

test('the first report that finds no call left sends all others to their places, a call apart, in one turn', async () => {
  const { companyId } = await world.owner();
  const seller = world.sandbox.business.accounts[0];
  if (!seller) throw new Error('nobody sells');
  await writeConsents(admin, world.runtime.secrets, world.sandbox, [{ ...seller, companyId }]);
  await admin.query(
    `INSERT INTO marketplace.report_request
       (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to, priority, past)
     SELECT company_id, id, 'orders.history', 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL', $1,
            $2::timestamptz - make_interval(days => 30 * n), $2::timestamptz - make_interval(days => 30 * n - 30), 10 + n, true
       FROM marketplace.seller_account, generate_series(1, ${REPORTS}) AS n`,
    [[...seller.marketplaceIds], new Date(world.sandbox.clock.now())],
  );
  const ids = (await asked()).map(({ id }) => id);
  for (const id of ids.slice(0, AT_ONCE + 1)) await runReport(world.runtime, companyId, id);

  const rows = await asked();
  expect(rows.slice(0, AT_ONCE).map(({ status }) => status)).toEqual(Array(AT_ONCE).fill('requested'));
  const waiting = rows.slice(AT_ONCE);
  expect(waiting.map(({ status }) => status)).toEqual(Array(REPORTS - AT_ONCE).fill('planned'));
  // A call comes in a minute; the newest report has the first one.
  waiting.forEach(({ sec, queued }, place) => {
    expect(sec / 60).toBeGreaterThan(place + 0.5);
    expect(sec / 60).toBeLessThan(place + 1.2);
    expect(Math.abs(sec - queued)).toBeLessThan(5);
  });
});
