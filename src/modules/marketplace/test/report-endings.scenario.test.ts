import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { accountHealth } from '../contract/sync.ts';
import { runReport } from '../server/reports/run.ts';

const RETURNS = { plan: 'fba.returns', type: 'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA' };
const STOCK = { plan: 'fba.inventory', type: 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA' };
const DAY_MS = 86_400_000;

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let admin: pg.Client;

beforeAll(async () => {
  // Steps are taken by hand, and nobody waits for what is told of the next one.
  world = await createMarketplaceWorld({ rateFactor: 1_000_000_000 }, { reportMinuteMs: 60_000 });
  admin = new pg.Client(world.databaseUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});
beforeEach(async () => {
  owner = await world.owner();
  ({ accountId } = await connectStore(owner, 'A1SANDBOX0001'));
  world.sandbox.world.reports.length = 0;
  // All stories are one seller's, and each has his calls saved up.
  await admin.query('DELETE FROM marketplace.rate_bucket');
});
afterEach(async () => {
  world.sandbox.world.faults.clear();
  await admin.query("UPDATE marketplace.seller_account SET status = 'disabled'");
});

/** Midnight in Los Angeles, by which the returns' windows are cut, so many days ago. */
const daysAgo = (days: number) =>
  new Date(Math.floor(world.sandbox.clock.now() / DAY_MS) * DAY_MS - days * DAY_MS + 7 * 3_600_000).toISOString();

interface Row {
  id: string;
  status: string;
  generation: number;
  /** ISO. */
  from: string;
  to: string;
  report_id: string | null;
  calls: number;
  error: string | null;
  open: boolean;
  /** Seconds until the next step. */
  wait: number;
}

async function planned({ plan, type }: typeof RETURNS, from: string, to: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `INSERT INTO marketplace.report_request (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to)
     VALUES ($1, $2, $3, $4, ARRAY['ATVPDKIKX0DER'], $5, $6) RETURNING id`,
    [owner.companyId, accountId, plan, type, from, to],
  );
  return rows[0]?.id ?? '';
}

async function rows(): Promise<Row[]> {
  const found = await admin.query<Row>(
    `SELECT id, status, generation, data_from AS from, data_to AS to, report_id, calls, error, creating_since IS NOT NULL AS open,
            extract(epoch FROM next_at - kit.now())::float8 AS wait
       FROM marketplace.report_request WHERE account_id = $1 ORDER BY data_from, id`,
    [accountId],
  );
  return found.rows;
}

/** A step of a report, as a worker takes it. */
const go = (id: string) => runReport(world.runtime, owner.companyId, id);
const orders = () => world.sandbox.world.reports.map(({ reportId }) => reportId);

describe('a report is ordered once', () => {
  test('where the answer is lost the order is found in the list', async () => {
    const id = await planned(RETURNS, daysAgo(9), daysAgo(5));
    world.sandbox.world.faults.add({ kind: 'timeoutAfter', operation: 'createReport', count: 1, ms: 20 });
    await go(id);
    expect(await rows()).toMatchObject([{ status: 'planned', open: true, report_id: null }]);
    expect(orders()).toHaveLength(1);
    await go(id);
    // The order, and the look at the list.
    expect(await rows()).toMatchObject([{ status: 'requested', open: false, report_id: orders()[0], calls: 2 }]);
    expect(orders()).toHaveLength(1);
  });

  test('where the process ended before its call the list is given time, and then it is ordered', async () => {
    const id = await planned(RETURNS, daysAgo(9), daysAgo(5));
    // The same report of other days is not it.
    await go(await planned(RETURNS, daysAgo(15), daysAgo(9)));
    const since = new Date(world.sandbox.clock.now() - 60_000);
    const left = 'UPDATE marketplace.report_request SET creating_since = $2, creating_at = kit.now() WHERE id = $1';
    await admin.query(left, [id, since]);
    await go(id);
    expect((await rows())[1]).toMatchObject({ status: 'planned', open: true });
    await admin.query(
      "UPDATE marketplace.report_request SET creating_at = kit.now() - interval '1 minute' WHERE id = $1",
      [id],
    );
    await go(id);
    expect((await rows())[1]).toMatchObject({ status: 'planned', open: false });
    await go(id);
    expect((await rows())[1]).toMatchObject({ status: 'requested', report_id: orders()[1] });
    expect(orders()).toHaveLength(2);
  });

  test('a call that the limits held back, or that was refused, leaves nothing to look for', async () => {
    const id = await planned(RETURNS, daysAgo(9), daysAgo(5));
    world.sandbox.world.faults.add({ kind: 'roleRemoved', operation: 'createReport', count: 1 });
    await go(id);
    expect(await rows()).toMatchObject([{ status: 'failed', open: false }]);
  });
});

describe('what Amazon cancels', () => {
  test('has no data, and is believed at once: an empty window costs one order', async () => {
    const id = await planned(RETURNS, daysAgo(900), daysAgo(880));
    await go(await planned(RETURNS, daysAgo(880), daysAgo(860)));
    await go(id);
    await go(id);
    expect((await rows())[0]).toMatchObject({ status: 'empty', generation: 1, error: '亚马逊返回无数据' });
    expect(orders()).toHaveLength(2);
  });

  test('is asked for once more after the interval where nobody reads it again, and counts as read meanwhile', async () => {
    const id = await planned(RETURNS, daysAgo(900), daysAgo(880));
    await admin.query('UPDATE marketplace.report_request SET past = true WHERE id = $1', [id]);
    const read = async () => {
      const { backfill } = await owner.call(accountHealth, { query: { authid: accountId } });
      return backfill.map(({ code, done, total }) => ({ code, done, total }));
    };
    await go(id);
    expect(await read()).toEqual([{ code: RETURNS.plan, done: 0, total: 1 }]);
    await go(id);
    const [once] = await rows();
    expect(once).toMatchObject({ status: 'planned', generation: 2, error: '亚马逊返回无数据' });
    expect(Math.round((once?.wait ?? 0) / 60)).toBe(240);
    expect(await read()).toEqual([{ code: RETURNS.plan, done: 1, total: 1 }]);
    await go(id);
    // The steps come at once here, which Amazon could take for too soon.
    await admin.query(
      "UPDATE marketplace.report_request SET asked_before = asked_before - interval '4 hours' WHERE id = $1",
      [id],
    );
    await go(id);
    expect(await rows()).toMatchObject([{ status: 'empty', generation: 2 }]);
    expect(orders()).toHaveLength(2);
  });

  test('was asked for too soon after another of the same time: it is asked for again after the interval', async () => {
    const [before, now] = [1000, 0].map((ms) => new Date(world.sandbox.clock.now() - ms).toISOString()) as [
      string,
      string,
    ];
    await go(await planned(STOCK, before, before));
    world.sandbox.world.faults.add({ kind: 'reportCancelled', reportType: STOCK.type, count: 1 });
    const id = await planned(STOCK, now, now);
    await go(id);
    await go(id);
    const [, cancelled] = await rows();
    expect(cancelled).toMatchObject({ status: 'planned', generation: 2, error: '亚马逊取消：距上次申请过近' });
    expect(Math.round((cancelled?.wait ?? 0) / 60)).toBe(30);
    await go(id);
    await go(id);
    expect((await rows())[1]).toMatchObject({ status: 'ready', generation: 2 });
  });
});

describe('what Amazon cannot make', () => {
  test('is asked for again after the type’s interval, then in halves that cover the same days, down to one', async () => {
    world.sandbox.world.faults.add({ kind: 'reportFatal', reportType: RETURNS.type });
    const [from, to] = [daysAgo(9), daysAgo(6)];
    const id = await planned(RETURNS, from, to);
    await go(id);
    await go(id);
    const [again] = await rows();
    expect(again).toMatchObject({ id, status: 'planned', generation: 2, error: '亚马逊生成报表失败' });
    expect(Math.round((again?.wait ?? 0) / 60)).toBe(240);
    await go(id);
    await go(id);
    const halves = await rows();
    expect(halves.map((half) => [half.from, half.to, half.status, half.generation])).toEqual([
      [from, daysAgo(7), 'planned', 2],
      [daysAgo(7), to, 'planned', 2],
    ]);
    for (const half of halves) {
      await go(half.id);
      await go(half.id);
    }
    expect((await rows()).map((one) => [one.from, one.to, one.generation])).toEqual([
      [from, daysAgo(8), 2],
      [daysAgo(8), daysAgo(7), 2],
      [daysAgo(7), to, 3],
    ]);
    const [, , last] = await rows();
    await go(last?.id ?? '');
    await go(last?.id ?? '');
    const reason = 'An internal error prevented the report from being generated.';
    expect((await rows())[2]).toMatchObject({ status: 'failed', error: `亚马逊生成报表失败：${reason}` });
    world.sandbox.world.faults.clear();
    const days = (await rows()).slice(0, 2);
    for (const { id: day } of days) {
      // Ordered, made and fetched.
      for (let steps = 0; steps < 3; steps += 1) await go(day);
    }
    expect((await rows()).slice(0, 2).map((one) => one.status)).toEqual(['empty', 'downloaded']);
  });
});
