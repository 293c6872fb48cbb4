// A seller's first connection: two years of orders come by themselves, so that each month has last year's beside it.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountHealth } from '#modules/marketplace/contract/sync.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { productMonths, truthMonths } from '#test/support/truth-months.ts';
import { untilReportsEnded } from '#test/support/truth-reports.ts';
import type { Person } from '#test/support/world.ts';
import { ORDER_HISTORY } from '../server/sources/codes.ts';
import { orderHistory } from '../server/sources/report.ts';

const DAY = 86_400_000;
const SELLER = 'A1SANDBOX0001';
/** The seller began fourteen months ago; Amazon has nothing of the ten before. */
const SOLD_DAYS = 400;
const NOW = Date.UTC(2026, 6, 16, 7);
const WINDOWS = 25;

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;

beforeAll(async () => {
  world = await createMarketplaceWorld(
    { startAt: NOW - 7 * 3_600_000 - SOLD_DAYS * DAY, clock: { mode: 'frozen', at: NOW } },
    { orderHistoryDays: 730 },
  );
  owner = await world.owner();
  await world.work();
  ({ accountId } = await connectStore(owner, SELLER));
  await untilSynced(owner, accountId);
  await untilReportsEnded(world, owner, '%', PATIENCE_MS);
});
afterAll(() => world.close());

interface Asked {
  from: number;
  to: number;
  past: boolean;
  priority: number;
  generation: number;
  status: string;
}

async function history(): Promise<Asked[]> {
  const { rows } = await world.as(owner, (ctx) =>
    sql<Asked>`
      SELECT extract(epoch FROM data_from)::float8 * 1000 AS "from", extract(epoch FROM data_to)::float8 * 1000 AS "to",
             past, priority, generation, status
        FROM marketplace.report_request
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND plan = ${ORDER_HISTORY}
       ORDER BY data_from DESC`.execute(ctx.db),
  );
  return rows;
}

test('two years are asked for without a gap, thirty days at a time', async () => {
  const windows = await history();
  expect(windows).toHaveLength(WINDOWS);
  windows.slice(1).forEach((window, index) => {
    expect(window.to).toBe(windows[index]?.from);
  });
  expect(Math.max(...windows.map(({ from, to }) => to - from))).toBeLessThanOrEqual(30 * DAY);
  expect(windows.at(-1)?.from).toBe(Math.floor(NOW / DAY) * DAY - 730 * DAY);
  const { backfill, estimate, firstSyncDone } = await owner.call(accountHealth, { query: { authid: accountId } });
  expect(backfill.find(({ code }) => code === ORDER_HISTORY)).toMatchObject({
    done: WINDOWS,
    failed: 0,
    total: WINDOWS,
  });
  expect([firstSyncDone, estimate]).toEqual([true, null]);
});

test('every month since the seller began is the one in the marketplace’s books', async () => {
  const truth = truthMonths(world.sandbox, SELLER, 0);
  // Two sites, and this year's June and July have last year's beside them.
  expect(Object.keys(truth).length).toBeGreaterThanOrEqual(28);
  expect(Object.keys(truth).filter((key) => / 202[56]-0[67]$/.test(key))).toHaveLength(8);
  await expect.poll(() => productMonths(world, owner, accountId), { timeout: PATIENCE_MS }).toEqual(truth);
});

test('months without orders are asked for twice and believed then, the others once', async () => {
  const windows = await history();
  const began = NOW - 7 * 3_600_000 - SOLD_DAYS * DAY;
  for (const { to, status, generation } of windows) {
    expect([status, generation]).toEqual(to <= began ? ['empty', 2] : ['loaded', 1]);
  }
  const calls = world.sandbox.world.reports.filter(
    ({ reportType, dataStart }) =>
      reportType === orderHistory.reportType && windows.some(({ from }) => from === dataStart),
  );
  const empty = windows.filter(({ status }) => status === 'empty').length;
  expect(empty).toBe(11);
  expect(calls).toHaveLength(WINDOWS + empty);
});

test('a year ago waits behind all that is new, and what was empty once behind that', async () => {
  const [newest, ...past] = await history();
  expect(newest).toMatchObject({ past: false, priority: orderHistory.priority });
  expect(past.every((window) => window.past)).toBe(true);
  const first = past.filter(({ status }) => status === 'loaded');
  expect(first.map(({ priority }) => priority)).toEqual(
    first.map(({ priority }) => priority).toSorted((a, b) => a - b),
  );
  const old = past.filter(({ to }) => to < NOW - 150 * DAY);
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ most: number }>`
      SELECT max(priority) AS most FROM marketplace.report_request
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND plan <> ${ORDER_HISTORY} AND NOT past`.execute(
      ctx.db,
    ),
  );
  expect(Math.min(...old.map(({ priority }) => priority))).toBeGreaterThan(rows[0]?.most ?? Number.NaN);
  const again = past.filter(({ status }) => status === 'empty').map(({ priority }) => priority);
  expect(Math.min(...again)).toBeGreaterThan(Math.max(...first.map(({ priority }) => priority)));
});
