import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeConsents } from './support/consents.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';

const STORES = 30;
/** What the greedy store asks for: more than its saved-up calls, so that most of it must wait. */
const GREEDY = 24;
/** Three reports a second may be asked for, and as many documents: far less than the worker could do. */
const RATE_FACTOR = 180;
/** Business enough for every report that is asked for to have orders. */
const START = Date.UTC(2026, 5, 1);
const TODAY = START + 30 * 86_400_000;
const TYPE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';

let world: MarketplaceWorld;
let admin: pg.Pool;

beforeAll(async () => {
  const clock = { mode: 'frozen' as const, at: TODAY + 7 * 3_600_000 };
  world = await createMarketplaceWorld({ scenario: 'large', rateFactor: RATE_FACTOR, startAt: START, clock });
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
  const { companyId: crowded } = await world.owner('大卖家');
  const { companyId: small } = await world.owner('小卖家');
  const accounts = world.sandbox.business.accounts.slice(0, STORES);
  const consents = accounts.map((account, index) => ({ ...account, companyId: index === 0 ? crowded : small }));
  await writeConsents(admin as never, world.runtime.secrets, world.sandbox, consents);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Asks for orders of single days, `days` reports for each account of the SQL condition, the newest first. */
async function ask(condition: string, days: number): Promise<void> {
  await admin.query(
    `WITH asked AS (
       INSERT INTO marketplace.report_request
         (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to, priority)
       SELECT a.company_id, a.id, 'orders.history', $1,
              (SELECT array_agg(marketplace_id ORDER BY marketplace_id) FROM marketplace.seller_marketplace AS m
                WHERE m.company_id = a.company_id AND m.account_id = a.id),
              $3::timestamptz - make_interval(days => n), $3::timestamptz - make_interval(days => n - 1),
              9 + n
         FROM marketplace.seller_account AS a, generate_series(1, $2) AS n WHERE ${condition}
       RETURNING company_id, id, priority)
     SELECT kit.add_job('marketplace.report', json_build_object('companyId', company_id, 'requestId', id), NULL, NULL,
                        'report:' || id, priority, 12, 'replace') FROM asked`,
    [TYPE, days, new Date(TODAY)],
  );
}

const GREEDY_STORE = "a.selling_partner_id = 'ALSANDBOX0001' AND a.region = 'na'";

interface Progress {
  priority: number;
  status: string;
  greedy: boolean;
  asked: string | null;
}

async function progress(): Promise<Progress[]> {
  const { rows } = await admin.query<Progress>(
    `SELECT r.priority, r.status, ${GREEDY_STORE} AS greedy, r.requested_at::text AS asked
       FROM marketplace.report_request AS r
       JOIN marketplace.seller_account AS a ON a.company_id = r.company_id AND a.id = r.account_id
      ORDER BY r.requested_at`,
  );
  return rows;
}

test('a store that wants more than its limit keeps nobody waiting, exceeds nothing, and gets its newest first', async () => {
  await ask(GREEDY_STORE, GREEDY);
  await ask(`NOT (${GREEDY_STORE})`, 1);
  await world.work();
  await vi.waitFor(
    async () => {
      const others = (await progress()).filter(({ greedy }) => !greedy);
      expect(others).toHaveLength(STORES - 1);
      expect(others.filter(({ status }) => status !== 'loaded')).toEqual([]);
    },
    { timeout: PATIENCE_MS, interval: 100 },
  );
  const waiting = (await progress()).filter(({ greedy, status }) => greedy && status === 'planned');
  expect(waiting.length).toBeGreaterThan(0);
  await vi.waitFor(async () => expect((await progress()).filter(({ status }) => status !== 'loaded')).toEqual([]), {
    timeout: PATIENCE_MS,
    interval: 250,
  });
  const order = (await progress()).flatMap(({ greedy, priority }) => (greedy ? [priority] : []));
  // Jobs run side by side, so that neighbours may change places; but the old half waits for the new one.
  const half = 9 + GREEDY / 2;
  expect(order.slice(0, GREEDY / 4).filter((priority) => priority > half)).toEqual([]);
  expect(order.slice(-GREEDY / 4).filter((priority) => priority <= half)).toEqual([]);
  const meters = world.sandbox.world.throttle.meters();
  expect(meters.reduce((calls, meter) => calls + meter.calls, 0)).toBeGreaterThan(3 * GREEDY);
  expect(meters.filter(({ throttled }) => throttled > 0)).toEqual([]);
});
