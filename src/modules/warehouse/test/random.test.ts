import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#kit/server/errors.ts';
import { depth } from '#test/support/depth.ts';
import { checkLedger, foldSnapshots, rebuildBalances } from '../server/health/run.ts';
import { addCost, heldBy, type Move, pick, post, release, reserve, reverse, type Source } from '../server/index.ts';
import { chooseValuation } from '../server/ledger/valuation.ts';
import {
  at,
  createLedgerWorld,
  createStock,
  derived,
  foldAll,
  productOf,
  type Stock,
  type World,
  within,
} from './support.ts';

const CLIENTS = 20;
const SKUS = ['R1', 'R2', 'R3', 'R4'];

let world: World;

beforeAll(async () => {
  world = await createLedgerWorld({ poolSize: CLIENTS });
});
afterAll(() => world.close());

const sku = fc.constantFrom(...SKUS);
const qty = fc.integer({ min: 1, max: 40 });
const cents = fc.integer({ min: 1, max: 99_999 }).map((value) => (value / 10_000).toFixed(4));

const command = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('receive' as const), sku, qty, value: cents }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('sell' as const), sku, qty }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ship' as const), sku, qty }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('arrive' as const), sku, qty }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const), sku, qty }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('swap' as const), sku, other: sku, qty }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('assemble' as const), sku, other: sku, qty }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('inspect' as const), sku, qty }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('reserve' as const), sku, other: sku, qty }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('dispatch' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pick' as const), nth: fc.nat(), qty }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reverse' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const), nth: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bill' as const), nth: fc.nat(), value: cents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Run {
  stock: Stock;
  /** What was posted, for those who take it back or send it again. */
  posted: { id: string; source: Source; moves: Move[] }[];
  documents: Source[];
  refusals: Map<string, number>;
}

const nth = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

function movesOf(stock: Stock, one: Command): Move[] {
  const p = 'sku' in one ? productOf(stock, one.sku) : '';
  const q = 'qty' in one ? one.qty : 0;
  const { main, overseas, qc } = stock;
  switch (one.do) {
    case 'receive':
      return [{ product: p, qty: q, from: 'SUPPLIER', to: at(main), cost: { value: one.value } }];
    case 'sell':
      return [{ product: p, qty: q, from: at(main), to: 'CUSTOMER' }];
    case 'ship':
      return [{ product: p, qty: q, from: at(main), to: at(overseas, 'IN_TRANSIT') }];
    case 'arrive':
      return [{ product: p, qty: q, from: at(overseas, 'IN_TRANSIT'), to: at(overseas) }];
    case 'lose':
      return [{ product: p, qty: q, from: at(overseas, 'IN_TRANSIT'), to: 'LOST' }];
    case 'inspect':
      return [{ product: p, qty: q, from: at(main), to: at(qc, 'QUARANTINE') }];
    case 'swap':
      return [
        { product: p, qty: q, from: at(main), to: 'CONVERSION', group: 1 },
        {
          product: productOf(stock, one.other),
          qty: q,
          from: 'CONVERSION',
          to: at(overseas),
          group: 1,
          cost: { carry: true },
        },
      ];
    case 'assemble':
      return [
        { product: p, qty: q, from: at(main), to: 'ASSEMBLY', group: 1 },
        {
          product: productOf(stock, one.other),
          qty: 1,
          from: 'ASSEMBLY',
          to: at(main),
          group: 1,
          cost: { sum: true, plus: '0.0007' },
        },
      ];
    default:
      return [];
  }
}

async function dispatch(run: Run, document: Source): Promise<void> {
  await within(world, run.stock, async (ctx) => {
    const held = await heldBy(ctx, document.type, document.id);
    if (held.length === 0) return;
    const moves: Move[] = held.map((one) => ({
      product: one.product,
      qty: Math.ceil(one.held / 2),
      reservation: one.id,
      from: { warehouse: one.warehouse, location: one.location, lot: one.lot, status: 'RESERVED' },
      to: at(run.stock.overseas, 'IN_TRANSIT'),
    }));
    const source = { ...document, event: `ship-${randomUUID()}` };
    const { id } = await post(ctx, { source, moves });
    ctx.afterCommit(() => void run.posted.push({ id, source, moves }));
  });
}

