import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLedger } from '../server/health/run.ts';
import { type Move, post, reverse, setPeriod, valuesOf } from '../server/index.ts';
import { chooseValuation, valuationOf } from '../server/ledger/valuation.ts';
import {
  at,
  createLedgerWorld,
  createStock,
  foldAll,
  layers,
  productOf,
  type Stock,
  source,
  type World,
  within,
} from './support.ts';

let world: World;
/** First and last day of the month that is over. */
let month: string;
let end: string;

beforeAll(async () => {
  world = await createLedgerWorld();
  const { rows } = await world.admin.query<{ month: string; end: string }>(
    `SELECT m::date::text AS month, (m + interval '1 month' - interval '1 day')::date::text AS "end"
       FROM (SELECT date_trunc('month', warehouse.today()) - interval '1 month' AS m) AS x`,
  );
  month = rows[0]?.month ?? '';
  end = rows[0]?.end ?? '';
});
afterAll(() => world.close());

/** A company that prices its issues at the end of the month, since before the last one, and may date them back. */
async function monthly(skus: readonly string[]): Promise<Stock> {
  const stock = await createStock(world, skus);
  await within(world, stock, (ctx) => chooseValuation(ctx, 'MONTHLY'));
  await world.admin.query(
    'UPDATE warehouse.setting SET next_from = $2::date, backdate_days = 31 WHERE company_id = $1',
    [stock.companyId, month],
  );
  return stock;
}

/** Posts on the last day of the month that is over, or today. */
const on = (stock: Stock, day: string | undefined, moves: readonly Move[]) =>
  within(world, stock, (ctx) => post(ctx, { source: source(), moves, day }));
const bring = (stock: Stock, sku: string, qty: number, value: string, day?: string) =>
  on(stock, day, [{ product: productOf(stock, sku), qty, from: 'SUPPLIER', to: at(stock.main), cost: { value } }]);
const sell = (stock: Stock, sku: string, qty: number, day?: string, house = stock.main) =>
  on(stock, day, [{ product: productOf(stock, sku), qty, from: at(house), to: 'CUSTOMER' }]);
const outOf = (stock: Stock, posting: { id: string }) =>
  within(world, stock, async (ctx) => (await valuesOf(ctx, posting.id)).map(({ out }) => out));
const close = (stock: Stock) => within(world, stock, (ctx) => setPeriod(ctx, month, 'CLOSED'));
const open = (stock: Stock) => within(world, stock, (ctx) => setPeriod(ctx, month, 'OPEN'));
const broken = async (stock: Stock) => (await within(world, stock, checkLedger)).filter((law) => law.broken > 0);

