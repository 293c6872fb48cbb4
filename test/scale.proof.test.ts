// A thousand stores in ordinary work, a twentieth of them with two years of orders to load besides, at the limits that Amazon
// publishes. How many jobs a worker manages in a second is settled beforehand (WorkClock), so that what is measured is the
// product's and not the machine's; bench/limits.ts measures the latter.
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Done, endCounted, sharesOf, spawnCounted } from './support/counted-workers.ts';
import { createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { askForHistory, connectStores, freshness, type StoreWorld } from './support/stores.ts';
import { ToldClock } from './support/told-clock.ts';
import { longestDue, noteDue, type Waits, waitsByStream, waitsForPast } from './support/waits.ts';
import { WorkClock } from './support/work-clock.ts';
import { workerEnvironment } from './support/worker-process.ts';
import { TODAY } from './support/world.ts';

const STORES = 1_000;
const COMPANIES = 100;
/** One store in so many loads its past. */
const PAST_EVERY = 20;
/** For so long each number of workers works, s. */
const PHASE_SEC = 90;
/** Jobs a second of a worker, a fair part of what it does: two did 65 on two cores that had twelve processes to run. */
const PER_WORKER = 14;
/** In the second half of each phase searchOrders is refused, whoever asks. */
const STORM = { kind: 'throttleStorm', operation: 'searchOrders' } as const;
const STORM_AFTER_SEC = PHASE_SEC / 2;
/** Shorter waits are all alike, s: a worker without work looks into the queue once a second, and the clock goes by half seconds. */
const FLOOR_SEC = 2;
/** Nobody is left waiting for so long, s: else the work would be more than the workers manage. */
const LEFT_SEC = 30;
/** Of the nine reports that its limit lets a store order at once so many are waited for: the workers manage no more here. */
const AT_ONCE = 3;
const DAY_MS = 86_400_000;

const clock = new ToldClock(TODAY.getTime());
const answers = new Map<string, number>();
let world: MarketplaceWorld;
let stores: StoreWorld;
let admin: pg.Client;
let queue: pg.Client;
let work: WorkClock;

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return client;
}

beforeAll(async () => {
  const follows = { now: () => clock.ms() };
  world = await createMarketplaceWorld(
    {
      scenario: 'large',
      startAt: Math.floor(TODAY.getTime() / DAY_MS) * DAY_MS - 30 * DAY_MS,
      clock: { mode: 'real', at: TODAY.getTime() },
      throttleClock: follows,
      wallClock: follows,
      rateFactor: 1,
      reportDelayMs: [2_000, 6_000],
      watch: ({ operation, status }) => {
        const name = `${operation.name} ${status}`;
        answers.set(name, (answers.get(name) ?? 0) + 1);
      },
    },
    { leaseSec: 600, retryBaseMs: 2_000, reportMinuteMs: 60_000, backgroundDelaySec: 90, feedPauseSec: 300 },
  );
  admin = await connect();
  queue = await connect();
  work = new WorkClock(queue, clock);
  stores = { admin, runtime: world.runtime };
  await work.takeQueue();
  const companies: string[] = [];
  for (let n = 0; n < COMPANIES; n += 1) companies.push((await world.owner(`公司 ${n}`)).companyId);
  await work.follow(admin);
  await connectStores(stores, world.sandbox, STORES, companies, 3 * PHASE_SEC);
  await admin.query('ANALYZE');
});
afterAll(async () => {
  await admin.end();
  await queue.end();
  await world.close();
});

function tell(title: string, rows: readonly (readonly [string, string])[]): void {
  const lines = rows.map(([name, text]) => `  ${name.padEnd(44)} ${text}`);
  process.stdout.write(`${title}\n${lines.join('\n')}\n`);
}

const told = ({ stores: n, median, p95, longest }: Waits) =>
  `median ${median.toFixed(1)} s, p95 ${p95.toFixed(1)} s, longest ${longest.toFixed(1)} s (${n} stores)`;

