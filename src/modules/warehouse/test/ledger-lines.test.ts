import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Move, post, valuesOf } from '../server/index.ts';
import {
  at,
  createLedgerWorld,
  createStock,
  layers,
  move,
  productOf,
  receive,
  type Stock,
  source,
  type World,
  within,
} from './support.ts';

const SKUS = ['L1', 'L2', 'L3', 'L4', 'L5'];
const UNITS = ['1.3333', '2.0001', '0.3300', '7.77', '10'];

let world: World;

beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());

/** A company whose products lie in three layers each, of 7, 5 and 3 pieces. */
async function layered(): Promise<Stock> {
  const stock = await createStock(world, SKUS);
  for (const [index, qty] of [7, 5, 3].entries()) {
    const moves = SKUS.map((sku, place) => ({
      product: productOf(stock, sku),
      qty,
      from: 'SUPPLIER' as const,
      to: at(stock.main),
      cost: { unit: UNITS[place] ?? '1', firstDay: `2026-0${index + 1}-01` },
    }));
    await move(world, stock, moves);
  }
  return stock;
}

type Line = { sku: number; qty: number; abroad: boolean };

const moveOf = (stock: Stock, { sku, qty, abroad }: Line): Move => ({
  product: productOf(stock, SKUS[sku] ?? ''),
  qty,
  from: at(stock.main),
  to: abroad ? at(stock.overseas, 'IN_TRANSIT') : 'CUSTOMER',
});

/** What the layers of a company look like, and what postings took out of them. */
async function outcome(stock: Stock, postings: readonly string[]) {
  const found: string[][] = [];
  for (const sku of SKUS) {
    found.push(await layers(world, stock, sku, stock.main));
    found.push((await layers(world, stock, sku, stock.overseas)).toSorted());
  }
  const values = await within(world, stock, async (ctx) => {
    const all = [];
    for (const id of postings) all.push(...(await valuesOf(ctx, id)));
    return all.map(({ out, in: into }) => [out, into]);
  });
  return { found, values };
}

describe('a document of many lines', () => {
  it('takes the same pieces of the same layers at the same value as its lines one after the other', async () => {
    const line = fc.record({
      sku: fc.integer({ min: 0, max: SKUS.length - 1 }),
      qty: fc.integer({ min: 1, max: 9 }),
      abroad: fc.boolean(),
    });
    const document = fc.uniqueArray(line, { minLength: 2, maxLength: 5, selector: ({ sku }) => sku });
    await fc.assert(
      fc.asyncProperty(document, document, async (first, second) => {
        const [whole, single] = [await layered(), await layered()];
        const postings: { whole: string[]; single: string[] } = { whole: [], single: [] };
        for (const lines of [first, second]) {
          const moves = lines.map((one) => moveOf(whole, one));
          // What the first document has left may not be enough for the second: then neither company sells it.
          const done = await move(world, whole, moves).catch(() => undefined);
          if (!done) continue;
          postings.whole.push(done.id);
          for (const one of lines) postings.single.push((await move(world, single, [moveOf(single, one)])).id);
        }
        expect(await outcome(whole, postings.whole)).toEqual(await outcome(single, postings.single));
      }),
      { numRuns: 12 },
    );
  });

  it('looks again where a layer was emptied while it waited, and leaves no trace of its first look', async () => {
    const stock = await createStock(world, ['W1', 'W2']);
    const [one, two] = [productOf(stock, 'W1'), productOf(stock, 'W2')];
    await receive(world, stock, 'W1', 5, '1', '2026-01-01');
    await receive(world, stock, 'W1', 5, '3', '2026-02-01');
    await receive(world, stock, 'W2', 5, '2', '2026-01-01');
    // The same layers lie under two balances, so that the balances keep nobody waiting.
    await move(world, stock, [{ product: one, qty: 5, from: at(stock.main), to: at(stock.main, 'PROCESSING') }]);
    let late: Promise<{ id: string }> | undefined;
    await within(world, stock, async (ctx) => {
      await post(ctx, {
        source: source(),
        moves: [{ product: one, qty: 5, from: at(stock.main, 'PROCESSING'), to: 'SCRAP' }],
      });
      late = move(world, stock, [
        { product: one, qty: 4, from: at(stock.main), to: 'CUSTOMER' },
        { product: two, qty: 4, from: at(stock.main), to: 'CUSTOMER' },
      ]);
      const waits = `SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      for (let tries = 0; ; tries += 1) {
        const { rows } = await world.admin.query<{ n: number }>(waits);
        if (rows[0]?.n === 1) break;
        if (tries > 200) throw new Error('the second posting never waited');
        await sleep(20);
      }
    });
    const { id } = (await late) ?? { id: '' };
    const values = await within(world, stock, (ctx) => valuesOf(ctx, id));
    expect(values.map(({ out }) => out)).toEqual(['12.0000', '8.0000']);
    expect(await layers(world, stock, 'W1', stock.main)).toEqual(['1@3.0000 2026-02-01']);
    expect(await layers(world, stock, 'W2', stock.main)).toEqual(['1@2.0000 2026-01-01']);
  });
});
