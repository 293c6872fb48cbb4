import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { listDead } from '../contract/quarantine.ts';
import { reportTasks } from '../contract/report-tasks.ts';

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  await world.work();
  owner = await world.owner();
  const { accountId } = await connectStore(owner, 'A1SANDBOX0001');
  await untilSynced(owner, accountId);
  await untilQuiet();
});
afterAll(() => world.close());

/** Waits until no report is under way. */
async function untilQuiet(): Promise<void> {
  for (let tries = 0; tries < 3000; tries += 1) {
    const filter = { status: ['planned', 'requested', 'ready', 'downloaded'] as never };
    if ((await owner.call(reportTasks, { body: { filter } })).total === 0) return;
    await sleep(200);
  }
  throw new Error('reports are still under way');
}

interface Request {
  type: string;
  status: string;
  generation: number;
}

/** Requests for windows, by type and window. */
async function requests(): Promise<Map<string, Request[]>> {
  const rows = await world.as(owner, async (ctx) => {
    const found = await sql<Request & { window: string }>`
      SELECT report_type AS type, status, generation,
             concat_ws(' ', report_type, marketplace_ids, data_from, data_to) AS window
        FROM marketplace.report_request WHERE company_id = ${ctx.companyId} AND data_from IS NOT NULL`.execute(ctx.db);
    return found.rows;
  });
  return Map.groupBy(rows, ({ window }) => window);
}

/** Runs every stream of reports once more, as their next turn would. */
async function readAgain(): Promise<void> {
  const syncJob = world.runtime.modules
    .flatMap((one) => one.jobs ?? [])
    .find(({ name }) => name === 'marketplace.sync');
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ id: string }>`
      UPDATE marketplace.sync_cursor SET not_before = kit.now()
       WHERE company_id = ${ctx.companyId} AND state = 'ready' AND stream NOT LIKE 'advertising.%' RETURNING id`.execute(
      ctx.db,
    ),
  );
  for (const { id } of rows) await syncJob?.run(world.runtime, { companyId: owner.companyId, cursorId: id } as never);
}

test('a window without data is asked for again with its stream, in its own row, and is empty again', async () => {
  const before = await requests();
  const empty = [...before].filter(([, rows]) => rows.some(({ status }) => status === 'empty'));
  // Amazon cancels what has no data, and is believed at once, or asked once more where nobody reads it again.
  expect(empty.length).toBeGreaterThan(0);
  expect(empty.flatMap(([, rows]) => rows.map(({ generation }) => generation)).filter((n) => n > 2)).toEqual([]);
  await readAgain();
  await untilQuiet();
  const after = await requests();
  expect([...after].filter(([, rows]) => rows.length > 1).map(([window]) => window)).toEqual([]);
  expect(empty.map(([window]) => after.get(window)?.map(({ status }) => status))).toEqual(empty.map(() => ['empty']));
  expect(await owner.call(listDead, {})).toEqual([]);
});