async function act(run: Run, one: Command): Promise<void> {
  const { stock } = run;
  const document = 'nth' in one ? nth(run.documents, one.nth) : undefined;
  switch (one.do) {
    case 'reserve': {
      const source = { type: 'order', id: randomUUID(), event: 'approve', number: 'CK' };
      const lines = [one.sku, one.other].map((name, line) => ({
        line: String(line),
        product: productOf(stock, name),
        warehouse: stock.main,
        qty: one.qty,
      }));
      const { id } = await within(world, stock, (ctx) => reserve(ctx, { source, lines, shelfLife: 0 }));
      run.documents.push(source);
      run.posted.push({ id, source, moves: [] });
      return;
    }
    case 'dispatch':
      return document && dispatch(run, document);
    case 'release':
      if (document) await within(world, stock, (ctx) => release(ctx, { ...document, event: `cancel-${randomUUID()}` }));
      return;
    case 'pick': {
      if (!document) return;
      await within(world, stock, async (ctx) => {
        const [held] = await heldBy(ctx, document.type, document.id);
        if (held) await pick(ctx, held.id, one.qty);
      });
      return;
    }
    case 'reverse': {
      const target = nth(run.posted, one.nth);
      if (target) await within(world, stock, (ctx) => reverse(ctx, target.id));
      return;
    }
    case 'again': {
      const target = nth(run.posted, one.nth);
      if (!target || target.moves.length === 0) return;
      const answer = await within(world, stock, (ctx) => post(ctx, target));
      expect(answer).toEqual({ id: target.id, repeated: true });
      return;
    }
    case 'bill': {
      const target = nth(run.posted, one.nth);
      if (!target || target.moves.length === 0) return;
      const source = { type: 'bill', id: randomUUID(), event: 'add', number: 'YF' };
      const late = { source, posting: target.id, component: 'firstLeg' as const };
      await within(world, stock, (ctx) => addCost(ctx, { ...late, values: [{ move: 0, amount: one.value }] }));
      return;
    }
    case 'fold':
      await within(world, stock, (ctx) => foldSnapshots(ctx));
      return;
    default: {
      const moves = movesOf(stock, one);
      const source = { type: one.do, id: randomUUID(), event: 'do', number: one.do };
      const { id } = await within(world, stock, (ctx) => post(ctx, { source, moves }));
      run.posted.push({ id, source, moves });
    }
  }
}

/** Acts; what the ledger refuses is counted, anything else that fails fails the test. */
async function attempt(run: Run, one: Command): Promise<void> {
  try {
    await act(run, one);
  } catch (error) {
    const code = error instanceof AppError ? (error.data as { code?: string } | null)?.code : undefined;
    if (!code?.startsWith('B08')) throw error;
    run.refusals.set(code, (run.refusals.get(code) ?? 0) + 1);
  }
}

async function begin(method: 'FIFO' | 'AVERAGE' = 'FIFO'): Promise<Run> {
  const stock = await createStock(world, SKUS);
  await within(world, stock, (ctx) => chooseValuation(ctx, method));
  return { stock, posted: [], documents: [], refusals: new Map() };
}

async function expectLaws(stock: Stock): Promise<void> {
  await foldAll(world, stock);
  const results = await within(world, stock, checkLedger);
  expect(results.filter((result) => result.broken > 0)).toEqual([]);
}

