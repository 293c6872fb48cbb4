import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { countStock, listStock, stockSummary, stockTimeline } from '../contract.ts';
import { folded, type SnapshotOf, type StockFact } from '../server/fact.ts';
import { landStock } from '../server/land.ts';
import { stockLoader } from '../server/loader.ts';
import { CA, makeAccount, source, stock, stockFile, US } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const shop = (): Promise<AccountRef> => makeAccount(world, owner);
const sites = (account: AccountRef) => ({ sites: [`${US}-${account.id}`, `${CA}-${account.id}`] });

function land(account: AccountRef, asOf: string, facts: readonly StockFact[], part: Partial<SnapshotOf> = {}) {
  const of = { accountId: account.id, marketplaceId: US, asOf, source: 'api' as const, ...part };
  return world.as(owner, (ctx) => landStock(ctx, of, facts));
}

const listOf = (account: AccountRef, filter: object = {}) =>
  owner.call(listStock, {
    body: { pagesize: 100, sort: 'product', order: 'asc', filter: { ...sites(account), ...filter } },
  });

async function timelineOf(account: AccountRef, sku: string, from: string, to: string) {
  const { records } = await listOf(account, { skus: [sku] });
  return owner.call(stockTimeline, { query: { id: records[0]?.id ?? '', from, to } });
}

/** Row versions of both tables: they change with every write, even one that changes nothing. */
async function versions(account: AccountRef) {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql`
      SELECT seller_sku, NULL::date AS day, xmin::text AS version FROM inventory.fba_stock
       WHERE company_id = ${ctx.companyId} AND account_id = ${account.id}
      UNION ALL
      SELECT seller_sku, day, xmin::text FROM inventory.fba_stock_day
       WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} ORDER BY 1, 2`.execute(ctx.db);
    return rows;
  });
}

