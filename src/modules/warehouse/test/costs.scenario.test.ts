import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '#test/support/world.ts';
import {
  addLayerCost,
  listPeriods,
  listRevaluations,
  readStockSetting,
  saveStockSetting,
  setPeriodState,
} from '../contract/costs.ts';
import { listLayers } from '../contract/inventory.ts';
import { post } from '../server/index.ts';
import { createHouse, type House, productOf, stocked, today } from './documents/support.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B']);
});
afterAll(() => world.close());

const layersOf = async (sku: string) => (await house.owner.call(listLayers, { body: { filter: { sku } } })).records;

describe('a freight bill that comes after the goods', () => {
  it('goes into what is left and makes a variance of the rest', async () => {
    await stocked(world, house, 'A', 120, '2');
    await world.as(house.owner, (ctx) =>
      post(ctx, {
        source: { type: 'test', id: randomUUID(), event: 'sell', number: 'CK9' },
        moves: [
          {
            product: productOf(house, 'A'),
            qty: 60,
            from: { warehouse: house.main, status: 'AVAILABLE' },
            to: 'CUSTOMER',
          },
        ],
      }),
    );
    const [layer] = await layersOf('A');
    const body = {
      layerId: layer?.id ?? '',
      clientId: randomUUID(),
      component: 'firstLeg' as const,
      amount: '13.80',
      final: true,
      reason: '头程账单',
    };
    const done = await house.owner.call(addLayerCost, { body });
    expect(done).toMatchObject({ toLayers: '6.9000', variance: '6.9000', repeated: false });
    expect(await house.owner.call(addLayerCost, { body })).toEqual({ ...done, repeated: true });
    expect((await layersOf('A'))[0]).toMatchObject({ amountLeft: '126.9000', costState: 'FINAL' });
    const { records, totals } = await house.owner.call(listRevaluations, { body: { filter: {} } });
    expect(records).toMatchObject([
      {
        number: done.number,
        origin: 'QC1',
        component: 'firstLeg',
        amount: '13.8000',
        variance: '6.9000',
        note: '头程账单',
      },
    ]);
    expect(totals).toMatchObject({ amount: '13.8000', toLayers: '6.9000', variance: '6.9000' });
  });

  it('is entered by who may, and only for a layer that is there', async () => {
    const [layer] = await layersOf('A');
    const body = { layerId: layer?.id ?? '', clientId: randomUUID(), amount: '1', reason: 'x' };
    expect((await house.chief.send(addLayerCost, { body })).code).toBe(403);
    const gone = await house.owner.send(addLayerCost, { body: { ...body, layerId: randomUUID() } });
    expect(gone.msg).toBe('成本层不存在或已删除');
    const nothing = await house.owner.send(addLayerCost, { body: { ...body, amount: '0.0000' } });
    expect(nothing.msg).toBe('补录金额不能为0');
  });
});

describe('months and rules of the stock', () => {
  it('a month that is not over cannot be closed, one that is takes no late document', async () => {
    const month = today().slice(0, 7);
    expect(await house.owner.call(listPeriods, {})).toMatchObject([{ month, state: 'OPEN', over: false }]);
    const early = await house.owner.send(setPeriodState, { body: { month, state: 'CLOSED' } });
    expect(early.msg).toBe('当月尚未结束，不能关账');
    await house.owner.call(setPeriodState, { body: { month: '2020-01', state: 'CLOSED' } });
    await house.owner.call(setPeriodState, { body: { month: '2020-01', state: 'OPEN' } });
    expect((await house.clerk.send(setPeriodState, { body: { month: '2020-01', state: 'CLOSED' } })).code).toBe(403);
  });

  it('keeps how stock is kept', async () => {
    const before = await house.owner.call(readStockSetting, {});
    expect(before).toEqual({ fifoBy: 'DATE', backdateDays: 3, shelfLifeDays: 105 });
    const changed = { fifoBy: 'SEQUENCE' as const, backdateDays: 0, shelfLifeDays: 30 };
    await house.owner.call(saveStockSetting, { body: changed });
    expect(await house.owner.call(readStockSetting, {})).toEqual(changed);
  });
});
