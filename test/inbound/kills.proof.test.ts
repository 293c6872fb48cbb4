import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { shipSteps } from '#modules/shipping/contract/order-calls.ts';
import { agreed, detail, settle, viewOf } from '#modules/shipping/test/inbound-support.ts';
import { createSender, type Sender } from '#modules/shipping/test/stream-support.ts';
import type { FaultRule } from '#sandbox/wire/faults.ts';
import { luck } from '../support/depth.ts';
import { balances } from '../support/house.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { kill, spawnWorker } from '../support/worker-process.ts';

const random = luck('inbound kill');

/** INBOUND_KILLS=40 asks for more kills at random moments than the proof has time for. */
const RANDOM_KILLS = Number(process.env.INBOUND_KILLS ?? 6);
const HANGS_MS = 60_000;

/** Every call of the way; at each a worker dies before it took effect, and after it did and before the answer came. */
const CALLS = [
  'listPrepDetails',
  'createInboundPlan',
  'generatePackingOptions',
  'confirmPackingOption',
  'setPackingInformation',
  'generatePlacementOptions',
  'confirmPlacementOption',
  'generateTransportationOptions',
  'generateDeliveryWindowOptions',
  'confirmDeliveryWindowOptions',
  'confirmTransportationOptions',
  'getLabels',
  'updateShipmentTrackingDetails',
  // Last: where an answer was lost nothing is polled, and an earlier poll would be of the call that is to be cut off next.
  'getInboundOperationStatus',
] as const;

let sender: Sender;

beforeAll(async () => {
  sender = await createSender(5_000, { leaseSec: 2 });
  await sender.way.control({ action: 'settings', operationMs: [0, 300] });
});
afterAll(() => sender.world.close());

/** Runs a worker until it hangs where the fault says, while people do what the order waits for; kills it there. */
async function dieAt(rule: FaultRule, orderId: string): Promise<void> {
  const { faults } = sender.world.sandbox.world;
  const { id } = faults.add(rule);
  const worker = await spawnWorker(sender.world);
  try {
    await vi.waitFor(
      async () => {
        await settle(sender, orderId);
        expect(faults.list().find((one) => one.id === id)?.struck, `${rule.kind} ${rule.operation}`).toBe(1);
      },
      { timeout: PATIENCE_MS / 4, interval: 50 },
    );
  } finally {
    await kill(worker);
    faults.clear(id);
  }
}

/** One worker works on, and people do what is asked of them, until the way is over. */
async function finish(orderId: string): Promise<void> {
  const worker = await spawnWorker(sender.world);
  try {
    await expect.poll(() => settle(sender, orderId), { timeout: 2 * PATIENCE_MS, interval: 100 }).toBe('ended');
  } finally {
    await kill(worker);
  }
}

/** What an order came to, without what every order has of its own. */
async function endOf(orderId: string) {
  const { order, boxes } = await detail(sender, orderId);
  const view = await viewOf(sender, orderId);
  const plans = sender.world.sandbox.world.inbound
    .plansOf(sender.way.account)
    .filter(({ name }) => name.startsWith(order.number));
  return {
    state: order.state,
    way: view.state,
    attempt: view.attempt,
    // One plan and no more, whatever died while it was made; those that Amazon could not make are good for nothing.
    plans: plans.map(({ status }) => status).filter((status) => status !== 'ERRORED'),
    boxes: boxes.length,
    shipments: view.shipments.map(({ items, boxes: mine, transport, hasLabels }) => ({
      items,
      boxes: mine.map(({ amazonBoxId, trackingNo }) => [amazonBoxId?.slice(-6), trackingNo !== '']),
      mode: transport?.mode,
      hasLabels,
    })),
    there: await Promise.all(view.shipments.map(({ shipmentNo }) => sender.way.received(shipmentNo))),
  };
}

const QUANTITIES = [24, 16];

test(`killed before and after each of ${CALLS.length} calls and ${RANDOM_KILLS} times at random, every order ends as one that nobody disturbed`, async () => {
  const calm = await agreed(sender, QUANTITIES);
  await finish(calm);
  const expected = await endOf(calm);
  expect(expected).toMatchObject({ state: 'shipped', way: 'ended', attempt: 1, plans: ['ACTIVE'] });
  let orders = 1;
  for (const kind of ['timeoutBefore', 'timeoutAfter'] as const) {
    const orderId = await agreed(sender, QUANTITIES);
    orders += 1;
    for (const operation of CALLS) await dieAt({ kind, operation, count: 1, ms: HANGS_MS }, orderId);
    await finish(orderId);
    expect(await endOf(orderId), kind).toEqual(expected);
  }
  for (let round = 0; round < RANDOM_KILLS; round += 3) {
    const orderId = await agreed(sender, QUANTITIES);
    orders += 1;
    for (let death = 0; death < 3; death += 1) {
      const worker = await spawnWorker(sender.world);
      const until = Date.now() + 300 + random() * 2_500;
      while (Date.now() < until) {
        await settle(sender, orderId);
        await sleep(50);
      }
      await kill(worker);
    }
    await finish(orderId);
    expect(await endOf(orderId), `round ${round}`).toEqual(expected);
  }
  const [first = '', second = ''] = sender.skus;
  const [a = 0, b = 0] = QUANTITIES;
  expect(await balances(sender.world, sender.house, first)).toEqual({ AVAILABLE: 5_000 - orders * a });
  expect(await balances(sender.world, sender.house, second)).toEqual({ AVAILABLE: 5_000 - orders * b });
  // Nothing that was called off lingers: a cancelled order leaves no plan behind, killed or not.
  const orderId = await agreed(sender, QUANTITIES);
  await dieAt({ kind: 'timeoutAfter', operation: 'createInboundPlan', count: 1, ms: HANGS_MS }, orderId);
  await sender.house.owner.call(shipSteps.cancel, { body: { id: orderId, reason: '不发了' } });
  const worker = await spawnWorker(sender.world);
  try {
    await expect.poll(async () => (await viewOf(sender, orderId)).state, { timeout: PATIENCE_MS }).toBe('cancelled');
  } finally {
    await kill(worker);
  }
  expect((await endOf(orderId)).plans).toEqual(['VOIDED']);
});

/** What goes wrong on the wire, and what only happens to inbound plans. */
const FAULTS = [
  'serverError',
  'throttleStorm',
  'connectionReset',
  'timeoutBefore',
  'timeoutAfter',
  'inboundFailed',
  'inboundStuck',
  'inboundExpired',
  'transportationEmpty',
] as const;

test(`under each of ${FAULTS.length} faults, a quarter of all calls, and killed meanwhile, an order ends as one that nobody disturbed`, async () => {
  const calm = await agreed(sender, QUANTITIES);
  await finish(calm);
  const expected = await endOf(calm);
  const { faults } = sender.world.sandbox.world;
  for (const kind of FAULTS) {
    const orderId = await agreed(sender, QUANTITIES);
    const wire = kind.startsWith('inbound') || kind === 'transportationEmpty' ? {} : { path: '/inbound/', ms: 200 };
    const rule: FaultRule = { kind, probability: 0.25, seed: `${random()}`, count: 12, ...wire };
    const { id } = faults.add(kind === 'inboundStuck' ? { ...rule, ms: 1_500 } : rule);
    const worker = await spawnWorker(sender.world);
    const until = Date.now() + 1_000 + random() * 3_000;
    while (Date.now() < until) {
      await settle(sender, orderId);
      await sleep(50);
    }
    await kill(worker);
    await finish(orderId);
    faults.clear(id);
    expect(await endOf(orderId), kind).toEqual(expected);
  }
});
