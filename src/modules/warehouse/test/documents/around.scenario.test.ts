// What surrounds the documents: messages, the search, the ledger's own lists, transfers that cross.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getRemind } from '#modules/message/contract/messages.ts';
import { searchAll } from '#modules/system/contract/search.ts';
import { approvedInbound, balances, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { productChoices, saveSetting, warehouseChoices } from '../../contract/documents/choices.ts';
import { inboundCalls } from '../../contract/documents/inbound.ts';
import { transferCalls } from '../../contract/documents/transfer.ts';
import { listRecords } from '../../contract/inventory.ts';
import { runHealth } from '../../server/health/run.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B', 'X']);
});
afterAll(() => world.close());

/** What asks somebody to examine a document of this number. */
async function asked(who: Person, number: string) {
  const { records } = await who.call(getRemind, { body: { filter: {} } as never });
  return records.filter(({ title }) => title === `入库单 ${number} 待审核`);
}

describe('people hear of documents', () => {
  it('who approves finds the document, its maker what became of it', async () => {
    const saved = await house.clerk.call(inboundCalls.save, {
      body: { warehouseId: house.main, lines: [{ productId: productOf(house, 'A'), qty: 3, unitCost: '1' }] },
    });
    await house.clerk.call(inboundCalls.submit, { body: { id: saved.id } });
    const [request] = await asked(house.chief, saved.number);
    expect(request?.link).toEqual({
      path: '/e/w/i/d',
      title: '入库单',
      query: { id: saved.id, isGoExamine: 'true', source: 'boxmsg' },
    });
    const another = await world.member(house.owner, ['erp:wh:in:audit']);
    await house.chief.call(inboundCalls.reject, { body: { id: saved.id, reason: '单价不对' } });
    const settled = (await house.chief.call(getRemind, { body: { filter: {} } as never })).records[0];
    expect(settled).toMatchObject({ id: request?.id, state: 'read' });
    const told = (await house.clerk.call(getRemind, { body: { filter: {} } as never })).records[0];
    expect(told?.title).toBe(`入库单 ${saved.number} 被驳回`);
    expect(told?.text).toContain('单价不对');
    await house.clerk.call(inboundCalls.submit, { body: { id: saved.id } });
    expect((await asked(another, saved.number)).map(({ state }) => state)).toEqual(['unread']);
    expect((await house.chief.call(inboundCalls.approve, { body: { id: saved.id } })).state).toBe('receiving');
    expect((await asked(another, saved.number)).map(({ state }) => state)).toEqual(['read']);
  });

  it('who hands in what he may approve himself is not asked to', async () => {
    const { id, number } = await house.owner.call(inboundCalls.save, {
      body: { warehouseId: house.main, lines: [{ productId: productOf(house, 'A'), qty: 1, unitCost: '1' }] },
    });
    await house.owner.call(inboundCalls.submit, { body: { id } });
    expect([(await asked(house.owner, number)).length, (await asked(house.chief, number)).length]).toEqual([0, 1]);
  });

  it('a number finds its document; nobody without the right finds it', async () => {
    const { id, number } = await approvedInbound(house, [{ sku: 'B', qty: 1, unitCost: '1' }]);
    const groups = await house.clerk.call(searchAll, { query: { q: number.toLowerCase() } });
    const hits = groups.find((group) => group.title === '仓库单据')?.hits ?? [];
    expect(hits[0]).toMatchObject({ title: number, path: '/e/w/i/d', query: { id } });
    const nobody = await world.member(house.owner, ['erp:wh:in:add']);
    const none = await nobody.call(searchAll, { query: { q: number } });
    expect(none.some((group) => group.title === '仓库单据')).toBe(false);
  });

  it('the ledger names the document and leads to it', async () => {
    const { id, number } = await approvedInbound(house, [{ sku: 'B', qty: 2, unitCost: '1' }]);
    const { lines } = await house.owner.call(inboundCalls.data, { params: { id } });
    await house.keeper.call(inboundCalls.receive, { body: { id, lines: [{ lineId: lines[0]?.id ?? '', qty: 2 }] } });
    const { records } = await house.owner.call(listRecords, { body: { filter: { sku: 'B' } } as never });
    const mine = records.filter((record) => record.number === number);
    expect(mine.map((record) => record.action)).toContain('入库单·收货');
    expect(mine[0]?.path).toBe(`/e/w/i/d?id=${id}`);
  });

  it('forms offer products with what the warehouse has, and warehouses with what the caller may do there', async () => {
    const found = await house.clerk.call(productChoices, { body: { text: 'b', warehouseId: house.main } });
    expect(found[0]).toMatchObject({ product: { code: 'B' }, available: 2, lastCost: '1.0000' });
    const places = await house.clerk.call(warehouseChoices, {});
    expect(places.filter((place) => place.mine)).toHaveLength(5);
  });
});

describe('transfers that cross', () => {
  it('A to B and B to A at once: none waits for the other in a circle, nothing is lost', async () => {
    await house.owner.call(saveSetting, {
      body: { separateApprover: false, receiveTolerance: '0', recountShare: '0.02', recountAmount: '200' },
    });
    await stocked(world, house, 'X', 500, '1', house.main);
    await stocked(world, house, 'X', 500, '1', house.second);
    const ids: string[] = [];
    for (let pair = 0; pair < 24; pair += 1) {
      const [from, to] = pair % 2 === 0 ? [house.main, house.second] : [house.second, house.main];
      const { id } = await house.owner.call(transferCalls.save, {
        body: { warehouseId: from, toWarehouseId: to, lines: [{ productId: productOf(house, 'X'), qty: 5 }] },
      });
      await house.owner.call(transferCalls.submit, { body: { id } });
      ids.push(id);
    }
    const answers = await Promise.all(ids.map((id) => house.owner.send(transferCalls.direct, { body: { id } })));
    expect(answers.map((answer) => answer.msg).filter((_, index) => answers[index]?.code !== 201)).toEqual([]);
    expect(await balances(world, house, 'X', house.main)).toEqual({ AVAILABLE: 500 });
    expect(await balances(world, house, 'X', house.second)).toEqual({ AVAILABLE: 500 });
    expect(await world.as(house.owner, async (ctx) => (await runHealth(ctx)).broken)).toBe(0);
  });
});