describe('landing snapshots', () => {
  it('writes a snapshot once: the same again touches no row', async () => {
    const account = await shop();
    const facts = [stock('A'), stock('B', { fulfillable: 0, inboundShipped: 5 })];
    expect(await land(account, '2026-03-01T20:00:00Z', facts)).toEqual({
      rowsIn: 2,
      inserted: 2,
      updated: 0,
      unchanged: 0,
    });
    const before = await versions(account);
    expect(before).toHaveLength(4);
    expect(await land(account, '2026-03-01T21:00:00Z', facts)).toEqual({
      rowsIn: 2,
      inserted: 0,
      updated: 0,
      unchanged: 2,
    });
    expect(await versions(account)).toEqual(before);
  });

  it('keeps a SKU that vanished as a row of zeros, and fills it again when it returns', async () => {
    const account = await shop();
    await land(account, '2026-03-01T20:00:00Z', [stock('A'), stock('B', { reservedCustomer: 2 })]);
    expect(await land(account, '2026-03-02T20:00:00Z', [stock('A')])).toMatchObject({ updated: 1, unchanged: 1 });
    const gone = (await listOf(account)).records[1];
    expect(gone).toMatchObject({
      sellerSku: 'B',
      fulfillable: 0,
      reserved: 0,
      reservedCustomer: 0,
      total: 0,
      state: 'OUT',
    });
    await land(account, '2026-03-03T20:00:00Z', [stock('A'), stock('B', { fulfillable: 3 })]);
    expect((await listOf(account)).records.map((row) => row.fulfillable)).toEqual([10, 3]);
  });

  it('leaves a late older snapshot alone, in the present and in its day', async () => {
    const account = await shop();
    await land(account, '2026-03-02T20:00:00Z', [stock('A', { fulfillable: 7 })]);
    const late = await land(account, '2026-03-02T19:00:00Z', [stock('A', { fulfillable: 99 }), stock('Z')]);
    expect(late).toEqual({ rowsIn: 2, inserted: 0, updated: 0, unchanged: 2 });
    expect((await listOf(account)).records.map((row) => [row.sellerSku, row.fulfillable])).toEqual([['A', 7]]);
    const { days } = await timelineOf(account, 'A', '2026-03-02', '2026-03-02');
    expect(days.map((day) => day.fulfillable)).toEqual([7]);
  });

  it('keeps the last state of each day of the marketplace; a day without a reading is empty, not zero', async () => {
    const account = await shop();
    await land(account, '2026-03-02T07:00:00Z', [stock('A', { fulfillable: 5 })]); // still 1 March in Los Angeles
    await land(account, '2026-03-02T20:00:00Z', [stock('A', { fulfillable: 4 })]);
    await land(account, '2026-03-03T05:00:00Z', [stock('A', { fulfillable: 3 })]); // evening of 2 March
    await land(account, '2026-03-04T20:00:00Z', []);
    const { days } = await timelineOf(account, 'A', '2026-03-01', '2026-03-05');
    expect(days.map((day) => [day.day, day.fulfillable, day.total])).toEqual([
      ['2026-03-01', 5, 5],
      ['2026-03-02', 3, 3],
      ['2026-03-03', null, null],
      ['2026-03-04', 0, 0],
      ['2026-03-05', null, null],
    ]);
  });

  it('adds up two labels of one SKU, but not one row that was read twice', () => {
    const rows = folded([
      stock('A', { fnsku: 'X1', fulfillable: 1 }),
      stock('A', { fnsku: 'X1', fulfillable: 2 }),
      stock('A', { fnsku: 'X2', fulfillable: 5, reservedCustomer: null, reserved: 1 }),
      stock('A', { fnsku: 'X3', fulfillable: 9, condition: 'UsedGood' }),
    ]);
    expect(
      rows.map(({ condition, fulfillable, reserved, reservedCustomer, fnsku }) => [
        condition,
        fulfillable,
        reserved,
        reservedCustomer,
        fnsku,
      ]),
    ).toEqual([
      ['New', 7, 1, null, 'X2'],
      ['UsedGood', 9, 0, 0, 'X3'],
    ]);
  });

  it('adds up: rows, totals, sites and tabs tell the same pieces after any snapshots in any order', async () => {
    const pieces = fc.integer({ min: 0, max: 40 });
    const line = fc.record({
      sku: fc.constantFrom('A', 'B', 'C', 'D'),
      fulfillable: pieces,
      unsellable: fc.constantFrom(0, 0, 3),
      reservedCustomer: pieces,
      researching: fc.constantFrom(0, 1),
      inboundShipped: pieces,
    });
    const snapshot = fc.record({
      hour: fc.integer({ min: 0, max: 100 }),
      marketplaceId: fc.constantFrom(US, CA),
      lines: fc.uniqueArray(line, { selector: (one) => one.sku }),
    });
    const delivered = fc.uniqueArray(snapshot, { minLength: 1, maxLength: 6, selector: (s) => s.hour });
    await fc.assert(
      fc.asyncProperty(delivered, async (all) => {
        const account = await shop();
        const facts = (lines: (typeof all)[number]['lines']) => lines.map(({ sku, ...part }) => stock(sku, part));
        for (const { hour, marketplaceId, lines } of all) {
          await land(account, new Date(Date.UTC(2026, 2, 1, hour)).toISOString(), facts(lines), { marketplaceId });
        }
        // The newest snapshot of each marketplace is the truth.
        const wanted = [US, CA].flatMap((id) => {
          const newest = all.filter((s) => s.marketplaceId === id).toSorted((a, b) => b.hour - a.hour)[0];
          return facts(newest?.lines ?? []).map((fact) => ({ id, fact }));
        });
        const { records, totals, total } = await listOf(account);
        const present = records.filter((row) => row.total > 0);
        expect(present.map((row) => `${row.marketplaceId} ${row.sellerSku} ${row.total}`).sort()).toEqual(
          wanted
            .filter(({ fact }) => fact.statedTotal > 0)
            .map(({ id, fact }) => `${id} ${fact.sellerSku} ${fact.statedTotal}`)
            .sort(),
        );
        const summary = await owner.call(stockSummary, { body: { filter: sites(account) } });
        for (const key of [
          'fulfillable',
          'inbound',
          'reserved',
          'unsellable',
          'researching',
          'onHand',
          'total',
        ] as const) {
          const sum = records.reduce((acc, row) => acc + row[key], 0);
          expect(totals?.[key]).toBe(sum);
          expect(summary[key]).toBe(sum);
          expect(summary.sites.reduce((acc, site) => acc + site[key], 0)).toBe(sum);
        }
        for (const row of records) expect(row.onHand + row.inbound).toBe(row.total);
        expect(summary.skus).toBe(total);
        const counts = await owner.call(countStock, { body: { filter: sites(account) } });
        for (const tab of ['out', 'unsellable'] as const)
          expect((await listOf(account, { tab })).total).toBe(counts[tab]);
        expect(counts.all).toBe(total);
        expect(summary.out).toBe(counts.out);
      }),
      { numRuns: 20 },
    );
  });
});

