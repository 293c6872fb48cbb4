import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backToLastMonth, createHouse, type House, productOf, stocked, today } from '#test/support/house.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { createWorld, type World } from '#test/support/world.ts';
import {
  addLayerCost,
  listPeriods,
  listRevaluations,
  readStockSetting,
  saveStockSetting,
  setPeriodState,
} from '../contract/costs.ts';
import { outboundCalls } from '../contract/documents/outbound.ts';
import { listLayers, listRecords } from '../contract/inventory.ts';
import { exportMonthCosts, listMonthCosts } from '../contract/month-costs.ts';
import { post } from '../server/index.ts';

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
    const inUse = { valuationNow: 'FIFO', valuationFrom: null };
    expect(before).toEqual({ valuation: 'FIFO', fifoBy: 'DATE', backdateDays: 3, shelfLifeDays: 105, ...inUse });
    const changed = { valuation: 'FIFO', fifoBy: 'SEQUENCE', backdateDays: 0, shelfLifeDays: 30 } as const;
    await house.owner.call(saveStockSetting, { body: changed });
    expect(await house.owner.call(readStockSetting, {})).toEqual({ ...changed, ...inUse });
  });
});

describe('months priced at their end', () => {
  it('closing gives what was sold its price, in the document, the ledger and the list of prices', async () => {
    const own = await createHouse(world, ['M']);
    const setting = await own.owner.call(readStockSetting, {});
    await own.owner.call(saveStockSetting, { body: { ...setting, valuation: 'MONTHLY' } });
    await stocked(world, own, 'M', 10, '1');
    const line = { productId: productOf(own, 'M'), qty: 4 };
    const { id } = await own.clerk.call(outboundCalls.save, {
      body: { warehouseId: own.main, lines: [line] },
    });
    await own.clerk.call(outboundCalls.submit, { body: { id } });
    await own.chief.call(outboundCalls.approve, { body: { id } });
    await own.keeper.call(outboundCalls.ship, { body: { id } });
    await stocked(world, own, 'M', 10, '3');
    const amount = async () => (await own.owner.call(outboundCalls.data, { params: { id } })).lines[0]?.amount;
    expect(await amount()).toBe('4.0000');
    const month = await backToLastMonth(world, own);
    const { taskId } = await own.owner.call(setPeriodState, { body: { month, state: 'CLOSED' } });
    expect(taskId).not.toBeNull();
    await world.work();
    await expect.poll(amount, { timeout: PATIENCE_MS }).toBe('8.0000');
    expect(await own.owner.call(listPeriods, {})).toMatchObject([
      { state: 'OPEN', valuation: 'MONTHLY' },
      { month, state: 'CLOSED', valuation: 'MONTHLY', restated: '4.0000' },
    ]);
    const { records } = await own.owner.call(listMonthCosts, { body: { filter: { month } } });
    expect(records).toMatchObject([
      {
        unitCost: '2.000000',
        issuedQty: 4,
        provisional: '4.0000',
        issuedAmount: '8.0000',
        difference: '4.0000',
        closingQty: 16,
        closingAmount: '32.0000',
      },
    ]);
    const moved = await own.owner.call(listRecords, { body: { filter: { number: '月末加权' } } });
    expect(moved.records).toMatchObject([{ action: '库存账期·月末加权结转', qty: 0, amount: '-4.0000' }]);
    expect((await own.owner.send(exportMonthCosts, { body: { filter: { month } } })).code).toBeLessThan(300);
    const blind = await world.member(own.owner, ['erp:inv:view']);
    expect((await blind.send(listMonthCosts, { body: { filter: {} } })).code).toBe(403);
    expect((await own.owner.send(listMonthCosts, { body: { filter: { month: '2026-13' } } })).msg).toContain('账期');
  });
});
