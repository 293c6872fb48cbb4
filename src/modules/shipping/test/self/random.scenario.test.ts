import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHealthNow } from '#modules/warehouse/contract/inventory.ts';
import { depth, luck } from '#test/support/depth.ts';
import { balances, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { type SelfStep, selfSteps, sendBackSelf } from '../../contract/self/calls.ts';
import { built, createSelfShipper, heldAndWanted, ordered, type SelfShipper, stateOf } from './support.ts';

let world: World;
let shipper: SelfShipper;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createSelfShipper(world, ['A', 'B'], {
    'A-US': [['A', 1]],
    'SET-US': [
      ['A', 1],
      ['B', 2],
    ],
  });
});
afterAll(() => world.close());

const STEPS: readonly (SelfStep | 'sendBack')[] = [
  'approve',
  'approve',
  'print',
  'ship',
  'hold',
  'resume',
  'unapprove',
  'cancel',
  'sendBack',
];
const ROUNDS = depth(60, 600);
const PIECES = 20;

it('whatever is done in whatever order, alone or at once, every piece is held once, gone or there', async () => {
  const next = luck('self-shipping');
  const draw = (end: number) => Math.floor(next() * end);
  await stocked(world, shipper, 'A', PIECES, '2');
  await stocked(world, shipper, 'B', PIECES, '1');
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    const order = await ordered(world, shipper, [[n % 2 ? 'SET-US' : 'A-US', 1 + draw(5)]]);
    ids.push(await built(shipper, order.id));
  }
  const take = (id: string, step: (typeof STEPS)[number]) => {
    const body = { id, reason: '随机' };
    return step === 'sendBack'
      ? shipper.owner.send(sendBackSelf, { body })
      : shipper.owner.send(selfSteps[step], { body });
  };
  const one = () => [ids[draw(ids.length)] ?? '', STEPS[draw(STEPS.length)] ?? 'approve'] as const;
  let done = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const wanted = draw(3) === 0 ? [one(), one(), one()] : [one()];
    const answers = await Promise.all(wanted.map(([id, step]) => take(id, step)));
    for (const { status, msg } of answers) expect([200, 400, 409], msg).toContain(status);
    done += answers.filter(({ code }) => code === 201).length;
    const sums = await heldAndWanted(world, shipper);
    for (const { held, wanted } of sums) expect(held).toBe(wanted);
    for (const sku of ['A', 'B']) {
      const { RESERVED = 0, AVAILABLE = 0, ...others } = await balances(world, shipper, sku);
      const held = sums.find(({ product }) => product === shipper.products.get(sku))?.held ?? 0;
      expect([RESERVED, others]).toEqual([held, {}]);
      expect(AVAILABLE + RESERVED).toBeLessThanOrEqual(PIECES);
    }
  }
  expect(done).toBeGreaterThan(10);
  const states = await Promise.all(ids.map((id) => stateOf(shipper, id)));
  expect(states.filter((state) => state !== 'pending').length).toBeGreaterThan(0);
  expect((await shipper.owner.call(runHealthNow, { body: {} })).broken).toBe(0);
});
