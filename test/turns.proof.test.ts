import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inSystem } from '#kit/server/runtime.ts';
import { overdueStreams } from '#modules/marketplace/server/sync/schedule.ts';
import { nextTurn } from '#modules/marketplace/server/sync/turn.ts';
import { writeConsents } from './support/consents.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';

const CROWDED = 40;
const SMALL_COMPANIES = 5;
const STORES_OF_SMALL = 2;
/** Runs that are under way side by side. */
const SLOTS = 4;
const STREAM = 'settlements';
const START = Date.UTC(2026, 5, 1);
/** For the size that is promised: a thousand stores, each with as many streams as one has. */
const COMPANIES = 250;
const STORES_EACH = 4;

let world: MarketplaceWorld;
let admin: pg.Pool;

beforeAll(async () => {
  const clock = { mode: 'frozen' as const, at: START + 86_400_000 };
  world = await createMarketplaceWorld({ scenario: 'large', startAt: START, clock });
  admin = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  admin.on('error', () => {});
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Makes one stream of every store due, and queues the stores of one company before those of all others. */
async function queueCrowdedFirst(crowded: string): Promise<void> {
  await admin.query(
    `WITH given AS (
       INSERT INTO marketplace.sync_cursor (company_id, account_id, stream, watermark, not_before)
       SELECT company_id, id, $1, kit.now(), kit.now() - interval '1 second' FROM marketplace.seller_account
       RETURNING company_id, id),
     turns AS (INSERT INTO marketplace.sync_turn (company_id) SELECT DISTINCT company_id FROM given)
     SELECT kit.add_job('marketplace.sync', json_build_object('companyId', company_id, 'cursorId', id), NULL, NULL,
                        'sync:' || id, 30, 12, 'replace')
       FROM (SELECT * FROM given ORDER BY company_id <> $2, id) AS ordered`,
    [STREAM, crowded],
  );
}

test('a company with many stores keeps no company waiting that has few: each in its turn', async () => {
  const { companyId: crowded } = await world.owner('大卖家');
  const small: string[] = [];
  for (let n = 0; n < SMALL_COMPANIES; n += 1) small.push((await world.owner(`小卖家 ${n}`)).companyId);
  const stores = world.sandbox.business.accounts.slice(0, CROWDED + SMALL_COMPANIES * STORES_OF_SMALL);
  const companyOf = (index: number) => small[Math.floor((index - CROWDED) / STORES_OF_SMALL)] ?? crowded;
  const consents = stores.map((store, index) => ({ ...store, companyId: companyOf(index) }));
  await writeConsents(admin as never, world.runtime.secrets, world.sandbox, consents);
  await queueCrowdedFirst(crowded);
  await world.work();
  const order = async (): Promise<string[]> =>
    (
      await admin.query<{ company_id: string }>(`SELECT company_id FROM marketplace.sync_run ORDER BY started_at`)
    ).rows.map((row) => row.company_id);
  await expect.poll(async () => (await order()).length, { timeout: PATIENCE_MS, interval: 250 }).toBe(stores.length);
  const runs = await order();
  // A round is one stream of each company; what was begun side by side may change places.
  const rounds = STORES_OF_SMALL * (SMALL_COMPANIES + 1) + SLOTS;
  for (const company of small) {
    expect(runs.filter((one) => one === company)).toHaveLength(STORES_OF_SMALL);
    expect(runs.lastIndexOf(company), 'last run of a small company').toBeLessThan(rounds);
  }
  // Every stream ran once: who gave his place away had his own run later.
  const { rows } = await admin.query(
    `SELECT FROM marketplace.sync_cursor WHERE last_success_at IS NULL OR not_before < kit.now() OR lease_version <> 1`,
  );
  expect(rows).toEqual([]);
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  Plans?: Plan[];
}
interface Explained {
  Plan: Plan;
  'Execution Time': number;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

async function explained(query: ReturnType<typeof overdueStreams>): Promise<Explained> {
  return inSystem(world.runtime, async (db) => {
    const { rows } = await sql<{ 'QUERY PLAN': [Explained] }>`
      EXPLAIN (ANALYZE, FORMAT JSON) ${query}`.execute(db);
    const found = rows[0]?.['QUERY PLAN'][0];
    if (!found) throw new Error('no plan');
    return found;
  });
}

test('whose turn it is and what is overdue is found by index among the streams of a thousand stores', async () => {
  await admin.query(
    `WITH streams AS (SELECT 'stream ' || n AS stream FROM generate_series(1, 25) AS n),
          companies AS (SELECT gen_random_uuid() AS id, c FROM generate_series(1, ${COMPANIES}) AS c),
          stores AS (INSERT INTO marketplace.store (company_id, id, name)
                     SELECT id, gen_random_uuid(), 's' || n FROM companies, generate_series(1, ${STORES_EACH}) AS n
                     RETURNING company_id, id),
          accounts AS (INSERT INTO marketplace.seller_account (company_id, store_id, selling_partner_id, region, application_id, refresh_token_sealed, expires_at)
                       SELECT company_id, id, left(md5(id::text), 14), 'na', 'app', 'x', kit.now() + interval '1 year' FROM stores RETURNING company_id, id),
          turns AS (INSERT INTO marketplace.sync_turn (company_id, served_at)
                    SELECT id, kit.now() - make_interval(secs => c) FROM companies),
          others AS (INSERT INTO marketplace.sync_turn (company_id, class, served_at)
                     SELECT id, class, kit.now() - make_interval(secs => c) FROM companies, unnest('{gap,backfill}'::text[]) AS class),
          reports AS (INSERT INTO marketplace.report_request
                        (company_id, account_id, plan, report_type, marketplace_ids, past, next_at)
                      SELECT company_id, id, 'p', 't', '{}', n > 5, kit.now() + make_interval(mins => n)
                        FROM accounts, generate_series(1, 40) AS n),
          past AS (INSERT INTO marketplace.sync_backfill
                     (company_id, account_id, stream, data_from, data_to, read_down_to, next_at)
                   SELECT company_id, id, 'stream 1', kit.now() - interval '9 days', kit.now(), kit.now(), kit.now() + interval '1 minute'
                     FROM accounts)
     INSERT INTO marketplace.sync_cursor (company_id, account_id, stream, behind, not_before)
     SELECT a.company_id, a.id, stream, random() < 0.2, kit.now() + interval '10 minutes' * random() + interval '1 minute'
       FROM accounts AS a, streams`,
  );
  // One company is behind with everything, and it was served last.
  await admin.query(
    `UPDATE marketplace.sync_cursor SET not_before = kit.now() - interval '1 hour'
      WHERE company_id = (SELECT company_id FROM marketplace.sync_turn ORDER BY served_at DESC LIMIT 1)`,
  );
  for (const [table, due] of [
    ['report_request', 'past'],
    ['sync_backfill', 'true'],
  ]) {
    await admin.query(
      `UPDATE marketplace.${table} SET next_at = kit.now() - interval '1 hour' WHERE ${due} AND company_id =
         (SELECT company_id FROM marketplace.sync_turn WHERE class = 'backfill' ORDER BY served_at DESC LIMIT 1)`,
    );
  }
  await admin.query(`ANALYZE marketplace.sync_cursor, marketplace.sync_turn, marketplace.seller_account,
                             marketplace.report_request, marketplace.sync_backfill`);
  const streams = Array.from({ length: 25 }, (_, n) => `stream ${n + 1}`);
  const urgency = { streams, most: 100 };
  const turns = [nextTurn('live', urgency), nextTurn('live'), nextTurn('gap'), nextTurn('backfill')];
  for (const query of [...turns, overdueStreams()]) {
    const { Plan: plan, 'Execution Time': ms } = await explained(query as never);
    const nodes = nodesOf(plan);
    const text = nodes.map((node) =>
      `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? ''}`.trim(),
    );
    process.stdout.write(`${text.join(' > ')}: ${ms} ms\n`);
    const scanned = nodes.filter((node) =>
      /^(sync_cursor|report_request|sync_backfill)$/.test(node['Relation Name'] ?? ''),
    );
    expect(scanned.length).toBeGreaterThan(0);
    expect(
      scanned.every((node) => /^(Index|Bitmap)/.test(node['Node Type'])),
      text.join(' > '),
    ).toBe(true);
  }
});
