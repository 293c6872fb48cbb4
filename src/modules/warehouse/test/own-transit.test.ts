import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { checkLedger } from '../server/health/run.ts';
import { addCost, type Move, type Source, valuesOf } from '../server/index.ts';
import { at, createLedgerWorld, createStock, move, productOf, type Stock, type World, within } from './support.ts';

// What is on its way belongs to the document that sent it: its freight arrives with its own pieces, in whatever order
// the documents arrive and in however many parts.

const SKUS = ['T1', 'T2', 'T3'];
const PIECES = 6;

let world: World;
beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());

/** A document on its way: how many pieces of each product are still to come, and what all of them are worth, CNY. */
interface Sent {
  source: Source;
  open: number[];
  worth: string;
  arrived: string[];
}

/** Sends some pieces of each product, each document's bought at a price of its own, with its freight in them. */
async function send(stock: Stock, place: number, freight: string): Promise<Sent> {
  const source = { type: 'test.transfer', id: randomUUID(), event: 'ship', number: `DB${place}` };
  const moves = (make: (product: string, index: number) => Move) =>
    SKUS.map((sku, index) => make(productOf(stock, sku), index));
  await move(
    world,
    stock,
    moves((product, index) => ({
      product,
      qty: PIECES,
      from: 'SUPPLIER',
      to: at(stock.main),
      // The last that leaves is the oldest: first in, first out over all documents would mix them up.
      cost: { unit: `${1 + place}.${index}1`, firstDay: `2026-0${9 - place}-01` },
    })),
  );
  const { id } = await move(
    world,
    stock,
    moves((product) => ({ product, qty: PIECES, from: at(stock.main), to: at(stock.overseas, 'IN_TRANSIT') })),
    source,
  );
  return within(world, stock, async (ctx) => {
    const values = await valuesOf(ctx, id);
    await addCost(ctx, {
      source: { ...source, event: 'freight' },
      posting: id,
      component: 'firstLeg',
      values: SKUS.map((_, index) => ({ move: index, amount: freight })),
    });
    const goods = sum(values.map((value) => value.out ?? '0'));
    const worth = new Decimal(goods).plus(new Decimal(freight).times(SKUS.length)).toFixed(4);
    return { source, open: SKUS.map(() => PIECES), worth, arrived: [] };
  });
}

/** Takes in up to `qty` pieces of the products of `which`; nothing where none is open. */
async function arrive(stock: Stock, doc: Sent, which: readonly number[], qty: number): Promise<void> {
  const moves = which.flatMap((index): Move[] => {
    const now = Math.min(qty, doc.open[index] ?? 0);
    if (now === 0) return [];
    doc.open[index] = (doc.open[index] ?? 0) - now;
    const product = productOf(stock, SKUS[index] ?? '');
    return [{ product, qty: now, from: at(stock.overseas, 'IN_TRANSIT'), to: at(stock.overseas) }];
  });
  if (moves.length === 0) return;
  const event = { ...doc.source, event: 'receive', seq: doc.arrived.length };
  doc.arrived.push((await move(world, stock, moves, event)).id);
}

const receipt = fc.record({
  doc: fc.nat({ max: 2 }),
  which: fc.subarray([0, 1, 2], { minLength: 1 }),
  qty: fc.integer({ min: 1, max: PIECES }),
});

describe('documents on their way to one warehouse', () => {
  it('each receives what it sent, with its own freight, whichever comes first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(receipt, { minLength: 1, maxLength: 8 }), async (receipts) => {
        const stock = await createStock(world, SKUS);
        const docs = [await send(stock, 0, '3.3333'), await send(stock, 1, '0.0700'), await send(stock, 2, '12')];
        for (const { doc, which, qty } of receipts) await arrive(stock, docs[doc] as Sent, which, qty);
        // What is left comes in the order in which it went.
        for (const doc of docs) await arrive(stock, doc, [0, 1, 2], PIECES);
        for (const doc of docs) {
          const came = await within(world, stock, async (ctx) => {
            const all = [];
            for (const id of doc.arrived) all.push(...(await valuesOf(ctx, id)));
            return sum(all.map((value) => value.out ?? '0'));
          });
          expect(new Decimal(came).toFixed(4)).toBe(doc.worth);
        }
        expect(
          await within(world, stock, async (ctx) => (await checkLedger(ctx)).filter((one) => one.broken > 0)),
        ).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });
});
