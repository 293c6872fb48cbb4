// A seller's first hour: he agrees once and presses nothing more. First figures come within a minute and a half at Amazon's
// own limits, two years of history follow behind the live work, and the time that is promised for them is kept.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kpi } from '#modules/dashboard/contract.ts';
import { listStock } from '#modules/inventory/contract.ts';
import { listListings } from '#modules/listing/contract.ts';
import { type AccountHealth, accountHealth } from '#modules/marketplace/contract/sync.ts';
import { listOrders } from '#modules/order/contract/orders.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { PATIENCE_MS } from './support/patience.ts';
import type { Person } from './support/world.ts';

const DAY = 86_400_000;
const SELLER = 'A1SANDBOX0001';
const START = Date.UTC(2024, 6, 1);
const DAYS = 731;
/** The first figures, as promised. */
const FIRST_FIGURES_SEC = 90;
/** So much faster than Amazon allows are the hours of history told. */
const FASTER = 20;
/** Live orders are promised within so many minutes; history waits for them and they for nothing. */
const LIVE_MIN = 15;
/** A promise is kept when it took between half and twice as long. */
const HONEST = 2;

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld(
    {
      startAt: START,
      clock: { mode: 'frozen', at: START + DAYS * DAY + 7 * 3_600_000 },
      rateFactor: 1,
      reportDelayMs: [15_000, 45_000],
    },
    { retryBaseMs: 2_000, reportMinuteMs: 60_000, backgroundDelaySec: 90, leaseSec: 60 },
  );
  owner = await world.owner();
  await world.work();
});
afterAll(() => world.close());

const health = (authid: string): Promise<AccountHealth> => owner.call(accountHealth, { query: { authid } });

/** What a seller looks at first; null while one of them is empty. */
async function firstFigures(): Promise<Record<string, number> | null> {
  const orders = await owner.call(listOrders, { body: { filter: {} } });
  const stock = await owner.call(listStock, { body: { filter: {} } });
  const listings = await owner.call(listListings, { body: { filter: {} } });
  const { units } = await owner.call(kpi, { body: { filter: { period: 'd7' } } });
  const found = { orders: orders.total, stock: stock.total, listings: listings.total, units: units.value };
  return Object.values(found).every((count) => count > 0) ? found : null;
}

test('one consent, nothing to press: figures at once, two years behind the live work, in the time that was promised', {
  timeout: 3 * PATIENCE_MS,
}, async () => {
  const { accountId } = await connectStore(owner, SELLER);
  const begun = Date.now();
  const since = () => (Date.now() - begun) / 1000;
  let first = await firstFigures();
  while (first === null) {
    expect(since(), JSON.stringify(await health(accountId))).toBeLessThan(2 * FIRST_FIGURES_SEC);
    await sleep(500);
    first = await firstFigures();
  }
  const firstSec = since();
  expect(firstSec).toBeLessThan(FIRST_FIGURES_SEC);

  // Progress that moves, and an estimate that rests on what Amazon allows, once it is known how much there is.
  await expect
    .poll(async () => (await health(accountId)).estimate, { timeout: PATIENCE_MS, interval: 1_000 })
    .not.toBe(null);
  const early = await health(accountId);
  expect(early.firstSyncDone).toBe(false);
  expect(early.estimate?.seconds).toBeGreaterThan(10 * 60);

  // The rest is told faster: the limits are as many times higher, and everything else is as it is.
  world.sandbox.world.throttle.rateFactor = FASTER;
  const sped = since();
  const told: { at: number; left: number; seconds: number; by: string }[] = [];
  let done = false;
  let stale = 0;
  while (!done) {
    await sleep(5_000);
    const now = await health(accountId);
    const live = now.streams.find(({ stream }) => stream === 'orders.live');
    stale = Math.max(stale, live?.delayMin ?? 0);
    const open = now.backfill.reduce((sum, plan) => sum + plan.total - plan.done - plan.failed, 0);
    done = now.firstSyncDone && open === 0;
    if (now.estimate) told.push({ at: since(), ...now.estimate });
    expect(since()).toBeLessThan((2 * PATIENCE_MS) / 1000);
  }
  const whole = since();
  // Rates are learned from answers: what was said before the first of them at the new rate was true of the old one.
  const known = told.filter(({ at }) => at > sped + 45 && whole - at > 45);
  const kept = known.map(({ at, seconds, left, by }) => ({ at, left, by, said: seconds, took: whole - at }));
  process.stdout.write(
    [
      `first figures after ${firstSec.toFixed(0)} s: ${JSON.stringify(first)}`,
      `after ${sped.toFixed(0)} s ${early.estimate?.left} reports were left, promised in ${early.estimate?.seconds} s at Amazon's limits`,
      `all of it after ${whole.toFixed(0)} s at ${FASTER} times the limits; live orders never older than ${stale} min`,
      ...kept
        .filter((_, index) => index % Math.ceil(kept.length / 10) === 0)
        .map(
          ({ at, left, said, took, by }) =>
            `${at.toFixed(0)} s: ${left} left, said ${said} s (${by}), took ${took.toFixed(0)} s`,
        ),
    ]
      .join('\n')
      .concat('\n'),
  );
  expect(stale).toBeLessThanOrEqual(LIVE_MIN);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.filter(({ said, took }) => said > took * HONEST || took > said * HONEST)).toEqual([]);

  // Two years are there, to the order.
  const account = world.sandbox.business.accounts.find((one) => one.sellingPartnerId === SELLER && one.region === 'na');
  if (!account) throw new Error(`no account ${SELLER}`);
  const to = world.sandbox.clock.now();
  const truths = account.marketplaceIds.map((id) => world.sandbox.business.truth(account, id, { from: 0, to }, to));
  const orders = truths.reduce((sum, truth) => sum + truth.orders, 0);
  const dates = { from: '2024-06-30', to: '2026-07-03' };
  const all = await owner.call(listOrders, { body: { filter: { dates, channel: 'AMAZON' } } });
  process.stdout.write(`${all.total} orders in two years, ${orders} sold\n`);
  expect(all.total).toBeGreaterThanOrEqual(orders);
  const oldest = await owner.call(listOrders, { body: { filter: { dates }, sort: 'purchasedAt', order: 'asc' } });
  expect(Date.parse(oldest.records[0]?.purchasedAt ?? '')).toBeLessThan(START + 2 * DAY);
});
