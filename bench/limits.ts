// A thousand stores at Amazon's published limits: how often a call was refused for being one too many, how fresh every
// stream stays, whether a store waits longer than the others, and how workers share the work.
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '#sandbox/index.ts';
import { sandboxAddresses } from '#src/app/sandbox.ts';
import { type Done, endCounted, sharesOf, spawnCounted } from '#test/support/counted-workers.ts';
import { askForHistory, connectStores, type Freshness, freshness } from '#test/support/stores.ts';
import { median, progress, step } from './support/measure.ts';
import type { BenchWorld } from './support/world.ts';

/** Of the stores one in so many fetches two years of orders at the same time. */
const BACKFILL_EVERY = 10;
const DAY_MS = 86_400_000;
/** Longer than all of it takes. */
const HOUR_SEC = 3_600;
const LOOK_EVERY_MS = 3_000;
const CATCH_UP_MS = 15_000;

interface Calls {
  calls: number;
  refused: number;
}

async function companiesOf(world: BenchWorld, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await world.company()).companyId);
  return ids;
}

function environment(world: BenchWorld, base: string): NodeJS.ProcessEnv {
  const { spApiBase, lwaTokenUrl, consentBase, applicationId, clientId, clientSecret } = sandboxAddresses(base);
  return {
    ...process.env,
    DATABASE_URL: world.url,
    DATA_DIR: world.runtime.config.dataDir,
    LOG_LEVEL: 'error',
    SPAPI_BASE_NA: spApiBase.na,
    SPAPI_BASE_EU: spApiBase.eu,
    SPAPI_BASE_FE: spApiBase.fe,
    LWA_TOKEN_URL: lwaTokenUrl,
    SP_CONSENT_BASE: consentBase,
    SP_APPLICATION_ID: applicationId,
    SP_CLIENT_ID: clientId,
    SP_CLIENT_SECRET: clientSecret,
    MARKETPLACE_CLOCK: 'database',
  };
}

/** Seconds for which each company's longest waiting store is past the time of its orders; none waits: 0. */
async function ordersPastDue(world: BenchWorld): Promise<{ company: string; sec: number }[]> {
  const { rows } = await world.admin.query<{ company: string; sec: number }>(
    `SELECT company_id AS company, greatest(0, max(extract(epoch FROM clock_timestamp() - not_before)))::float8 AS sec
       FROM marketplace.sync_cursor WHERE stream = 'orders.live' GROUP BY company_id`,
  );
  return rows;
}

/** Jobs that nobody has begun five seconds after their time. */
async function overdueJobs(world: BenchWorld): Promise<number> {
  const { rows } = await world.admin.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM graphile_worker._private_jobs
      WHERE run_at < now() - interval '5 seconds' AND locked_at IS NULL`,
  );
  return rows[0]?.n ?? 0;
}

const share = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

function line(name: string, text: string): void {
  console.log(`${name.padEnd(52)} ${text}`);
}

function tellCalls(title: string, counts: ReadonlyMap<string, Calls>, seconds: number): void {
  const sum = (of: (one: Calls) => number) => [...counts.values()].reduce((total, one) => total + of(one), 0);
  const calls = sum((one) => one.calls);
  const which = [...counts].flatMap(([name, { calls: all, refused }]) =>
    refused > 0 ? [`${name} ${refused} of ${all}`] : [],
  );
  const refused = `refused as too many: ${sum((one) => one.refused)} ${which.join(', ')}`;
  line(title, `${calls} calls (${(calls / seconds).toFixed(1)} /s), ${refused}   goal 0`);
}

function tellShares(title: string, done: readonly Done[]): void {
  const sum = (of: (one: Done) => number) => done.reduce((total, one) => total + of(one), 0);
  const jobs = sum((one) => one.jobs);
  const shares = sharesOf(done)
    .map((one) => `${(one * 100).toFixed(0)} %`)
    .join(' / ');
  const cost = `${(sum((one) => one.cpuMs) / Math.max(1, jobs)).toFixed(0)} ms of processor each`;
  line(`${title}: share of each worker`, `${shares} of ${jobs} jobs, ${sum((one) => one.failed)} failed, ${cost}`);
}

/** Streams that are read several times a day one by one; of the others how many are within their goal. */
function tellFreshness(title: string, fresh: readonly Freshness[]): void {
  for (const { stream, p95, oldest, goal } of fresh.filter((one) => one.goal <= 90)) {
    line(`${title}: ${stream}`, `p95 ${p95.toFixed(1)} min, oldest ${oldest.toFixed(1)} min   goal ${goal} min`);
  }
  const rare = fresh.filter((one) => one.goal > 90);
  const late = rare.filter((one) => one.oldest > one.goal).map((one) => one.stream);
  line(`${title}: ${rare.length} rarer streams`, `beyond their goal: ${late.join(', ') || 'none'}`);
}

function tellSpread(title: string, longest: readonly number[]): void {
  const [middle, p95, most] = [median(longest), share(longest, 0.95), share(longest, 1)];
  const text = `median company ${middle.toFixed(1)} s, p95 ${p95.toFixed(1)} s, slowest ${most.toFixed(1)} s`;
  line(`${title}: longest a store's orders were past due`, text);
}

