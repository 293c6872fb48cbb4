import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allocate, sum } from '#kit/contract/decimal.ts';
import { worldClock } from '#test/support/world.ts';
import { checkLedger } from '../server/health/run.ts';
import { addCost, costVariances, type Move, valuesOf } from '../server/index.ts';
import { chooseValuation } from '../server/ledger/valuation.ts';
import {
  at,
  createLedgerWorld,
  createStock,
  layers,
  move,
  productOf,
  type Stock,
  source,
  type World,
  within,
} from './support.ts';

/**
 * Worked examples E4 to E6 of the handbook of finance: two purchases, a shipment over sea, sales, and a duty that comes
 * late. Values have four decimals here where the handbook writes six; the sums are the same.
 */
let world: World;

beforeAll(async () => {
  world = await createLedgerWorld();
});
afterAll(() => world.close());

const SKU = 'CHAIN';
const worth = (texts: readonly string[]) => texts.map((text) => text.split(' ')[0]);

function acts(stock: Stock) {
  const product = productOf(stock, SKU);
  const road = at(stock.overseas, 'IN_TRANSIT');
  const post = (qty: number, from: Move['from'], to: Move['to']) => move(world, stock, [{ product, qty, from, to }]);
  return {
    buy: (qty: number, unit: string, firstDay: string, to = stock.main) =>
      move(world, stock, [{ product, qty, from: 'SUPPLIER', to: at(to), cost: { unit, firstDay } }]),
    send: (qty: number) => post(qty, at(stock.main), road),
    arrive: (qty: number) => post(qty, road, at(stock.overseas)),
    /** What the pieces sold had cost, CNY. */
    async sell(qty: number) {
      const { id } = await post(qty, at(stock.overseas), 'CUSTOMER');
      return sum((await within(world, stock, (ctx) => valuesOf(ctx, id))).map(({ out }) => out ?? 'not known'));
    },
    cost: (posting: string, component: 'localFreight' | 'firstLeg' | 'duty', amount: string, layer?: string) =>
      within(world, stock, (ctx) =>
        addCost(ctx, { source: source(), posting, component, values: [{ move: 0, amount, layer }] }),
      ),
    /** Ids of the layers on their way, the oldest first. */
    async onTheWay(): Promise<string[]> {
      const { rows } = await within(world, stock, (ctx) =>
        sql<{ id: string }>`
          SELECT id FROM warehouse.cost_layer WHERE company_id = ${ctx.companyId} AND in_transit AND open
           ORDER BY original_date, id`.execute(ctx.db),
      );
      return rows.map(({ id }) => id);
    },
    broken: async () => (await within(world, stock, checkLedger)).filter((law) => law.broken > 0),
  };
}

describe('E4 and E6: first in, first out, from the purchase to the sale', () => {
  it('every cent of 4,137.65 is sold, in stock or on its way, and a late duty follows the pieces', async () => {
    const stock = await createStock(world, [SKU]);
    const { buy, send, arrive, sell, cost, onTheWay, broken } = acts(stock);
    const first = await buy(100, '20.00', '2026-05-01');
    await cost(first.id, 'localFreight', '55.00');
    const second = await buy(200, '21.50', '2026-05-10');
    await cost(second.id, 'localFreight', '80.00');
    const shipment = await send(150);
    expect(worth(await layers(world, stock, SKU, stock.overseas))).toEqual(['100@2055.0000', '50@1095.0000']);

    const [t1 = '', t2 = ''] = await onTheWay();
    const freight = allocate(
      '987.65',
      new Map([
        [t1, '100'],
        [t2, '50'],
      ]),
      2,
    );
    expect([...(freight?.values() ?? [])]).toEqual(['658.43', '329.22']);
    for (const [layer, amount] of freight ?? []) await cost(shipment.id, 'firstLeg', amount, layer);
    expect(worth(await layers(world, stock, SKU, stock.overseas))).toEqual(['100@2713.4300', '50@1424.2200']);

    await arrive(148);
    expect(worth(await layers(world, stock, SKU, stock.overseas)).toSorted()).toEqual([
      '100@2713.4300',
      '2@56.9688',
      '48@1367.2512',
    ]);
    const sold = [await sell(60), await sell(70)];
    expect(sold).toEqual(['1628.058', '1939.904']);
    const left = ['18@512.7192', '2@56.9688'];
    expect(worth(await layers(world, stock, SKU, stock.overseas)).toSorted()).toEqual(left);
    expect(sum([...sold, ...left.map((text) => text.split('@')[1] ?? '')])).toBe('4137.65');

    const parts = [await cost(shipment.id, 'duty', '200.00', t1), await cost(shipment.id, 'duty', '100.00', t2)];
    expect(parts.flatMap(({ moves }) => moves)).toMatchObject([
      { toLayers: '0.0000', variance: '200.0000' },
      { toLayers: '40.0000', variance: '60.0000' },
    ]);
    expect(worth(await layers(world, stock, SKU, stock.overseas)).toSorted()).toEqual(['18@548.7192', '2@60.9688']);
    const today = worldClock().today();
    expect(await within(world, stock, (ctx) => costVariances(ctx, today, today))).toMatchObject([
      { component: 'duty', amount: '260.0000' },
    ]);
    expect(await broken()).toEqual([]);
  });
});

describe('E5: the same pieces in a pool with a moving average', () => {
  it('148 pieces worth 4,080.6812 leave at their average, and the last take what is left', async () => {
    const stock = await createStock(world, [SKU]);
    await within(world, stock, (ctx) => chooseValuation(ctx, 'AVERAGE'));
    const { buy, cost, sell, broken } = acts(stock);
    const first = await buy(100, '27.00', '2026-05-01', stock.overseas);
    await cost(first.id, 'firstLeg', '13.43');
    const second = await buy(48, '28.00', '2026-05-10', stock.overseas);
    await cost(second.id, 'firstLeg', '23.2512');
    expect([await sell(60), await sell(70)]).toEqual(['1654.3302', '1930.0519']);
    const left = worth(await layers(world, stock, SKU, stock.overseas));
    expect(left).toEqual(['18@496.2991']);
    expect(await broken()).toEqual([]);
  });
});