describe('the price of a month', () => {
  it('is what was there and what came, by value over pieces; until the closing an issue costs what was first in', async () => {
    const stock = await monthly(['A']);
    await bring(stock, 'A', 10, '10', end);
    const early = await sell(stock, 'A', 5, end);
    await bring(stock, 'A', 20, '80', end);
    expect(await outOf(stock, early)).toEqual(['5.0000']);
    await close(stock);
    // 90.00 for 30 pieces: 3.00 each.
    expect(await outOf(stock, early)).toEqual(['15.0000']);
    expect(await layers(world, stock, 'A', stock.main)).toEqual([`5@15.0000 ${end}`, `20@60.0000 ${end}`]);
    expect(await broken(stock)).toEqual([]);
  });

  it('leaves the last unit to what stays, also where nothing stays', async () => {
    const stock = await monthly(['A']);
    await bring(stock, 'A', 1, '1', end);
    await bring(stock, 'A', 2, '9', end);
    const sold = [await sell(stock, 'A', 1, end), await sell(stock, 'A', 1, end), await sell(stock, 'A', 1, end)];
    await close(stock);
    expect(await Promise.all(sold.map((one) => outOf(stock, one)))).toEqual([['3.3333'], ['3.3334'], ['3.3333']]);
    expect(await broken(stock)).toEqual([]);
  });

  it('follows the pieces: to another warehouse, on their way, into a set', async () => {
    const stock = await monthly(['A', 'SET']);
    const a = productOf(stock, 'A');
    await bring(stock, 'A', 10, '10', end);
    await on(stock, end, [{ product: a, qty: 4, from: at(stock.main), to: at(stock.overseas, 'IN_TRANSIT') }]);
    await on(stock, end, [{ product: a, qty: 3, from: at(stock.overseas, 'IN_TRANSIT'), to: at(stock.overseas) }]);
    const abroad = await sell(stock, 'A', 1, end, stock.overseas);
    await on(stock, end, [
      { product: a, qty: 2, from: at(stock.main), to: 'ASSEMBLY', group: 1 },
      {
        product: productOf(stock, 'SET'),
        qty: 1,
        from: 'ASSEMBLY',
        to: at(stock.main),
        group: 1,
        cost: { sum: true, plus: '1' },
      },
    ]);
    const set = await sell(stock, 'SET', 1, end);
    await bring(stock, 'A', 10, '30', end);
    expect([await outOf(stock, abroad), await outOf(stock, set)]).toEqual([['1.0000'], ['3.0000']]);
    await close(stock);
    // 40.00 for 20 pieces; a set is two of them and 1.00 of work.
    expect([await outOf(stock, abroad), await outOf(stock, set)]).toEqual([['2.0000'], ['5.0000']]);
    expect(await layers(world, stock, 'A', stock.overseas)).toEqual([`1@2.0000 ${end} 在途`, `2@4.0000 ${end}`]);
    expect(await broken(stock)).toEqual([]);
  });

  it('is borne by the month after for pieces that have left since, and they get that month’s price in turn', async () => {
    const stock = await monthly(['A']);
    await bring(stock, 'A', 10, '10', end);
    const sold = await sell(stock, 'A', 4, end);
    await bring(stock, 'A', 10, '30', end);
    const later = await sell(stock, 'A', 16);
    expect(await outOf(stock, later)).toEqual(['36.0000']);
    await close(stock);
    expect(await outOf(stock, sold)).toEqual(['8.0000']);
    const { rows } = await world.admin.query(
      `SELECT kind, month::text, amount::text FROM warehouse.issue_cost WHERE company_id = $1 AND kind = 'CARRY'`,
      [stock.companyId],
    );
    expect(rows).toMatchObject([{ kind: 'CARRY', amount: '-4.0000' }]);
    expect(await broken(stock)).toEqual([]);
    await reverse4(stock, sold);
  });

  /** What comes back after its month was priced comes back at the first cost; the month of the return settles the rest. */
  async function reverse4(stock: Stock, sold: { id: string }) {
    await within(world, stock, (ctx) => reverse(ctx, sold.id));
    expect(await layers(world, stock, 'A', stock.main)).toEqual([`4@4.0000 ${end}`]);
    expect(await broken(stock)).toEqual([]);
  }

  it('goes on from the first closing where the month was opened again; a late document is refused in between', async () => {
    const stock = await monthly(['A', 'B']);
    await bring(stock, 'A', 10, '10', end);
    await bring(stock, 'B', 2, '2', end);
    const sold = await sell(stock, 'A', 5, end);
    const other = await sell(stock, 'B', 1, end);
    await bring(stock, 'A', 10, '30', end);
    await close(stock);
    await expect(bring(stock, 'A', 10, '80', end)).rejects.toMatchObject({ message: '业务日期所在账期已关闭' });
    await open(stock);
    await close(stock);
    expect(await outOf(stock, sold)).toEqual(['10.0000']);
    await open(stock);
    await bring(stock, 'A', 10, '80', end);
    await close(stock);
    expect([await outOf(stock, sold), await outOf(stock, other)]).toEqual([['20.0000'], ['1.0000']]);
    expect(await layers(world, stock, 'A', stock.main)).toEqual([
      `5@20.0000 ${end}`,
      `10@40.0000 ${end}`,
      `10@40.0000 ${end}`,
    ]);
    const priced = await world.admin.query<{ id: string }>(
      `SELECT id FROM warehouse.stock_posting WHERE company_id = $1 AND source_type = 'warehouse.period' LIMIT 1`,
      [stock.companyId],
    );
    await expect(within(world, stock, (ctx) => reverse(ctx, priced.rows[0]?.id ?? ''))).rejects.toMatchObject({
      message: '月末加权结转不能撤销，请反关账后重新关账',
    });
    expect(await broken(stock)).toEqual([]);
  });

  it('does not let a receipt go that it was made of', async () => {
    const stock = await monthly(['A']);
    await bring(stock, 'A', 10, '10', end);
    const dear = await bring(stock, 'A', 10, '30', end);
    await sell(stock, 'A', 2, end);
    await close(stock);
    await expect(within(world, stock, (ctx) => reverse(ctx, dear.id))).rejects.toMatchObject({
      data: { code: 'B0807' },
      message: '该单据的成本已按月末加权结转，不能撤销，请另开单据调整',
    });
  });

  it('asks for the months in their order, and for the last one before the method changes', async () => {
    const stock = await monthly(['A']);
    await bring(stock, 'A', 1, '1', end);
    await within(world, stock, (ctx) => chooseValuation(ctx, 'FIFO'));
    await world.admin.query(
      "UPDATE warehouse.setting SET next_from = date_trunc('month', warehouse.today())::date WHERE company_id = $1",
      [stock.companyId],
    );
    expect(await within(world, stock, valuationOf)).toMatchObject({ now: 'FIFO' });
    const change = () => within(world, stock, (ctx) => chooseValuation(ctx, 'AVERAGE'));
    await expect(change()).rejects.toMatchObject({ message: `请先关闭 ${month.slice(0, 7)} 的账期，再更改计价方法` });
    // The month before it was used, too.
    await world.admin.query(`UPDATE warehouse.stock_posting SET business_date = $2::date - 1 WHERE company_id = $1`, [
      stock.companyId,
      month,
    ]);
    await expect(close(stock)).rejects.toMatchObject({ data: { code: 'B0814' } });
  });
});

