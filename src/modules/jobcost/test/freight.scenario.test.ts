import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { billFreight } from '#test/support/freight.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { reloadFreight, setBatchCost } from '../contract/batch.ts';
import { batchOf, createSender, dataOf, issued, plain, received, type Sender, sent } from './support.ts';

let world: World;
let house: Sender;

beforeAll(async () => {
  world = await createWorld();
  house = await createSender(world, ['A']);
});
afterAll(() => world.close());

it('a first leg that somebody changed by hand is what the bill says again', async () => {
  const order = await sent(world, house, 'A', 40, '10');
  await received(house, order, 40);
  await issued(world, house, 'A', 10);
  const row = await batchOf(house, order);
  expect((await dataOf(house, row.id)).freight).toEqual({ estimated: null, billed: null });
  await billFreight(world, house.owner, row.number, '80');
  const before = await batchOf(house, order);
  expect([before.firstLeg, before.leftCost, before.variance].map(plain)).toEqual(['80', '360', '20']);
  expect(plain((await dataOf(house, row.id)).freight?.billed)).toBe('80');
  const again = () =>
    house.owner.call(reloadFreight, { body: { id: row.id, reason: '与账单核对', clientId: randomUUID() } });
  await expect(again()).rejects.toThrow('无需重算');
  await house.owner.call(setBatchCost, {
    body: {
      id: row.id,
      component: 'firstLeg',
      by: 'UNIT',
      value: '3',
      before: before.firstLeg ?? '',
      reason: '误填',
      clientId: randomUUID(),
    },
  });
  expect(plain((await batchOf(house, order)).firstLeg)).toBe('120');
  expect(await again()).toMatchObject({ amount: '-40.0000', toLayers: '-30.0000', variance: '-10.0000' });
  const after = await batchOf(house, order);
  expect([after.firstLeg, after.leftCost, after.variance].map(plain)).toEqual(['80', '360', '20']);
  expect((await dataOf(house, row.id)).changes.map((one) => [one.component, plain(one.amount)])).toEqual([
    ['头程成本', '80'],
    ['头程成本', '40'],
    ['头程成本', '-40'],
  ]);
});
