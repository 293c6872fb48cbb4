import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conformance } from '../conformance/check.ts';
import { type ManualClock, manualClock } from '../wire/clock.ts';
import type { FaultRule } from '../wire/faults.ts';
import { inboundFaultKinds } from '../wire/faults.ts';
import { Inbounder } from './inbound-support.ts';
import { consentedSeller, SELLER_NOW } from './seller-support.ts';
import { type Json, listOf, postJson } from './wire-support.ts';

const models = conformance();
let way: Inbounder;
let throttle: ManualClock;

beforeAll(async () => {
  throttle = manualClock(SELLER_NOW);
  way = new Inbounder(await consentedSeller({ watch: models.watch, throttleClock: throttle }));
});
beforeEach(() => {
  // At this rate a moment fills every bucket again.
  const take = way.world.throttle.take.bind(way.world.throttle);
  way.world.throttle.take = (...given) => {
    throttle.advance(1);
    return take(...given);
  };
  way.world.faults.clear();
  way.world.inbound.settings.operationMs = [0, 0];
});
afterAll(async () => {
  await way.seller.sandbox.close();
  expect(models.problems()).toEqual([]);
});

const strike = (rule: FaultRule) => way.world.faults.add(rule);
const optionCount = async () => listOf((await way.plan('/packingOptions')).packingOptions).length;

describe('operations', () => {
  it('take their time', async () => {
    await way.begin([5]);
    await way.control({ action: 'settings', operationMs: [60_000, 60_000] });
    const end = await way.ask('POST', `/inboundPlans/${way.planId}/packingOptions`);
    expect(end).toMatchObject({
      operation: 'generatePackingOptions',
      operationStatus: 'IN_PROGRESS',
      operationProblems: [],
    });
    expect(await optionCount()).toBe(0);
    throttle.advance(60_000);
    expect((await way.status(end.operationId)).operationStatus).toBe('SUCCESS');
    expect(await optionCount()).toBe(1);
  });

  it('fail on a plan that is still being made', async () => {
    const items = await way.items([{ msku: way.offers()[0]?.product.sku ?? '', quantity: 2 }]);
    strike({ kind: 'inboundStuck', ms: 60_000, operation: 'createInboundPlan', count: 1 });
    way.planId = String((await way.create(items)).body.inboundPlanId);
    expect(await way.fails('POST', '/packingOptions')).toMatch(/not in a valid state/);
    throttle.advance(60_000);
    await way.done('POST', '/packingOptions');
  });

  it('fail with a problem that is told, or stay in progress for very long', async () => {
    await way.begin([5]);
    strike({ kind: 'inboundFailed', operation: 'generatePackingOptions', count: 1 });
    expect(await way.fails('POST', '/packingOptions')).toMatch(/^InternalServerError: ERROR: Something went wrong/);
    strike({ kind: 'inboundFailed', code: 'FBA_INB_0115', message: 'ERROR: Sorry', count: 1 });
    expect(await way.fails('POST', '/packingOptions')).toMatch(/^FBA_INB_0115: ERROR: Sorry/);
    expect(await optionCount()).toBe(0);
    strike({ kind: 'inboundStuck', ms: 1_800_000, count: 1 });
    const slow = await way.ask('POST', `/inboundPlans/${way.planId}/packingOptions`);
    throttle.advance(1_790_000);
    expect((await way.status(slow.operationId)).operationStatus).toBe('IN_PROGRESS');
    throttle.advance(10_000);
    expect((await way.status(slow.operationId)).operationStatus).toBe('SUCCESS');
    strike({ kind: 'inboundStuck', count: 1 });
    const stuck = await way.ask('POST', `/inboundPlans/${way.planId}/packingOptions`);
    throttle.advance(1_000_000);
    expect((await way.status(stuck.operationId)).operationStatus).toBe('IN_PROGRESS');
    expect(listOf((await way.control()).open).map(({ operation }) => String(operation))).toEqual([
      'generatePackingOptions',
    ]);
  });

  it('offer what has expired, or no transport at all', async () => {
    await way.begin([5]);
    strike({ kind: 'inboundExpired', operation: 'generatePackingOptions', count: 1 });
    await way.done('POST', '/packingOptions');
    const [option] = listOf((await way.plan('/packingOptions')).packingOptions);
    expect(option?.status).toBe('EXPIRED');
    await way.pack();
    const [id = ''] = await way.place(1);
    strike({ kind: 'transportationEmpty', count: 1 });
    await way.offerTransport([id]);
    expect(await way.transports(id)).toEqual([]);
    await way.offerTransport([id]);
    expect((await way.transports(id)).length).toBeGreaterThan(10);
  });
});

