import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '../server/health/run.ts';
import { addCost, reverse, valuesOf } from '../server/index.ts';
import { chooseValuation, valuationOf } from '../server/ledger/valuation.ts';
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

beforeAll(async () => {
  world = await createLedgerWorld();
  stock = await createStock(world, ['EX13', 'OLD', 'LOTS', 'WAY', 'A', 'B', 'BACK', 'USED']);
  await within(world, stock, (ctx) => chooseValuation(ctx, 'AVERAGE'));
});
afterAll(() => world.close());

const sell = (sku: string, qty: number) =>
  move(world, stock, [{ product: productOf(stock, sku), qty, from: at(stock.main), to: 'CUSTOMER' }]);
const outOf = (posting: { id: string }) =>
  within(world, stock, async (ctx) => (await valuesOf(ctx, posting.id)).map(({ out }) => out));

/** Value of a product in a warehouse by a piece, 6 decimals. */
async function average(sku: string, warehouse = stock.main): Promise<string | undefined> {
  const { rows } = await within(world, stock, (ctx) =>
    sql<{ a: string }>`
      SELECT round(sum(amount_remaining) / sum(qty_remaining), 6)::text AS a FROM warehouse.cost_layer
       WHERE company_id = ${ctx.companyId} AND product_id = ${productOf(stock, sku)} AND warehouse_id = ${warehouse} AND open`.execute(
      ctx.db,
    ),
  );
  return rows[0]?.a;
}

const broken = async () => (await within(world, stock, checkLedger)).filter((law) => law.broken > 0);

describe('moving average', () => {
  it('purchasing example 13: 9.812500 after two receipts, 54.40 of a late 64.00 are capitalised, then 10.132500', async () => {
    await receive(world, stock, 'EX13', 120, '9.50', '2026-01-01');
    const second = await receive(world, stock, 'EX13', 200, '10.00', '2026-02-01');
    expect(await average('EX13')).toBe('9.812500');
    expect(await outOf(await sell('EX13', 150))).toEqual(['1471.8750']);
    const late = await within(world, stock, (ctx) =>
      addCost(ctx, {
        source: source('YF1', 'add'),
        posting: second.id,
        component: 'localFreight',
        values: [{ move: 0, amount: '64.00' }],
      }),
    );
    expect(late.moves).toEqual([{ move: 0, toLayers: '54.4000', variance: '9.6000' }]);
    expect(await average('EX13')).toBe('10.132500');
  });

  it('keeps ages in layers, and every layer costs the same a piece; the last piece takes what is left', async () => {
    await receive(world, stock, 'OLD', 1, '1.00', '2026-01-01');
    await receive(world, stock, 'OLD', 2, '4.50', '2026-02-01');
    expect(await layers(world, stock, 'OLD', stock.main)).toEqual(['1@3.3333 2026-01-01', '2@6.6667 2026-02-01']);
    expect(await outOf(await sell('OLD', 2))).toEqual(['6.6667']);
    expect(await outOf(await sell('OLD', 1))).toEqual(['3.3333']);
    expect(await layers(world, stock, 'OLD', stock.main)).toEqual([]);
  });

  it('carries the average along: a transfer keeps it on its way and mixes it where it arrives', async () => {
    const p = productOf(stock, 'WAY');
    await receive(world, stock, 'WAY', 10, '1.00', '2026-01-01');
    await receive(world, stock, 'WAY', 10, '2.00', '2026-02-01');
    await move(world, stock, [
      { product: p, qty: 6, from: 'SUPPLIER', to: at(stock.overseas), cost: { unit: '4.00', firstDay: '2026-03-01' } },
    ]);
    await move(world, stock, [{ product: p, qty: 4, from: at(stock.main), to: at(stock.overseas, 'IN_TRANSIT') }]);
    expect(await layers(world, stock, 'WAY', stock.overseas)).toEqual([
      '4@6.0000 2026-01-01 在途',
      '6@24.0000 2026-03-01',
    ]);
    await move(world, stock, [{ product: p, qty: 4, from: at(stock.overseas, 'IN_TRANSIT'), to: at(stock.overseas) }]);
    expect(await layers(world, stock, 'WAY', stock.overseas)).toEqual(['4@12.0000 2026-01-01', '6@18.0000 2026-03-01']);
    expect(await average('WAY')).toBe('1.500000');
  });

  it('hands a swap over at the average, without gain or loss', async () => {
    await receive(world, stock, 'A', 3, '2.00', '2026-01-01');
    await receive(world, stock, 'A', 4, '3.00', '2026-02-01');
    await move(world, stock, [
      { product: productOf(stock, 'A'), qty: 5, from: at(stock.main), to: 'CONVERSION', group: 1 },
      {
        product: productOf(stock, 'B'),
        qty: 5,
        from: 'CONVERSION',
        to: at(stock.main),
        group: 1,
        cost: { carry: true },
      },
    ]);
    expect(await average('A')).toBe('2.571400');
    expect(await average('B')).toBe('2.571440');
    expect(await broken()).toEqual([]);
  });

  it('takes a receipt back with the value it came with, and leaves the others as they were', async () => {
    await receive(world, stock, 'BACK', 7, '1.0001', '2026-01-01');
    const before = await layers(world, stock, 'BACK', stock.main);
    const wrong = await receive(world, stock, 'BACK', 3, '9.99', '2026-02-01');
    expect(await layers(world, stock, 'BACK', stock.main)).not.toEqual(before);
    await within(world, stock, (ctx) => reverse(ctx, wrong.id));
    expect(await layers(world, stock, 'BACK', stock.main)).toEqual(before);
  });

  it('does not take back what others were already priced with', async () => {
    await receive(world, stock, 'USED', 10, '1.00', '2026-01-01');
    const dear = await receive(world, stock, 'USED', 10, '3.00', '2026-02-01');
    const sold = await sell('USED', 10);
    expect(await outOf(sold)).toEqual(['20.0000']);
    const back = () => within(world, stock, (ctx) => reverse(ctx, dear.id));
    await expect(back()).rejects.toMatchObject({
      data: { code: 'B0807' },
      message: '该单据的成本已按移动加权计入之后的出库，不能撤销，请另开单据调整',
    });
    await within(world, stock, (ctx) => reverse(ctx, sold.id));
    await back();
    expect(await layers(world, stock, 'USED', stock.main)).toEqual(['10@10.0000 2026-01-01']);
  });

  it('breaks no law of the ledger', async () => {
    expect(await broken()).toEqual([]);
  });
});