const isFair = ({ median, longest }: Waits) => longest <= 2 * Math.max(median, FLOOR_SEC);

/** Works with so many processes for a phase, the marketplace refusing searchOrders in its second half; `begun` at its start. */
async function phase(workers: number, begun: () => Promise<void>): Promise<{ done: Done[]; struck: number }> {
  await work.hold();
  const env = { ...workerEnvironment(world), MARKETPLACE_CLOCK: 'database' };
  const children = await Promise.all(Array.from({ length: workers }, () => spawnCounted(env, clock.ms())));
  for (const child of children) world.workers.add(child);
  await begun();
  const { faults } = world.sandbox.world;
  await work.run(children, PER_WORKER * workers, STORM_AFTER_SEC);
  const { id } = faults.add(STORM);
  await work.run(children, PER_WORKER * workers, PHASE_SEC - STORM_AFTER_SEC);
  const done = await Promise.all(children.map(endCounted));
  const struck = faults.list().find((rule) => rule.id === id)?.struck ?? 0;
  faults.clear(id);
  return { done, struck };
}

test.each([2, 4])(
  '%i workers: nothing refused, everything fresh, no store waits twice as long as others',
  async (workers) => {
    answers.clear();
    const since = new Date(clock.ms());
    const { done, struck } = await phase(workers, async () => {
      await work.follow(admin);
      await noteDue(admin);
      await work.follow(admin);
      expect(await askForHistory(admin, PAST_EVERY, workers)).toBe((STORES / PAST_EVERY) * 24);
    });
    await work.follow(admin);
    const fresh = await freshness(stores);
    const waits = await waitsByStream(admin, since);
    const past = await waitsForPast(admin, since, AT_ONCE);
    const left = await longestDue(admin);
    const meters = world.sandbox.world.throttle.meters();
    const calls = [...answers.values()].reduce((sum, one) => sum + one, 0);
    const refused = [...answers].filter(([name]) => name.endsWith(' 429')).reduce((sum, [, one]) => sum + one, 0);
    const orders = waits.get('orders.live') ?? { stores: 0, median: 0, p95: 0, longest: 0 };
    const shares = sharesOf(done);
    const percents = shares.map((one) => `${(one * 100).toFixed(0)} %`).join(' / ');
    tell(`${STORES} stores, ${workers} workers, ${PHASE_SEC} s`, [
      ['calls', `${calls}, ${refused} refused, ${struck} of them by the storm`],
      ['shares', `${percents} of ${done.reduce((sum, one) => sum + one.jobs, 0)} jobs`],
      ['waits: the past', told(past)],
      ...[...waits].filter(([, one]) => one.stores >= 20).map(([name, one]) => [`waits: ${name}`, told(one)] as const),
      ...fresh.map((one) => [`age: ${one.stream}`, `${one.oldest.toFixed(1)} of ${one.goal} min`] as const),
      ['answers', JSON.stringify([...answers])],
    ]);

    expect(struck).toBeGreaterThan(0);
    expect(refused).toBe(struck);
    expect(meters.filter(({ throttled }) => throttled > 0)).toEqual([]);
    expect(fresh.filter(({ oldest, goal }) => oldest > goal)).toEqual([]);
    expect(left).toBeLessThan(LEFT_SEC);
    // Of the five minutes between two looks at a store's orders so much has gone by.
    expect(orders.stores).toBeGreaterThan((STORES * PHASE_SEC) / 300 / 2);
    expect(isFair(orders), `orders: ${told(orders)}`).toBe(true);
    expect(past.stores).toBe(STORES / PAST_EVERY);
    expect(past.longest).toBeLessThan(PHASE_SEC);
    expect(isFair(past), `past: ${told(past)}`).toBe(true);
    for (const share of shares) expect(share).toBeGreaterThan(0.6 / workers);
    for (const share of shares) expect(share).toBeLessThan(1.4 / workers);
  },
);
