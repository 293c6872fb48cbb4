import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { trialBalance } from '../contract/ledger.ts';
import { countVouchers, listVouchers, voucherSteps } from '../contract/voucher-calls.ts';
import { demoBooks } from '../server/demo.ts';
import { type Line, openBooks, paper, through } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const CODES = ['1001', '1002', '112201', '140502', '2202', '500101', '560101', '560304'];
const rebuilt = (owner: Person) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ n: number }>`SELECT accounting.rebuild_balances() AS n`.execute(ctx.db);
    return rows[0]?.n;
  });
const trial = (owner: Person, from: string, to: string) =>
  owner.call(trialBalance, { body: { from, to, level: 3, moved: false } });

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      month: fc.integer({ min: 7, max: 11 }),
      cents: fc.array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 3 }),
      at: fc.nat(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ reverse: fc.nat() }) },
);

test('whatever is posted and taken back: both sides are equal, and the balances are the sums of the entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 10 }), async (commands) => {
      const owner = await world.owner();
      const ids = await openBooks(owner);
      const codes = CODES.filter((code) => ids.has(code));
      const open: string[] = [];
      for (const one of commands) {
        if ('reverse' in one) {
          const [id] = open.splice(one.reverse % Math.max(1, open.length), 1);
          if (id) await owner.call(voucherSteps.reverse, { body: { id, reason: '冲' } });
          continue;
        }
        const code = (step: number) => codes[(one.at + step) % codes.length] ?? '';
        const total = one.cents.reduce((sum, cents) => sum + cents, 0);
        const lines: Line[] = [
          ...one.cents.map((cents, step): Line => [code(step), (cents / 100).toFixed(2), '']),
          [code(one.cents.length), '', (total / 100).toFixed(2)],
        ];
        const day = `2026-${String(one.month).padStart(2, '0')}-15`;
        open.push((await through(owner, paper(ids, lines, day))).id);
      }
      for (const [from, to] of [
        ['2026-01', '2026-11'],
        ['2026-09', '2026-09'],
      ] as const) {
        const { totals } = await trial(owner, from, to);
        expect(totals.debit).toBe(totals.credit);
        expect(totals.openingDebit).toBe(totals.openingCredit);
        expect(totals.closingDebit).toBe(totals.closingCredit);
      }
      const before = await trial(owner, '2026-08', '2026-10');
      expect(await rebuilt(owner)).toBe(0);
      expect(await trial(owner, '2026-08', '2026-10')).toEqual(before);
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

test('vouchers that are written and posted at the same time have numbers without gaps, and none of them is lost', async () => {
  const owner = await world.owner();
  const ids = await openBooks(owner);
  const body = paper(
    ids,
    [
      ['1001', '1.01', ''],
      ['1002', '', '1.01'],
    ],
    '2026-10-20',
  );
  await Promise.all(Array.from({ length: 12 }, () => through(owner, body)));
  const { records } = await owner.call(listVouchers, {
    body: { filter: {}, pagesize: 50, sort: 'number', order: 'asc' },
  });
  expect(records.map(({ number, state }) => [number, state])).toEqual(
    Array.from({ length: 12 }, (_, at) => [`记-202610-${String(at + 1).padStart(4, '0')}`, 'posted']),
  );
  const { rows } = await trial(owner, '2026-10', '2026-10');
  expect(rows.find(({ code }) => code === '1001')?.closingDebit).toBe('12.12');
  expect(await rebuilt(owner)).toBe(0);
});

test('the books of the demo are in balance, and some of its vouchers wait', async () => {
  const owner = await world.owner();
  await world.as(owner, demoBooks);
  const { totals } = await trial(owner, '2026-10', '2026-10');
  expect(totals).toMatchObject({ openingDebit: '730100.00', openingCredit: '730100.00' });
  expect(totals.debit).toBe(totals.credit);
  expect(totals.closingDebit).toBe(totals.closingCredit);
  expect(await owner.call(countVouchers, { body: {} })).toMatchObject({ posted: 5, submitted: 1, approved: 1 });
});
