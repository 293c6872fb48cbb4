import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { AppError } from '#kit/server/errors.ts';
import { checkLedger } from '../server/ledger/checks.ts';
import { rebuildBalances, reverse } from '../server/ledger/post.ts';
import type { Line, Source } from '../server/ledger/types.ts';
import {
  balanceOf,
  createLedgerWorld,
  earn,
  openAccount,
  owe,
  put,
  source,
  spend,
  type World,
  within,
} from './support.ts';

const CLIENTS = 20;

let world: World;

beforeAll(async () => {
  world = await createLedgerWorld({ poolSize: CLIENTS });
});
afterAll(() => world.close());

const cents = fc.integer({ min: 1, max: 30_000 }).map((value) => (value / 100).toFixed(2));
const which = fc.nat({ max: 3 });
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('earn' as const), which, cents }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('spend' as const), which, cents }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), which, to: which, cents }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay' as const), which, debt: which, cents }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reverse' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), nth: fc.nat() }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Run {
  company: string;
  accounts: string[];
  debts: string[];
  posted: { id: string; source: Source; lines: Line[] }[];
}

const nth = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

function linesOf(run: Run, one: Command): Line[] {
  if (one.do === 'reverse' || one.do === 'again') return [];
  const account = run.accounts[one.which] ?? '';
  if (one.do === 'earn') return earn(account, one.cents);
  if (one.do === 'spend') return spend(account, one.cents);
  const out: Line = { book: 'ACCOUNT', item: account, currency: 'CNY', amount: `-${one.cents}`, purpose: 'TRANSFER' };
  const into: Line =
    one.do === 'move'
      ? { book: 'ACCOUNT', item: run.accounts[one.to] ?? '', currency: 'CNY', amount: one.cents, purpose: 'TRANSFER' }
      : { book: 'PAYABLE', item: run.debts[one.debt] ?? '', currency: 'CNY', amount: one.cents, purpose: 'PURCHASE' };
  return [out, into];
}

/** Carries out one command; a refusal is an answer, anything else is an error. */
async function act(run: Run, one: Command): Promise<void> {
  try {
    if (one.do === 'reverse') {
      const found = nth(run.posted, one.nth);
      if (found) await within(world, run.company, (ctx) => reverse(ctx, found.id));
    } else if (one.do === 'again') {
      const found = nth(run.posted, one.nth);
      if (!found) return;
      expect(await put(world, run.company, found.lines, found.source)).toEqual({ id: found.id, repeated: true });
    } else {
      const event = source();
      const lines = linesOf(run, one);
      const { id } = await put(world, run.company, lines, event);
      run.posted.push({ id, source: event, lines });
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

it('twenty clients at once: no account is overdrawn, nothing is paid twice, every balance is the sum of its entries', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 40, maxLength: 120 }), async (commands) => {
      const company = randomUUID();
      const run: Run = { company, accounts: [], debts: [], posted: [] };
      for (let index = 0; index < 4; index += 1) {
        const more = { amount: '500', overdraft: index === 3 ? '200' : '0' };
        run.accounts.push(await openAccount(world, company, `账户${index}`, more));
        run.debts.push(await owe(world, company, '800'));
      }
      const queue = [...commands];
      const client = async () => {
        for (let one = queue.shift(); one; one = queue.shift()) await act(run, one);
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      const broken = (await within(world, company, checkLedger)).filter((result) => result.broken > 0);
      expect(broken).toEqual([]);
      expect(await within(world, company, rebuildBalances)).toBe(0);
      const held = await Promise.all(run.accounts.map((id) => balanceOf(world, company, id)));
      held.forEach((amount, index) => {
        expect(new Decimal(amount).gte(index === 3 ? -200 : 0)).toBe(true);
      });
    }),
    // What happens at once does not happen twice alike: there is nothing to make smaller.
    { numRuns: 8, endOnFailure: true },
  );
});

it('twenty clients pay the same debt of 100 by 60: one of them does', async () => {
  const company = randomUUID();
  const bank = await openAccount(world, company, '银行', { amount: '5000' });
  const debt = await owe(world, company, '100');
  const results = await Promise.allSettled(
    Array.from({ length: CLIENTS }, () =>
      put(world, company, [
        { book: 'ACCOUNT', item: bank, currency: 'CNY', amount: '-60', purpose: 'PURCHASE' },
        { book: 'PAYABLE', item: debt, currency: 'CNY', amount: '60', purpose: 'PURCHASE' },
      ]),
    ),
  );
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect([await balanceOf(world, company, bank), await balanceOf(world, company, debt)]).toEqual(['4940', '-40']);
});

it('twenty clients take the same posting back: it is taken back once, and all are answered with that', async () => {
  for (let round = 0; round < 10; round += 1) {
    const company = randomUUID();
    const bank = await openAccount(world, company, '银行', { amount: '100' });
    const { id } = await put(world, company, spend(bank, '40'));
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, () => within(world, company, (ctx) => reverse(ctx, id))),
    );
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.repeated)).toHaveLength(1);
    expect(await balanceOf(world, company, bank)).toBe('100');
  }
});