describe('the method', () => {
  it('changes at the beginning of a period: at once before the first posting of a month, else on the next first', async () => {
    const other = await createStock(world, ['X']);
    const p = productOf(other, 'X');
    const state = () => within(world, other, valuationOf);
    const choose = (method: 'FIFO' | 'AVERAGE') => within(world, other, (ctx) => chooseValuation(ctx, method));
    expect(await state()).toEqual({ chosen: 'FIFO', now: 'FIFO', from: null });
    await choose('AVERAGE');
    expect(await state()).toEqual({ chosen: 'AVERAGE', now: 'AVERAGE', from: null });
    await choose('FIFO');
    await move(world, other, [{ product: p, qty: 2, from: 'SUPPLIER', to: at(other.main), cost: { unit: '1' } }]);
    await move(world, other, [{ product: p, qty: 2, from: 'SUPPLIER', to: at(other.main), cost: { unit: '3' } }]);
    await choose('AVERAGE');
    const { rows } = await within(world, other, (ctx) =>
      sql<{ day: string }>`SELECT (date_trunc('month', warehouse.today()) + interval '1 month')::date AS day`.execute(
        ctx.db,
      ),
    );
    expect(await state()).toEqual({ chosen: 'AVERAGE', now: 'FIFO', from: rows[0]?.day });
    const out = async () => {
      const { id } = await move(world, other, [{ product: p, qty: 1, from: at(other.main), to: 'CUSTOMER' }]);
      return (await within(world, other, (ctx) => valuesOf(ctx, id)))[0]?.out;
    };
    expect(await out()).toBe('1.0000');
    // The first of the next month has come: the three pieces left are worth 7.
    await world.admin.query(
      "UPDATE warehouse.setting SET next_from = date_trunc('month', warehouse.today())::date WHERE company_id = $1",
      [other.companyId],
    );
    expect(await out()).toBe('2.3333');
    await choose('FIFO');
    expect(await state()).toMatchObject({ chosen: 'FIFO', now: 'AVERAGE' });
    await choose('AVERAGE');
    expect(await state()).toEqual({ chosen: 'AVERAGE', now: 'AVERAGE', from: null });
  });
});
