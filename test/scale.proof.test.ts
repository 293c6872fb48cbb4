// A thousand stores in ordinary work, a tenth of them with two years of orders to load besides, at the limits that Amazon
// publishes. What a machine manages in a second is settled beforehand (WorkClock), so that the figures are the product's.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { endCounted, sharesOf, spawnCounted } from './support/counted-workers.ts';
import { askForHistory, connectStores, freshness } from './support/stores.ts';
import { ToldClock } from './support/told-clock.ts';
import { WorkClock } from './support/work-clock.ts';
import { workerEnvironment } from './support/worker-process.ts';
import { TODAY } from './support/world.ts';

const STORES = Number(process.env.STORES ?? 1_000);
const COMPANIES = STORES / 10;
const PHASE_SEC = Number(process.env.PHASE ?? 180);
const PER_WORKER = (Number(process.env.PER ?? 25) * STORES) / 1000;

const clock = new ToldClock(TODAY.getTime());
let world: MarketplaceWorld;
let admin: pg.Client;
let queue: pg.Client;
let work: WorkClock;
const told = new Map<string, number>();

beforeAll(async () => {
  const follows = { now: () => clock.ms() };
  world = await createMarketplaceWorld(
    {
      scenario: 'large',
      startAt: Math.floor(TODAY.getTime() / 86_400_000) * 86_400_000 - 30 * 86_400_000,
      clock: { mode: 'real', at: TODAY.getTime() },
      throttleClock: follows,
      wallClock: follows,
      rateFactor: 1,
      reportDelayMs: [2_000, 6_000],
      watch: ({ operation, status }) => {
        const key = `${operation.name} ${status}`;
        told.set(key, (told.get(key) ?? 0) + 1);
      },
    },
    { leaseSec: 600, retryBaseMs: 2_000, reportMinuteMs: 60_000, backgroundDelaySec: 90, feedPauseSec: 300 },
  );
  [admin, queue] = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client({ connectionString: world.databaseUrl });
      client.on('error', () => {});
      await client.connect();
      return client;
    }),
  ) as [pg.Client, pg.Client];
  work = new WorkClock(queue, clock);
  await work.takeQueue();
  const companies: string[] = [];
  for (let n = 0; n < COMPANIES; n += 1) companies.push((await world.owner(`公司 ${n}`)).companyId);
  await work.follow(admin);
  console.log('cursors', await connectStores({ admin, runtime: world.runtime }, world.sandbox, STORES, companies));
});
afterAll(async () => {
  await admin.end();
  await queue.end();
  await world.close();
});

test.each([2, 4])('%i workers', async (workers) => {
  await work.follow(admin);
  await admin.query('DROP TABLE IF EXISTS first_due');
  await admin.query('CREATE TABLE first_due AS SELECT company_id, account_id, stream, marketplace_id, not_before FROM marketplace.sync_cursor');
  await admin.query('ANALYZE');
  await askForHistory(admin, 10, workers);
  const start = clock.ms();
  const began = performance.now();
  told.clear();
  const env = { ...workerEnvironment(world), MARKETPLACE_CLOCK: 'database' };
  const children = await Promise.all(Array.from({ length: workers }, () => spawnCounted(env, clock.ms())));
  for (const child of children) world.workers.add(child);
  let said = 0;
  await work.run(children, PER_WORKER * workers, PHASE_SEC, async () => {
    if (performance.now() - said > 10_000) {
      said = performance.now();
      console.log(`${((clock.ms() - start) / 1000).toFixed(0)} s after ${((performance.now() - began) / 1000).toFixed(0)} s`, [...told.values()].reduce((a, b) => a + b, 0));
    }
  });
  const done = await Promise.all(children.map(endCounted));
  await work.follow(admin);
  console.log(sharesOf(done), done, [...told]);
  console.log(world.sandbox.world.throttle.meters().filter((m) => m.throttled > 0));
  console.table(await freshness({ admin, runtime: world.runtime }));
  const { rows } = await admin.query(
    `WITH run AS (SELECT company_id, account_id, marketplace_id, stream, started_at, lag(ended_at) OVER w AS before, lag(error) OVER w AS failed
                    FROM marketplace.sync_run WHERE started_at >= $1 WINDOW w AS (PARTITION BY account_id, stream, marketplace_id ORDER BY started_at)),
          wait AS (SELECT account_id, stream, started_at - f.not_before AS wait FROM run JOIN first_due AS f USING (account_id, stream, marketplace_id) WHERE before IS NULL
           UNION ALL SELECT account_id, stream, kit.now() - not_before FROM marketplace.sync_cursor WHERE not_before < kit.now()),
          store AS (SELECT account_id, stream, greatest(0, extract(epoch FROM max(wait)))::float8 AS sec FROM wait GROUP BY 1, 2)
     SELECT stream, count(*)::int AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY sec) AS median, percentile_cont(0.95) WITHIN GROUP (ORDER BY sec) AS p95, max(sec) FROM store GROUP BY 1 ORDER BY 1`,
    [new Date(start)],
  );
  console.table(rows);
  for (const nth of [1, 6, 9, 12]) {
    const { rows: past } = await admin.query(
      `WITH r AS (SELECT account_id, company_id, coalesce(asked_before, requested_at, kit.now()) - created_at AS wait, row_number() OVER (PARTITION BY account_id ORDER BY coalesce(asked_before, requested_at)) AS k
          FROM marketplace.report_request WHERE past AND created_at >= $1),
        s AS (SELECT account_id, extract(epoch FROM wait)::float8 AS sec FROM r WHERE k = $2)
       SELECT count(*)::int AS n, percentile_cont(0.5) WITHIN GROUP (ORDER BY sec) AS median, percentile_cont(0.95) WITHIN GROUP (ORDER BY sec) AS p95, max(sec) FROM s`,
      [new Date(start), nth],
    );
    console.log(nth, past);
  }
  console.log((await admin.query(`SELECT status, past, count(*), max(error) FROM marketplace.report_request GROUP BY 1, 2`)).rows);
  console.log((await admin.query(`SELECT stream, left(error, 60), count(*) FROM marketplace.sync_run WHERE error IS NOT NULL GROUP BY 1, 2`)).rows);
  expect(1).toBe(1);
});