/** Looks at the companies every few seconds, for `seconds`; the longest wait seen of each, s. */
async function watchWaits(world: BenchWorld, seconds: number): Promise<number[]> {
  const longest = new Map<string, number>();
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    await sleep(Math.min(LOOK_EVERY_MS, end - Date.now()));
    for (const { company, sec } of await ordersPastDue(world)) {
      longest.set(company, Math.max(sec, longest.get(company) ?? 0));
    }
  }
  return [...longest.values()];
}

async function phase(world: BenchWorld, base: string, workers: number, seconds: number, counts: Map<string, Calls>) {
  const env = environment(world, base);
  const children = await Promise.all(Array.from({ length: workers }, () => spawnCounted(env)));
  // What became due while nobody worked is not what is measured.
  await sleep(CATCH_UP_MS);
  counts.clear();
  const waits = await watchWaits(world, seconds);
  const [fresh, overdue] = [await freshness(world), await overdueJobs(world)];
  const done = await Promise.all(children.map(endCounted));
  const title = `limits, ${workers} workers, ${seconds} s`;
  tellCalls(title, counts, seconds);
  tellShares(title, done);
  line(`${title}: due for more than 5 s`, String(overdue));
  tellFreshness(title, fresh);
  tellSpread(title, waits);
}

/** `accounts` stores in a tenth as many companies, worked by two and then by four processes, `seconds` each. */
export async function limits(world: BenchWorld, accounts: number, seconds = 100): Promise<void> {
  const counts = new Map<string, Calls>();
  const sandbox = await startSandbox({
    scenario: 'large',
    startAt: Math.floor(Date.now() / DAY_MS) * DAY_MS - 30 * DAY_MS,
    watch: ({ operation, status }) => {
      const known = counts.get(operation.name) ?? { calls: 0, refused: 0 };
      known.calls += 1;
      if (status === 429) known.refused += 1;
      counts.set(operation.name, known);
    },
  });
  try {
    const companies = await companiesOf(world, Math.max(2, Math.round(accounts / 10)));
    const streams = await step('stores', () => connectStores(world, sandbox, accounts, companies, HOUR_SEC));
    progress(`${accounts} accounts of ${companies.length} companies, ${streams} streams`);
    await step('thirty days of business', async () => {
      const now = sandbox.clock.now();
      for (const account of sandbox.business.accounts.slice(0, accounts)) {
        for (const id of account.marketplaceIds) sandbox.business.truth(account, id, { from: 0, to: now }, now);
        await sleep(0);
      }
    });
    const asked = await askForHistory(world.admin, BACKFILL_EVERY, 0);
    progress(`${asked} reports of the past asked for`);
    for (const workers of [2, 4])
      await step(`${workers} workers`, () => phase(world, sandbox.url, workers, seconds, counts));
  } finally {
    await sandbox.close();
  }
}
