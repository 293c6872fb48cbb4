import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeTurn } from '#modules/marketplace/server/sync/turn.ts';
import type { Unit } from '#modules/marketplace/server/sync/unit.ts';
import { writeConsents } from './support/consents.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);
const LIVE = 'settlements';
const LIVE_STORES = 10;
const PAST_STORES = 8;
const WINDOWS = 6;
/** Runs that are under way side by side. */
const SLOTS = 4;

let world: MarketplaceWorld;
let admin: pg.Pool;

beforeEach(async () => {
  const clock = { mode: 'frozen' as const, at: START + DAY };
  world = await createMarketplaceWorld({ scenario: 'large', startAt: START, clock });
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
});
afterEach(async () => {
  await admin.end();
  await world.close();
});

/** Companies with so many stores each, of which nothing has been read. */
async function companies(...stores: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  const consents = [];
  let from = 0;
  for (const [n, count] of stores.entries()) {
    const { companyId } = await world.owner(`公司 ${n}`);
    ids.push(companyId);
    for (const store of world.sandbox.business.accounts.slice(from, from + count))
      consents.push({ ...store, companyId });
    from += count;
  }
  await writeConsents(admin as never, world.runtime.secrets, world.sandbox, consents);
  await admin.query(
    `INSERT INTO marketplace.sync_turn (company_id, class)
     SELECT id, class FROM unnest($1::uuid[]) AS id, unnest('{live,gap,backfill}'::text[]) AS class`,
    [ids],
  );
  return ids;
}

/** A stream of every store of a company, due. */
async function dueStreams(companyId: string, stream: string, behind: boolean): Promise<string[]> {
  const { rows } = await admin.query<{ id: string }>(
    `INSERT INTO marketplace.sync_cursor (company_id, account_id, stream, behind, watermark, not_before)
     SELECT company_id, id, $2, $3, kit.now(), kit.now() - interval '1 second' FROM marketplace.seller_account
      WHERE company_id = $1 RETURNING id`,
    [companyId, stream, behind],
  );
  return rows.map((row) => row.id);
}

/** Reports of the past of every store, to be asked for, more urgent in the queue than any stream but orders. */
async function pastReports(companyId: string): Promise<void> {
  await admin.query(
    `INSERT INTO marketplace.report_request
       (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to, priority, past, next_at)
     SELECT a.company_id, a.id, 'orders.history', 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
            ARRAY(SELECT marketplace_id FROM marketplace.seller_marketplace AS m
                   WHERE m.company_id = a.company_id AND m.account_id = a.id),
            $2::timestamptz - make_interval(days => n), $2::timestamptz - make_interval(days => n - 1), 10 + n, true,
            kit.now() - interval '1 minute'
       FROM marketplace.seller_account AS a, generate_series(1, ${WINDOWS}) AS n WHERE a.company_id = $1`,
    [companyId, new Date(START)],
  );
}

test('classes get seven, two and one of ten turns; what one does not need the others have, and it saves nothing up', async () => {
  const [companyId = ''] = await companies(20);
  const [live = ''] = await dueStreams(companyId, LIVE, false);
  await dueStreams(companyId, 'listings', true);
  await pastReports(companyId);
  const offered: Unit = { kind: 'sync', companyId, id: live };
  const take = async (turns: number) => {
    const had: string[] = [];
    for (let n = 0; n < turns; n += 1) had.push((await takeTurn(world.runtime, offered))?.class ?? 'none');
    return had;
  };
  const count = (had: readonly string[], slot: string) => had.filter((one) => one === slot).length;
  const all = await take(100);
  expect([count(all, 'live'), count(all, 'gap'), count(all, 'backfill')]).toEqual([70, 20, 10]);

  await admin.query(`UPDATE marketplace.sync_cursor SET not_before = kit.now() + interval '1 hour'`);
  expect(count(await take(40), 'backfill')).toBe(40);
  await admin.query(`UPDATE marketplace.sync_cursor SET not_before = kit.now() - interval '1 second'`);
  const again = await take(20);
  expect(again[0]).toBe('live');
  // Of the forty turns that nobody else needed only the last one counts.
  expect([count(again, 'live'), count(again, 'gap'), count(again, 'backfill')]).toEqual([15, 4, 1]);
});

test('workers that choose at once never get the same report, and one that was offered a taken one leaves it alone', async () => {
  const [companyId = ''] = await companies(2);
  await pastReports(companyId);
  const { rows } = await admin.query<{ id: string }>('SELECT id FROM marketplace.report_request');
  for (let round = 0; round < 10; round += 1) {
    await admin.query('UPDATE marketplace.report_request SET taken_until = NULL');
    // Half of the workers were queued for one and the same report, and they are more than there are reports.
    const offers = [...rows.map(({ id }) => id), ...rows.map(() => rows[0]?.id ?? '')];
    const turns = await Promise.all(offers.map((id) => takeTurn(world.runtime, { kind: 'report', companyId, id })));
    const taken = turns.flatMap((turn) => (turn && !turn.again?.at ? [turn.unit.id] : []));
    expect(taken.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  }
});

test('a flood of the past does not delay what is live, and has all slots once that is read', async () => {
  const [flooded = '', small = ''] = await companies(PAST_STORES, LIVE_STORES);
  await pastReports(flooded);
  await dueStreams(small, LIVE, false);
  await admin.query(
    `SELECT kit.add_job('marketplace.report', json_build_object('companyId', company_id, 'requestId', id), NULL, NULL,
                        'report:' || id, priority, 12, 'replace') FROM marketplace.report_request`,
  );
  await admin.query(
    `SELECT kit.add_job('marketplace.sync', json_build_object('companyId', company_id, 'cursorId', id), NULL, NULL,
                        'sync:' || id, 30, 12, 'replace') FROM marketplace.sync_cursor`,
  );
  await world.work();
  const number = async (query: string) => Number((await admin.query<{ n: string }>(query)).rows[0]?.n);
  await expect
    .poll(() => number('SELECT count(*) AS n FROM marketplace.sync_run'), { timeout: PATIENCE_MS, interval: 250 })
    .toBe(LIVE_STORES);
  const before = await number(
    `SELECT count(*) AS n FROM marketplace.report_request
      WHERE requested_at < (SELECT max(started_at) FROM marketplace.sync_run)`,
  );
  expect(before).toBeLessThanOrEqual(LIVE_STORES * (10 / 70) + SLOTS);
  await expect
    .poll(() => number('SELECT count(*) AS n FROM marketplace.report_request WHERE requested_at IS NOT NULL'), {
      timeout: PATIENCE_MS,
      interval: 500,
    })
    .toBe(PAST_STORES * WINDOWS);
});