describe('answers', () => {
  it('get lost after their effect: the plan is there all the same', async () => {
    const items = await way.items([{ msku: way.offers()[0]?.product.sku ?? '', quantity: 2 }]);
    for (const kind of ['timeoutAfter', 'connectionReset'] as const) {
      strike({ kind, operation: 'createInboundPlan', ms: 20, count: 1 });
      await expect(way.create(items, { name: `Lost ${kind}` })).rejects.toThrow();
      const { inboundPlans } = await way.read('/inboundPlans', { sortBy: 'CREATION_TIME', sortOrder: 'DESC' });
      expect(listOf(inboundPlans)[0]?.name).toBe(`Lost ${kind}`);
    }
    strike({ kind: 'timeoutBefore', operation: 'createInboundPlan', ms: 20, count: 1 });
    await expect(way.create(items, { name: 'Never' })).rejects.toThrow();
    const { inboundPlans } = await way.read('/inboundPlans', { pageSize: 30 });
    expect(listOf(inboundPlans).map(({ name }) => String(name))).not.toContain('Never');
  });

  it('are refused for being too many, and broken', async () => {
    strike({ kind: 'throttleStorm', operation: 'listInboundPlans', count: 1 });
    expect((await way.send('GET', '/inboundPlans')).status).toBe(429);
    strike({ kind: 'serverError', operation: 'getLabels', status: 500, count: 1 });
    const path = '/fba/inbound/v0/shipments/FBA15X/labels';
    const response = await fetch(`${way.seller.sandbox.url}/spapi/na${path}`, {
      headers: { 'x-amz-access-token': way.seller.accessToken, 'user-agent': 'faults/1' },
    });
    expect(response.status).toBe(500);
    strike({ kind: 'roleRemoved', operation: 'createInboundPlan', count: 1 });
    expect((await way.create([])).status).toBe(403);
  });

  it('pages end, and tokens of others are refused', async () => {
    await way.begin([1]);
    const first = await way.read('/inboundPlans', { pageSize: 2 });
    const paginationToken = first.pagination?.nextToken;
    const second = await way.read('/inboundPlans', { pageSize: 2, paginationToken });
    expect(second.inboundPlans).not.toEqual(first.inboundPlans);
    expect((await way.send('GET', '/inboundPlans', undefined, { pageSize: 3, paginationToken })).status).toBe(400);
    expect((await way.send('GET', '/inboundPlans', undefined, { pageSize: 31 })).status).toBe(400);
  });
});

describe('the control surface', () => {
  const refused = async (body: object): Promise<string> => {
    const response = await fetch(`${way.seller.sandbox.url}/control/inbound`, postJson(body));
    expect(response.status).toBe(400);
    return String(((await response.json()) as Json).message);
  };

  it('names the kinds of faults, and refuses what it cannot do', async () => {
    const { inboundKinds } = (await (await fetch(`${way.seller.sandbox.url}/control/faults`)).json()) as Json;
    expect(inboundKinds).toEqual([...inboundFaultKinds]);
    expect(await refused({ action: 'dance' })).toMatch(/action/);
    expect(await refused({ action: 'settings', pase: 1 })).toMatch(/pase/);
    expect(await refused({ action: 'move', shipment: 'FBA15X', status: 'CLOSED' })).toMatch(/No such shipment/);
    expect(await refused({ action: 'cancelPlan', inboundPlanId: 'wf' })).toMatch(/No such inbound plan/);
    await way.begin([3]);
    await way.pack();
    const [id = ''] = await way.place(1);
    expect(await refused({ action: 'move', shipment: id, status: 'CLOSED' })).toMatch(/not dispatched/);
    expect(
      await refused({
        action: 'changePlan',
        inboundPlanId: way.planId,
        items: await way.items([{ msku: way.offers()[0]?.product.sku ?? '', quantity: 1 }]),
      }),
    ).toMatch(/placement is confirmed/);
  });

  it('changes a plan behind the seller’s back, as Seller Central lets others do', async () => {
    const [item] = await way.begin([5]);
    await way.pack();
    await way.control({
      action: 'changePlan',
      inboundPlanId: way.planId,
      name: 'Theirs',
      items: [{ ...item, quantity: 9 }],
    });
    expect(await way.plan()).toMatchObject({ name: 'Theirs', packingOptions: [] });
    expect(listOf((await way.plan('/items')).items)[0]?.quantity).toBe(9);
  });
});
