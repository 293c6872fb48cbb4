import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balances, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';
import { transferCalls } from '../../contract/documents/transfer.ts';
import { listReservations, releaseReservation } from '../../contract/inventory.ts';
import { readReassignTargets, reassignReservation } from '../../contract/reassign.ts';
import { checkLedger, foldSnapshots } from '../../server/health/run.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld({ poolSize: 8 });
  house = await createHouse(world, ['A', 'B', 'C', 'D', 'E', 'F']);
});
afterAll(() => world.close());

const reason = '先发急单';

async function approved(sku: string, qty: number) {
  const { id, number } = await house.clerk.call(outboundCalls.save, {
    body: { warehouseId: house.main, lines: [{ productId: productOf(house, sku), qty }] },
  });
  await house.clerk.call(outboundCalls.submit, { body: { id } });
  await house.chief.call(outboundCalls.approve, { body: { id } });
  return { id, number };
}

/** What is held for a document, by reservation. */
async function holds(number: string) {
  const { records } = await house.owner.call(listReservations, { body: { filter: { number } } });
  return records.filter((row) => row.held > 0);
}

const held = async (number: string) => (await holds(number)).reduce((sum, row) => sum + row.held, 0);

/** A document that was approved and whose pieces were given back by hand since. */
async function robbed(sku: string, qty: number) {
  const doc = await approved(sku, qty);
  for (const { id } of await holds(doc.number)) {
    await house.owner.call(releaseReservation, { body: { id, reason: '误释放' } });
  }
  return doc;
}

const move = (id: string, documentId: string, qty: number) =>
  house.owner.call(reassignReservation, { body: { id, documentId, qty, reason } });

const tries = (id: string, documentId: string, qty: number) =>
  house.owner.send(reassignReservation, { body: { id, documentId, qty, reason } });

async function laws() {
  return world.as(house.owner, async (ctx) => {
    await foldSnapshots(ctx);
    return (await checkLedger(ctx)).filter(({ broken }) => broken > 0);
  });
}

describe('改派', () => {
  it('gives a part to the document that lacks it, in its place; both tell of it and go on', async () => {
    await stocked(world, house, 'A', 10, '2');
    const urgent = await robbed('A', 4);
    const late = await approved('A', 6);
    await approved('A', 4);
    const [row] = await holds(late.number);
    const id = row?.id ?? '';
    const seen = await house.owner.call(readReassignTargets, { query: { id } });
    expect(seen).toMatchObject({ movable: 6, obstacle: null });
    expect(seen.targets).toMatchObject([{ id: urgent.id, number: urgent.number, kind: '出库单', lacking: 4 }]);

    expect((await move(id, urgent.id, 3)).message).toBe(`A 3 件已从 ${late.number} 改派给 ${urgent.number}`);
    expect([await held(late.number), await held(urgent.number)]).toEqual([3, 3]);
    expect(await balances(world, house, 'A')).toEqual({ RESERVED: 10 });
    expect((await holds(urgent.number))[0]?.location).toBe(row?.location);
    await expect(move(id, urgent.id, 2)).rejects.toThrow(`单据 ${urgent.number} 只缺 A 1 件，不能改派 2 件`);

    const audits = await world.as(house.owner, async (ctx) => {
      const { rows } = await sql<{ of: string; what: string }>`
        SELECT resource_id AS of, after->>'what' AS what FROM kit.audit
         WHERE company_id = ${ctx.companyId} AND action = '出库单·改派预留' ORDER BY 1`.execute(ctx.db);
      return rows;
    });
    expect(audits).toEqual([late.id, urgent.id].sort().map((of) => ({ of, what: 'A 3 件' })));
    await house.keeper.call(outboundCalls.ship, { body: { id: urgent.id } });
    const shipped = await house.owner.call(outboundCalls.data, { params: { id: urgent.id } });
    expect(shipped.lines[0]).toMatchObject({ doneQty: 3, amount: '6.0000' });
    await house.clerk.call(outboundCalls.cancel, { body: { id: late.id } });
    expect(await balances(world, house, 'A')).toEqual({ AVAILABLE: 3, RESERVED: 4 });
    expect(await laws()).toEqual([]);
  });

  it('asked twice with one key, moves once', async () => {
    await stocked(world, house, 'F', 4, '1');
    const taker = await robbed('F', 4);
    const giver = await approved('F', 4);
    const id = (await holds(giver.number))[0]?.id ?? '';
    const once = () =>
      house.owner.send(
        reassignReservation,
        { body: { id, documentId: taker.id, qty: 1, reason } },
        { 'idempotency-key': `once-${id}` },
      );
    const answers = await Promise.all([once(), once(), once()]);
    expect(answers.some(({ code }) => code === 201)).toBe(true);
    expect((await once()).data).toMatchObject({ moved: 1 });
    expect([await held(giver.number), await held(taker.number)]).toEqual([3, 1]);
  });

  it('leaves with the picker what is picked, and says why a document gives or takes nothing', async () => {
    await stocked(world, house, 'B', 8, '1');
    const taker = await robbed('B', 8);
    const giver = await approved('B', 8);
    const id = (await holds(giver.number))[0]?.id ?? '';
    const [line] = (await house.owner.call(outboundCalls.data, { params: { id: giver.id } })).lines;
    await house.keeper.call(outboundCalls.pick, {
      body: { id: giver.id, lines: [{ lineId: line?.id ?? '', qty: 5 }] },
    });
    await expect(move(id, taker.id, 4)).rejects.toThrow('该预留可改派 3 件，不能改派 4 件（已拣货的不能改派）');
    await expect(move(id, giver.id, 1)).rejects.toThrow('不能改派给同一张单据');
    await move(id, taker.id, 3);
    expect((await house.owner.call(readReassignTargets, { query: { id } })).obstacle).toBe(
      '没有可改派的数量：已释放、已出库或已拣货',
    );
    await house.keeper.call(outboundCalls.ship, { body: { id: giver.id } });
    await expect(move(id, taker.id, 1)).rejects.toThrow(`单据 ${giver.number} 状态为【已出库】，不能改派预留`);
    const back = (await holds(taker.number))[0]?.id ?? '';
    await expect(move(back, giver.id, 1)).rejects.toThrow('不能改派预留');
    await expect(house.clerk.call(readReassignTargets, { query: { id } })).rejects.toThrow();
    expect(await balances(world, house, 'B')).toEqual({ RESERVED: 3 });
  });

  it('lets a transfer go that was short, and asks for another warehouse nothing', async () => {
    await stocked(world, house, 'C', 5, '1');
    const { id, number } = await house.owner.call(transferCalls.save, {
      body: {
        type: 'TRANSFER',
        warehouseId: house.main,
        toWarehouseId: house.second,
        lines: [{ productId: productOf(house, 'C'), qty: 5 }],
      },
    });
    await house.clerk.call(transferCalls.submit, { body: { id } });
    await house.chief.call(transferCalls.approve, { body: { id } });
    const mine = (await holds(number))[0]?.id ?? '';
    await house.owner.call(releaseReservation, { body: { id: mine, reason: '误释放' } });
    const giver = await approved('C', 5);
    await expect(house.keeper.call(transferCalls.ship, { body: { id } })).rejects.toThrow('占用的库存已释放');
    const from = (await holds(giver.number))[0]?.id ?? '';
    await stocked(world, house, 'C', 5, '1', house.second);
    const elsewhere = await house.clerk.call(outboundCalls.save, {
      body: { warehouseId: house.second, lines: [{ productId: productOf(house, 'C'), qty: 5 }] },
    });
    await house.clerk.call(outboundCalls.submit, { body: { id: elsewhere.id } });
    await house.chief.call(outboundCalls.approve, { body: { id: elsewhere.id } });
    await expect(move(from, elsewhere.id, 1)).rejects.toThrow(`单据 ${elsewhere.number} 不从【深圳仓】出货，不能改派`);
    await move(from, id, 5);
    expect((await house.keeper.call(transferCalls.ship, { body: { id } })).state).toBe('shipped');
    expect(await laws()).toEqual([]);
  });
});