describe('report files', () => {
  const load = (account: AccountRef, text: string) =>
    world.as(owner, (ctx) => stockLoader.load(ctx, source(account, text)));

  it('brings stock from a file; the same file twice changes nothing, even after newer news', async () => {
    const account = await shop();
    const file = stockFile([
      { sku: 'A', fulfillable: 4, reserved: 1 },
      { sku: 'B', fulfillable: 0 },
    ]);
    expect(await load(account, file)).toMatchObject({ rowsIn: 2, inserted: 2, updated: 0, unchanged: 0, refused: [] });
    expect(await load(account, file)).toMatchObject({ rowsIn: 2, inserted: 0, updated: 0, unchanged: 2, refused: [] });
    const { totals } = await listOf(account);
    expect(totals).toMatchObject({ fulfillable: 4, reserved: 1, total: 5 });
    await land(account, new Date(worldClock().ms() + 60_000).toISOString(), [stock('A', { fulfillable: 2 })]);
    await load(account, file);
    expect((await listOf(account)).records.map((row) => row.fulfillable)).toEqual([2, 0]);
  });

  it('keeps the parts of what is reserved while the sum stands, and forgets them when it moves', async () => {
    const account = await shop();
    await land(account, '2026-03-01T00:00:00Z', [stock('A', { reservedCustomer: 1, reservedTransfer: 2 })]);
    await load(account, stockFile([{ sku: 'A', fulfillable: 9, reserved: 3 }]));
    expect((await listOf(account)).records[0]).toMatchObject({ fulfillable: 9, reserved: 3, reservedTransfer: 2 });
    await load(account, stockFile([{ sku: 'A', fulfillable: 9, reserved: 4 }]));
    expect((await listOf(account)).records[0]).toMatchObject({ reserved: 4, reservedTransfer: null });
  });

  it('sets a damaged line aside with its reason while the others arrive, and warns of sums that do not hold', async () => {
    const account = await shop();
    const file = stockFile([
      { sku: 'A', fulfillable: 1 },
      { sku: 'B', fulfillable: 3 },
    ]).replace('\t9.99\t1\t', '\t9.99\tx\t');
    const { inserted, refused } = await load(account, file);
    expect(inserted).toBe(1);
    expect(refused).toMatchObject([{ lineNo: 2, reason: expect.stringContaining('“x”不是整数') }]);
    expect((await listOf(account)).records.map((row) => row.fulfillable)).toEqual([3]);
    const check = await stockLoader.check(source(account, stockFile([{ sku: 'A', fulfillable: 1, total: 8 }])));
    expect(check).toMatchObject({ rows: 1, summary: '美国 · 1 个SKU · 可售 1 · 合计 8' });
    expect(check.warnings).toContain('1 行的各项之和与报告的合计不符，按各项入库');
  });
});