/** The snapshots of the company as text. */
async function snapshots(stock: Stock): Promise<string> {
  const { rows } = await world.admin.query<{ text: string }>(
    `SELECT string_agg(concat_ws(' ', warehouse_id, product_id, status, business_date, qty, amount), E'\\n' ORDER BY 1::text || warehouse_id || product_id || status || business_date) AS text
       FROM warehouse.daily_snapshot WHERE company_id = $1`,
    [stock.companyId],
  );
  return rows[0]?.text ?? '';
}

describe.each([
  { method: 'FIFO', runs: depth(4, 12), rounds: depth(1, 2), commands: depth(500, 1500) },
  { method: 'AVERAGE', runs: depth(3, 6), rounds: 1, commands: depth(300, 1000) },
] as const)('random documents, valued by $method', ({ method, runs, rounds, commands: many }) => {
  it('one after the other keep every law', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
        const run = await begin(method);
        for (const one of commands) await attempt(run, one);
        await expectLaws(run.stock);
      }),
      { numRuns: runs },
    );
  });

  it(`of ${CLIENTS} clients at once keep every law; rebuilding from the entries changes nothing`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const commands = fc.sample(command, { seed, numRuns: many });
        const run = await begin(method);
        await Promise.all(
          Array.from({ length: CLIENTS }, async (_, client) => {
            for (let index = client; index < commands.length; index += CLIENTS) {
              const one = commands[index];
              if (one) await attempt(run, one);
            }
          }),
        );
        expect(run.posted.length).toBeGreaterThan(many / 8);
        expect(run.refusals.get('B0801') ?? 0).toBeGreaterThan(10);
        await expectLaws(run.stock);
        const before = [await derived(world.admin, run.stock.companyId), await snapshots(run.stock)];
        expect(await within(world, run.stock, rebuildBalances)).toBe(0);
        await foldAll(world, run.stock, true);
        expect([await derived(world.admin, run.stock.companyId), await snapshots(run.stock)]).toEqual(before);
      }),
      { numRuns: rounds, endOnFailure: true },
    );
  });

  it('posted and taken back in the opposite order leave everything as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        const run = await begin(method);
        for (const name of SKUS) await attempt(run, { do: 'receive', sku: name, qty: 30, value: '7.0001' });
        const before = await derived(world.admin, run.stock.companyId);
        const kept = run.posted.length;
        for (const one of commands) {
          if (!['reverse', 'release', 'pick', 'again', 'bill'].includes(one.do)) await attempt(run, one);
        }
        for (const { id } of run.posted.slice(kept).reverse())
          await within(world, run.stock, (ctx) => reverse(ctx, id));
        expect(await derived(world.admin, run.stock.companyId)).toBe(before);
        await expectLaws(run.stock);
      }),
      { numRuns: runs },
    );
  });
});

describe('a law that is broken', () => {
  it('is found, with what breaks it', async () => {
    const run = await begin();
    await attempt(run, { do: 'receive', sku: 'R1', qty: 5, value: '5' });
    await world.admin.query('UPDATE warehouse.stock_balance SET qty = qty + 1 WHERE company_id = $1 AND status = $2', [
      run.stock.companyId,
      'AVAILABLE',
    ]);
    await world.admin.query(
      'UPDATE warehouse.cost_layer SET amount_remaining = amount_remaining + 0.0001 WHERE company_id = $1',
      [run.stock.companyId],
    );
    const results = await within(world, run.stock, checkLedger);
    expect(results.filter((result) => result.broken > 0).map((result) => result.code)).toEqual([
      'I2',
      'I5',
      'I6',
      'I6E',
    ]);
    expect(await within(world, run.stock, rebuildBalances)).toBe(1);
    const after = await within(world, run.stock, checkLedger);
    expect(after.filter((result) => result.broken > 0).map((result) => result.code)).toEqual(['I6', 'I6E']);
    const { rows } = await within(world, run.stock, (ctx) =>
      sql<{
        n: number;
      }>`SELECT count(*) AS n FROM warehouse.daily_snapshot WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
    expect(rows).toEqual([{ n: 0 }]);
  });
});