describe('many at once', () => {
  it('a document takes no more than it lacks, and two that swap do not wait for each other', async () => {
    await stocked(world, house, 'D', 20, '1');
    const taker = await robbed('D', 5);
    const one = await approved('D', 10);
    const two = await approved('D', 10);
    const [first, second] = [(await holds(one.number))[0]?.id ?? '', (await holds(two.number))[0]?.id ?? ''];
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => tries(n % 2 ? first : second, taker.id, 2)));
    expect(answers.filter(({ code }) => code === 201)).toHaveLength(2);
    await tries(first, taker.id, 1);
    expect(await held(taker.number)).toBe(5);
    expect(await balances(world, house, 'D')).toEqual({ RESERVED: 20 });
    const again = (await holds(taker.number)).map((row) => row.id);
    const swaps = await Promise.all([
      ...again.map((id) => tries(id, one.id, 1)),
      ...again.map((id) => tries(id, two.id, 1)),
      tries(first, taker.id, 1),
      tries(second, taker.id, 1),
    ]);
    expect(swaps.every(({ status }) => status < 500)).toBe(true);
    expect(await balances(world, house, 'D')).toEqual({ RESERVED: 20 });
    expect(await laws()).toEqual([]);
  });

  it('whatever is moved, released and shipped: nothing is held twice and no line more than it needs', async () => {
    const step = fc.record({
      what: fc.constantFrom('move', 'move', 'move', 'release', 'ship', 'cancel'),
      from: fc.nat(5),
      to: fc.nat(5),
      qty: fc.integer({ min: 1, max: 6 }),
    });
    await stocked(world, house, 'E', 60, '1');
    const docs: { id: string; number: string }[] = [];
    for (let n = 0; n < 6; n += 1) docs.push(await (n % 2 ? robbed('E', 8) : approved('E', 8)));
    for (const steps of fc.sample(fc.array(step, { minLength: 8, maxLength: 8 }), { numRuns: 4, seed: 11 })) {
      await Promise.all(
        steps.map(async ({ what, from, to, qty }) => {
          const [giver, taker] = [docs[from], docs[to]];
          const id = (await holds(giver?.number ?? ''))[0]?.id;
          if (what === 'ship') return house.keeper.send(outboundCalls.ship, { body: { id: giver?.id ?? '' } });
          if (what === 'cancel') return house.clerk.send(outboundCalls.cancel, { body: { id: giver?.id ?? '' } });
          if (id === undefined) return undefined;
          if (what === 'release') return house.owner.send(releaseReservation, { body: { id, reason } });
          return tries(id, taker?.id ?? '', qty);
        }),
      );
      expect(await laws()).toEqual([]);
      for (const { number } of docs) expect(await held(number)).toBeLessThanOrEqual(8);
    }
  });
});
