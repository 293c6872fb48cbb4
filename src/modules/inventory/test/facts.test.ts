import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountRef, ledgerDetail } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { wholeDays } from '../server/facts/merge.ts';
import { asked, DETAIL, type Load, loading, move, tsv } from './facts-support.ts';
import { makeAccount } from './support.ts';

let world: World;
let owner: Person;
let load: Load;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  load = loading(world, owner);
});
afterAll(() => world.close());

async function stored(account: AccountRef, table: string, columns: string): Promise<unknown[]> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql`
      SELECT ${sql.raw(columns)} FROM ${sql.table(`inventory.${table}`)}
       WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} ORDER BY day, row_id`.execute(ctx.db);
    return rows;
  });
}

const quantities = async (account: AccountRef): Promise<number[]> =>
  (await stored(account, 'ledger_event', 'quantity'))
    .map((row) => (row as { quantity: number }).quantity)
    .sort((a, b) => a - b);

describe('movements', () => {
  it('told twice under one reference count once; without a reference they may have happened twice', async () => {
    const account = await makeAccount(world, owner);
    const named = move(2, -1);
    const nameless = move(2, -2, { 'Reference ID': '' });
    const text = tsv(DETAIL, [move(1, 10), named, named, nameless, nameless]);
    expect(await load(account, ledgerDetail.type, text, asked('2026-06-01', '2026-06-03', '10:00'))).toMatchObject({
      rowsIn: 5,
      inserted: 4,
    });
    expect(await quantities(account)).toEqual([-2, -2, -1, 10]);
  });

  it('have the same names in whatever order they come, and a second load writes nothing', async () => {
    const account = await makeAccount(world, owner);
    const rows = [move(1, 10), move(2, -1), move(2, -2, { 'Reference ID': '' }), move(2, -2, { 'Reference ID': '' })];
    const period = asked('2026-06-01', '2026-06-03', '10:00');
    await load(account, ledgerDetail.type, tsv(DETAIL, rows), period);
    const before = await stored(account, 'ledger_event', 'row_id, xmin::text AS version');
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: rows.length }), async (shuffled) => {
        const counts = await load(account, ledgerDetail.type, tsv(DETAIL, shuffled), period);
        expect(counts).toMatchObject({ inserted: 0, updated: 0, unchanged: 4 });
        expect(await stored(account, 'ledger_event', 'row_id, xmin::text AS version')).toEqual(before);
      }),
      { numRuns: 6 },
    );
  });

  it('of a day are replaced as a whole by a later report, and never by an earlier one', async () => {
    const account = await makeAccount(world, owner);
    const whole = tsv(DETAIL, [move(1, 10), move(2, -1), move(3, -3)]);
    await load(account, ledgerDetail.type, whole, asked('2026-06-01', '2026-06-04', '10:00'));
    // The second of June was told wrongly: nothing happened then. The others were not asked for.
    const corrected = tsv(DETAIL, [move(3, -4)]);
    const period = asked('2026-06-02', '2026-06-04', '12:00');
    expect(await load(account, ledgerDetail.type, corrected, period)).toMatchObject({ inserted: 1, updated: 2 });
    expect(await quantities(account)).toEqual([-4, 10]);
    const late = await load(account, ledgerDetail.type, whole, asked('2026-06-01', '2026-06-04', '11:00'));
    expect(late).toMatchObject({ inserted: 0 });
    expect(await quantities(account)).toEqual([-4, 10]);
  });

  it('of a day that a report cuts off are not taken back by it, however long it waited to be asked for', async () => {
    const account = await makeAccount(world, owner);
    const cut = { ...asked('2026-06-01', '2026-06-02', '12:00'), to: '2026-06-02T20:00:00.000Z' };
    const planned = { ...cut, plannedAt: '2026-07-01T09:00:00.000Z' };
    const next = { ...asked('2026-06-02', '2026-06-03', '11:00'), plannedAt: '2026-07-01T10:00:00.000Z' };
    await load(account, ledgerDetail.type, tsv(DETAIL, [move(2, -1), move(2, -3, { 'Reference ID': 'late' })]), next);
    const stale = tsv(DETAIL, [move(1, 10), move(2, -1)]);
    expect(await load(account, ledgerDetail.type, stale, planned)).toMatchObject({ inserted: 1 });
    expect(await quantities(account)).toEqual([-3, -1, 10]);
    // What was planned later knows the whole day, whoever was asked first.
    await load(account, ledgerDetail.type, tsv(DETAIL, [move(2, -1)]), { ...next, at: '2026-07-01T13:00:00.000Z' });
    expect(await quantities(account)).toEqual([-1, 10]);
  });

  it('of an upload fill the days that Amazon has not told, and leave the others alone', async () => {
    const account = await makeAccount(world, owner);
    await load(account, ledgerDetail.type, tsv(DETAIL, [move(2, 5)]), asked('2026-06-02', '2026-06-03', '10:00'));
    const upload = tsv(DETAIL, [move(1, 10), move(2, 99), move(13, 7)]);
    expect(await load(account, ledgerDetail.type, upload)).toMatchObject({ inserted: 2 });
    expect(await quantities(account)).toEqual([5, 7, 10]);
    expect(await load(account, ledgerDetail.type, upload)).toMatchObject({ inserted: 0, updated: 0 });
  });

  it('that cannot be read are set aside; a file full of them is refused', async () => {
    const account = await makeAccount(world, owner);
    const bad = move(1, 1, { Quantity: 'drei' });
    const counts = await load(account, ledgerDetail.type, tsv(DETAIL, [move(1, 10), bad]));
    expect(counts).toMatchObject({ rowsIn: 2, inserted: 1, quarantined: 1 });
    expect(counts.refused).toEqual([{ lineNo: 3, reason: expect.stringContaining('不是整数') }]);
    const full = tsv(
      DETAIL,
      Array.from({ length: 30 }, () => bad),
    );
    await expect(load(account, ledgerDetail.type, full)).rejects.toThrow(/30 行无法读取/);
  });

  it('are dated the American way, also where days and months cannot be told apart', async () => {
    const account = await makeAccount(world, owner);
    await load(account, ledgerDetail.type, tsv(DETAIL, [move(1, 1), move(12, 2)]));
    expect(await stored(account, 'ledger_event', 'day')).toEqual([{ day: '2026-06-01' }, { day: '2026-06-12' }]);
  });
});

it('a period that somebody typed in is of UTC days: its first and last business day are cut', () => {
  const period = { from: '2026-06-01T00:00:00Z', to: '2026-06-04T00:00:00Z', at: '2026-06-05T00:00:00Z' };
  expect(wholeDays({ ...period, wholeDays: false }, 'America/Los_Angeles')).toEqual(['2026-06-01', '2026-06-02']);
  expect(wholeDays(asked('2026-06-01', '2026-06-03', '10:00'), 'America/Los_Angeles')).toEqual([
    '2026-06-01',
    '2026-06-02',
  ]);
});
