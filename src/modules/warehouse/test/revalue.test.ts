import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { worldClock } from '#test/support/world.ts';
import { CHECKS } from '../server/health/checks.ts';
import { addCost, costVariances, type LateValue, reverse } from '../server/index.ts';
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

let world: World;
let stock: Stock;
const SKUS = [
  'E5',
  'WAY',
  'SWAP',
  'INTO',
  'LOW',
  'ONCE',
  'BACK',
  'MOVED',
  ...Array.from({ length: 40 }, (_, n) => `R${n}`),
];

beforeAll(async () => {
  world = await createLedgerWorld();
  stock = await createStock(world, SKUS);
});
afterAll(() => world.close());

const bill = (posting: string, values: readonly LateValue[], from = source('FY1', 'bill')) =>
  within(world, stock, (ctx) => addCost(ctx, { source: from, posting, component: 'firstLeg', values, final: true }));

const sell = (sku: string, qty: number, warehouse = stock.main) =>
  move(world, stock, [{ product: productOf(stock, sku), qty, from: at(warehouse), to: 'CUSTOMER' }]);

const today = () => worldClock().today();

/** Laws of the ledger that are broken, by code. */
async function broken(): Promise<string[]> {
  const codes: string[] = [];
  for (const check of CHECKS.filter(({ code }) => ['I1', 'I2', 'I2C', 'I5', 'I6', 'I6E'].includes(code))) {
    const { rowCount } = await world.admin.query(check.sql, [stock.companyId]);
    if (rowCount) codes.push(check.code);
  }
  return codes;
}

describe('a bill that comes late', () => {
  it('E5: half of the pieces are still there, so half goes into their layer and half is a variance', async () => {
    const { id } = await receive(world, stock, 'E5', 120, '2', '2026-01-10');
    await sell('E5', 60);
    const placed = await bill(id, [{ move: 0, amount: '13.80' }]);
    expect(placed).toMatchObject({ repeated: false, moves: [{ move: 0, toLayers: '6.9000', variance: '6.9000' }] });
    expect(await layers(world, stock, 'E5', stock.main)).toEqual(['60@126.9000 2026-01-10']);
    const found = await within(world, stock, (ctx) => costVariances(ctx, today(), today()));
    expect(found).toMatchObject([{ product: productOf(stock, 'E5'), component: 'firstLeg', amount: '6.9000' }]);
    expect(await broken()).toEqual([]);
  });

  it('follows its pieces over a transfer and onto the way', async () => {
    const { id } = await receive(world, stock, 'WAY', 10, '1', '2026-02-01');
    const product = productOf(stock, 'WAY');
    await move(world, stock, [{ product, qty: 4, from: at(stock.main), to: at(stock.overseas, 'IN_TRANSIT') }]);
    await move(world, stock, [{ product, qty: 3, from: at(stock.overseas, 'IN_TRANSIT'), to: at(stock.overseas) }]);
    await sell('WAY', 1, stock.overseas);
    const { moves } = await bill(id, [{ move: 0, amount: '10' }]);
    expect(moves).toEqual([{ move: 0, toLayers: '9.0000', variance: '1.0000' }]);
    expect(await layers(world, stock, 'WAY', stock.main)).toEqual(['6@12.0000 2026-02-01']);
    expect(await layers(world, stock, 'WAY', stock.overseas)).toEqual(
      expect.arrayContaining(['1@2.0000 2026-02-01 在途', '2@4.0000 2026-02-01']),
    );
    expect(await broken()).toEqual([]);
  });

  it('follows its pieces into what they were swapped for', async () => {
    const { id } = await receive(world, stock, 'SWAP', 4, '5', '2026-03-01');
    await move(world, stock, [
      { product: productOf(stock, 'SWAP'), qty: 3, from: at(stock.main), to: 'CONVERSION', group: 1 },
      {
        product: productOf(stock, 'INTO'),
        qty: 3,
        from: 'CONVERSION',
        to: at(stock.main),
        group: 1,
        cost: { carry: true },
      },
    ]);
    const { moves } = await bill(id, [{ move: 0, amount: '4' }]);
    expect(moves).toEqual([{ move: 0, toLayers: '4.0000', variance: '0.0000' }]);
    expect(await layers(world, stock, 'INTO', stock.main)).toEqual(['3@18.0000 2026-03-01']);
    expect(await broken()).toEqual([]);
  });

  it('that lowers the cost leaves no layer below nothing', async () => {
    const { id } = await receive(world, stock, 'LOW', 10, '1');
    await sell('LOW', 8);
    const { moves } = await bill(id, [{ move: 0, amount: '-30' }]);
    expect(moves).toEqual([{ move: 0, toLayers: '-2.0000', variance: '-28.0000' }]);
    expect((await layers(world, stock, 'LOW', stock.main)).map((text) => text.split(' ')[0])).toEqual(['2@0.0000']);
    expect(await broken()).toEqual([]);
  });

  it('counts once, and answers a repeated call with what it came to', async () => {
    const { id } = await receive(world, stock, 'ONCE', 3, '1');
    await sell('ONCE', 1);
    const from = source('FY2', 'bill');
    const first = await bill(id, [{ move: 0, amount: '1' }], from);
    expect(first.moves).toEqual([{ move: 0, toLayers: '0.6667', variance: '0.3333' }]);
    expect(await bill(id, [{ move: 0, amount: '1' }], from)).toEqual({ ...first, repeated: true });
    expect((await layers(world, stock, 'ONCE', stock.main)).map((text) => text.split(' ')[0])).toEqual(['2@2.6667']);
    await expect(bill(id, [{ move: 7, amount: '1' }])).rejects.toThrow('没有对应的成本层，不能补录成本');
    await expect(bill(id, [{ move: 0, amount: '0.00001' }])).rejects.toThrow('补录金额不能为0');
  });

  it('stands in the way of taking the receipt back until it is taken away itself', async () => {
    const { id } = await receive(world, stock, 'BACK', 5, '1');
    const placed = await bill(id, [{ move: 0, amount: '2' }], source('FY3', 'bill'));
    const back = (posting: string) => within(world, stock, (ctx) => reverse(ctx, posting));
    await expect(back(id)).rejects.toThrow('该单据的成本已由 FY3 补录，请先冲减');
    await expect(back(placed.id)).rejects.toThrow('成本补录不能撤销，请补录相反的金额');
    await bill(id, [{ move: 0, amount: '-2' }], source('FY4', 'bill'));
    await back(id);
    expect(await layers(world, stock, 'BACK', stock.main)).toEqual([]);
    expect(await broken()).toEqual([]);
  });
});

