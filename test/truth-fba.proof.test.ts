import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import { searchTerms, traffic } from '#modules/report/contract/reports.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from './support/marketplace.ts';
import { claimedPieces, owedPieces } from './support/truth-claims.ts';
import { productWarehouse, truthWarehouse, untilWarehouseSynced } from './support/truth-fba.ts';
import { productReports, truthReports, untilReportsEnded } from './support/truth-reports.ts';
import type { Person } from './support/world.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 5, 1);
const TABLES = [
  'ledger_event',
  'ledger_day',
  'customer_return',
  'reimbursement',
  'removal_line',
  'removal_parcel',
  'reserved_day',
  'storage_fee',
  'fee_preview',
];

// A business old enough for goods to be sent back, in which something of everything has happened.
const OLD = { seed: 'test-7', startAt: START, clock: { mode: 'frozen' as const, at: START + 100 * DAY } };

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;

beforeAll(async () => {
  world = await createMarketplaceWorld(OLD);
  await world.work();
  owner = await world.owner();
  ({ accountId } = await connectStore(owner));
  await untilWarehouseSynced(world, owner, accountId);
});
afterAll(() => world.close());

/** Versions of all rows: they change with every write, even one that changes nothing. */
async function versions(person: Person): Promise<Record<string, unknown[]>> {
  return world.as(person, async (ctx) => {
    const found: Record<string, unknown[]> = {};
    for (const table of TABLES) {
      const { rows } = await sql`
        SELECT day, row_id, xmin::text AS version FROM ${sql.table(`inventory.${table}`)}
         WHERE company_id = ${ctx.companyId} ORDER BY 1, 2`.execute(ctx.db);
      found[table] = rows;
    }
    return found;
  });
}

async function expectTruth(of: MarketplaceWorld, person: Person, account: string): Promise<void> {
  const truth = await truthWarehouse(of.sandbox, 'A1SANDBOX0001', 'na');
  expect(await productWarehouse(of, person, account)).toEqual(truth);
  for (const part of Object.values(truth)) expect(Object.keys(part)).not.toEqual([]);
}

test('the first synchronisation brings the warehouse books; a second one writes no row again', async () => {
  await expectTruth(world, owner, accountId);
  const before = await versions(owner);
  for (const table of TABLES) expect(before[table], table).not.toEqual([]);
  await world.as(owner, async (ctx) => {
    // As if the reports had never been asked for: all of them come again.
    await sql`DELETE FROM marketplace.report_request WHERE company_id = ${ctx.companyId} AND plan LIKE 'fba.%'`.execute(
      ctx.db,
    );
    await sql`
      UPDATE marketplace.sync_cursor SET watermark = NULL, last_success_at = NULL, not_before = kit.now()
       WHERE company_id = ${ctx.companyId} AND stream LIKE 'fba.%' AND stream <> 'fba.stock'`.execute(ctx.db);
  });
  await owner.call(syncNow, { body: { authid: accountId } });
  await untilWarehouseSynced(world, owner, accountId);
  expect(await versions(owner)).toEqual(before);
  const again = await world.as(owner, (ctx) =>
    ctx.db
      .selectFrom('marketplace.report_request')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', ctx.companyId)
      .where('plan', 'like', 'fba.%')
      .where('status', '=', 'loaded')
      .executeTakeFirstOrThrow(),
  );
  expect(again.n).toBeGreaterThan(10);
});

test('days conserve their pieces, in the reports and between them', async () => {
  await world.as(owner, async (ctx) => {
    const mine = sql`company_id = ${ctx.companyId} AND account_id = ${accountId}`;
    const odd =
      await sql`SELECT day, seller_sku FROM inventory.ledger_day WHERE ${mine} AND expected <> ending`.execute(ctx.db);
    expect(odd.rows).toEqual([]);
    const apart = await sql`
      SELECT day, seller_sku, disposition FROM (
        SELECT day, seller_sku, disposition, ending - starting AS pieces FROM inventory.ledger_day WHERE ${mine}
        UNION ALL
        SELECT day, seller_sku, disposition, -quantity FROM inventory.ledger_event WHERE ${mine}) AS told
       GROUP BY 1, 2, 3 HAVING sum(pieces) <> 0`.execute(ctx.db);
    expect(apart.rows).toEqual([]);
  });
});

test('what is claimed is what the marketplace owes: nothing that was planted is missed, and nothing else is found', async () => {
  const owed = owedPieces(world.sandbox, 'A1SANDBOX0001', 'na', world.runtime.clock.ms());
  await expect.poll(() => claimedPieces(world, owner, accountId), { timeout: 60_000 }).toEqual(owed);
  for (const part of Object.values(owed)) expect(Object.keys(part)).not.toEqual([]);
});

test('visits, feedback, ages and search terms are those of the marketplace', async () => {
  await untilReportsEnded(world, owner, 'report.%');
  const truth = truthReports(world.sandbox, 'A1SANDBOX0001');
  expect(await productReports(world, owner, accountId)).toEqual(truth);
  for (const part of Object.values(truth)) expect(Object.keys(part).length).toBeGreaterThan(5);
  const { records } = await owner.call(searchTerms.list, { body: { filter: {}, sort: 'rank', order: 'asc' } });
  expect(records[0]).toMatchObject({ rank: 1, mine: true });
  const sold = await owner.call(traffic.list, { body: { filter: { level: 'site' } } });
  expect(sold.records.length).toBeGreaterThan(10);
  for (const row of sold.records) expect(row.sessions).toBeGreaterThanOrEqual(row.units > 0 ? 1 : 0);
});

test('rows told twice, in disorder and in files that break off change nothing of that', async () => {
  const broken = await createMarketplaceWorld(OLD);
  const { faults } = broken.sandbox.world;
  faults.add({ kind: 'duplicateRows' });
  faults.add({ kind: 'shuffledRows' });
  faults.add({ kind: 'truncatedGzip', operation: 'downloadDocument', probability: 0.3, seed: 'fba' });
  try {
    await broken.work();
    const person = await broken.owner();
    const connected = await connectStore(person);
    await untilWarehouseSynced(broken, person, connected.accountId);
    await expectTruth(broken, person, connected.accountId);
    for (const { struck, rule } of faults.list()) expect(struck, rule.kind).toBeGreaterThan(0);
  } finally {
    await broken.close();
  }
});