describe('random months', () => {
  const sku = fc.constantFrom('A', 'B', 'SET');
  const qty = fc.integer({ min: 1, max: 9 });
  const late = fc.boolean();
  const act = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('bring' as const),
        sku,
        qty,
        late,
        value: fc.integer({ min: 0, max: 99_999 }),
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('sell' as const), sku, qty, late, abroad: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('ship' as const), sku, qty, late, home: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('arrive' as const), sku, qty, late, lost: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('build' as const), sku, qty, late }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('swap' as const), sku, qty, late }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('back' as const), nth: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
  );
  type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

  function movesOf(stock: Stock, one: Exclude<Act, { do: 'back' | 'close' }>): Move[] {
    const p = { product: productOf(stock, one.sku), qty: one.qty };
    const other = productOf(stock, one.sku === 'SET' ? 'A' : 'SET');
    const { main, overseas } = stock;
    switch (one.do) {
      case 'bring':
        return [{ ...p, from: 'SUPPLIER', to: at(main), cost: { value: (one.value / 10_000).toFixed(4) } }];
      case 'sell':
        return [{ ...p, from: at(one.abroad ? overseas : main), to: 'CUSTOMER' }];
      case 'ship':
        return [{ ...p, from: at(one.home ? overseas : main), to: one.home ? at(main) : at(overseas, 'IN_TRANSIT') }];
      case 'arrive':
        return [{ ...p, from: at(overseas, 'IN_TRANSIT'), to: one.lost ? 'LOST' : at(overseas) }];
      case 'build':
        return [
          { ...p, from: at(main), to: 'ASSEMBLY', group: 1 },
          { product: other, qty: 1, from: 'ASSEMBLY', to: at(main), group: 1, cost: { sum: true, plus: '0.0003' } },
        ];
      case 'swap':
        return [
          { ...p, from: at(main), to: 'CONVERSION', group: 1 },
          { ...p, product: other, from: 'CONVERSION', to: at(overseas), group: 1, cost: { carry: true } },
        ];
    }
  }

  it('neither make nor lose a cent, whatever the order of documents, closings and returns', async () => {
    const stock = await monthly(['A', 'B', 'SET']);
    for (const name of ['A', 'B', 'SET']) await bring(stock, name, 20, '7.0001', end);
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 15, maxLength: 40 }), async (acts) => {
        const posted: string[] = [];
        for (const one of acts) {
          try {
            if (one.do === 'back') {
              const target = posted[one.nth % Math.max(1, posted.length)];
              if (target) await within(world, stock, (ctx) => reverse(ctx, target));
            } else if (one.do === 'close') {
              await close(stock);
              await open(stock);
            } else {
              const { id } = await on(stock, one.late ? undefined : end, movesOf(stock, one));
              posted.push(id);
            }
          } catch (error) {
            const code = (error as { data?: { code?: string } }).data?.code;
            if (!code?.startsWith('B08')) throw error;
          }
        }
        await close(stock);
        expect(await broken(stock)).toEqual([]);
        await open(stock);
        // A closing that finds nothing new changes nothing.
        const costs = () =>
          within(world, stock, (ctx) =>
            sql<{
              n: string;
            }>`SELECT count(*)::text AS n FROM warehouse.issue_cost WHERE company_id = ${ctx.companyId}`.execute(
              ctx.db,
            ),
          );
        const before = (await costs()).rows;
        await close(stock);
        expect((await costs()).rows).toEqual(before);
        await open(stock);
      }),
      // The company goes on from run to run, so that a shorter sequence proves nothing.
      { numRuns: 6, endOnFailure: true },
    );
    await foldAll(world, stock);
    expect(await broken(stock)).toEqual([]);
  });
});