describe('what moved pieces on', () => {
  it('is not taken back while a late bill of their receipt lies in the layers that it made', async () => {
    const { id } = await receive(world, stock, 'MOVED', 6, '1');
    const there = { product: productOf(stock, 'MOVED'), qty: 6, from: at(stock.main), to: at(stock.overseas) };
    const moved = await move(world, stock, [there]);
    await bill(id, [{ move: 0, amount: '3' }], source('FY5', 'bill'));
    const back = () => within(world, stock, (ctx) => reverse(ctx, moved.id));
    await expect(back()).rejects.toThrow('该单据的成本已由 FY5 补录，请先冲减');
    await bill(id, [{ move: 0, amount: '-3' }], source('FY6', 'bill'));
    await back();
    expect((await layers(world, stock, 'MOVED', stock.main)).map((text) => text.split(' ')[0])).toEqual(['6@6.0000']);
    expect(await broken()).toEqual([]);
  });
});

describe('values that come late, whatever happened before', () => {
  it('are in layers or in variances to the last unit, and break no law', async () => {
    let used = 0;
    const cents = fc.integer({ min: -5_000_000, max: 5_000_000 }).filter((n) => n !== 0);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.tuple(fc.constantFrom('sell', 'send', 'arrive'), fc.integer({ min: 1, max: 20 })), {
          maxLength: 6,
        }),
        fc.array(cents, { minLength: 1, maxLength: 3 }),
        async (qty, steps, amounts) => {
          const sku = `R${used++ % 40}`;
          const product = productOf(stock, sku);
          const { id } = await receive(world, stock, sku, qty, '3.3333');
          const way = at(stock.overseas, 'IN_TRANSIT');
          const roads = {
            sell: { from: at(stock.main), to: 'CUSTOMER' as const },
            send: { from: at(stock.main), to: way },
            arrive: { from: way, to: at(stock.overseas) },
          };
          for (const [step, pieces] of steps) {
            // What is not there is refused and changes nothing.
            await move(world, stock, [{ product, qty: pieces, ...roads[step as keyof typeof roads] }]).catch(() => {});
          }
          const worth = async () => {
            const { rows } = await within(world, stock, (ctx) =>
              sql<{ a: string }>`SELECT coalesce(sum(amount_remaining), 0)::text AS a FROM warehouse.cost_layer
                WHERE company_id = ${ctx.companyId} AND product_id = ${product}`.execute(ctx.db),
            );
            return rows[0]?.a ?? '0';
          };
          for (const amount of amounts.map((n) => new Decimal(n).div(10_000).toFixed(4))) {
            const before = await worth();
            const { moves } = await bill(id, [{ move: 0, amount }], source(randomUUID().slice(0, 8), 'bill'));
            const [placed] = moves;
            expect(sum([placed?.toLayers ?? '', placed?.variance ?? ''])).toBe(new Decimal(amount).toFixed());
            expect(sum([await worth(), `-${before}`])).toBe(new Decimal(placed?.toLayers ?? '').toFixed());
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(await broken()).toEqual([]);
  });
});
