import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { conformance } from '../conformance/check.ts';
import { startSandbox } from '../index.ts';
import { BUYER, Outbounder } from './outbound-support.ts';
import { type ConsentedSeller, consentedSeller } from './seller-support.ts';
import { type Json, listOf, postJson, START } from './wire-support.ts';

const models = conformance();
let dir: string;
let seller: ConsentedSeller;
let outbound: Outbounder;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outbound-'));
  seller = await consentedSeller({ watch: models.watch, dataDir: dir });
  outbound = new Outbounder(seller);
});
afterAll(async () => {
  await seller.sandbox.close();
  await rm(dir, { recursive: true, force: true });
  expect(models.problems()).toEqual([]);
});

const home = () => {
  const account = seller.sandbox.business.accounts.find(({ region }) => region === 'na');
  if (!account) throw new Error('nobody sells there');
  return account;
};
const audit = () => seller.sandbox.business.audit(seller.sandbox.clock.now());
const piecesOf = (sku: string) => outbound.skus().find((one) => one.sku === sku)?.pieces ?? 0;
const most = (): { sku: string; pieces: number } => {
  const [first] = outbound.skus();
  if (!first) throw new Error('there is no stock');
  return first;
};
const statusOf = async (id: string) => (await outbound.read(id)).status;

it('an order goes through its steps by the clock, and its goods leave the stock', async () => {
  const { sku, pieces } = most();
  expect(await outbound.create('WAY-1', {}, [[sku, 12]])).toMatchObject({ status: 200 });
  expect([await statusOf('WAY-1'), piecesOf(sku)]).toEqual(['Received', pieces - 12]);
  const seen: string[] = [];
  for (let hour = 0; hour < 30; hour += 1) {
    outbound.later(1);
    const status = await statusOf('WAY-1');
    if (seen.at(-1) !== status) seen.push(status);
  }
  expect(seen).toEqual(['Planning', 'Processing', 'Complete']);
  const { packages, items } = await outbound.read('WAY-1');
  expect(packages).toHaveLength(2);
  expect(new Set(packages.map(({ trackingNumber }) => trackingNumber)).size).toBe(2);
  expect(items).toMatchObject([{ quantity: 12, cancelledQuantity: 0, unfulfillableQuantity: 0 }]);
  const track = async () => {
    const query = { packageNumber: packages[0]?.packageNumber };
    return (await outbound.good('getPackageTrackingDetails', { query })).payload;
  };
  expect((await track())?.currentStatus).toBe('IN_TRANSIT');
  outbound.later(6 * 24);
  const there = await track();
  expect([there?.currentStatus, listOf(there?.trackingEvents)[0]?.eventCode]).toEqual(['DELIVERED', 'EVENT_301']);
  expect(audit()).toEqual([]);
});

it('a preview tells fees and days by speed, and what cannot be sent', async () => {
  const { sku } = most();
  const preview = async (items: object[], more: object = {}): Promise<Json[]> => {
    const { payload } = await outbound.good('getFulfillmentPreview', { body: { address: BUYER, items, ...more } });
    return listOf(payload?.fulfillmentPreviews);
  };
  const line = (sellerSku: string, quantity: number, item = '1') => ({
    sellerSku,
    sellerFulfillmentOrderItemId: item,
    quantity,
  });
  const offers = await preview([line(sku, 2)]);
  expect(offers.map((one) => [one.shippingSpeedCategory, one.isFulfillable])).toEqual([
    ['Standard', true],
    ['Expedited', true],
    ['Priority', true],
  ]);
  const fees = offers.map((one) => Number(listOf(one.estimatedFees)[0]?.amount?.value));
  expect(fees).toEqual(fees.toSorted((a, b) => a - b));
  expect(new Set(fees).size).toBe(3);
  const ends = offers.map((one) => String(listOf(one.fulfillmentPreviewShipments)[0]?.latestArrivalDate));
  expect(ends).toEqual(ends.toSorted().reverse());
  const [bad] = await preview([line(sku, 1), line('NOBODY', 1, '2')]);
  expect([bad?.isFulfillable, listOf(bad?.unfulfillablePreviewItems)]).toMatchObject([
    false,
    [{ sellerSku: 'NOBODY', itemUnfulfillableReasons: ['InvalidSKU'] }],
  ]);
  const [nowhere] = await preview([line(sku, 1)], { address: { ...BUYER, postalCode: '1' } });
  expect(nowhere?.orderUnfulfillableReasons).toEqual(['InvalidDestinationAddress']);
});

it('a held order waits, is let go once, and is cancelled by itself after fourteen days', async () => {
  await outbound.create('HOLD-1', { fulfillmentAction: 'Hold' });
  await outbound.create('HOLD-2', { fulfillmentAction: 'Hold' });
  outbound.later(13 * 24);
  expect(await statusOf('HOLD-1')).toBe('Received');
  const release = { id: 'HOLD-1', body: { fulfillmentAction: 'Ship' } };
  await outbound.good('updateFulfillmentOrder', release);
  expect(await outbound.refusal('updateFulfillmentOrder', release)).toMatch(/400 .*not on hold/);
  outbound.later(26);
  expect([await statusOf('HOLD-1'), await statusOf('HOLD-2')]).toEqual(['Complete', 'Cancelled']);
  expect(audit()).toEqual([]);
});

it('is cancelled until picking begins, which gives its pieces back, and not after that', async () => {
  const { sku, pieces } = most();
  await outbound.create('STOP-1', {}, [[sku, 3]]);
  expect(piecesOf(sku)).toBe(pieces - 3);
  await outbound.good('cancelFulfillmentOrder', { id: 'STOP-1' });
  expect([await statusOf('STOP-1'), piecesOf(sku)]).toEqual(['Cancelled', pieces]);
  await outbound.create('STOP-2', {}, [[sku, 1]]);
  outbound.later(4);
  expect(await statusOf('STOP-2')).toBe('Processing');
  expect(await outbound.refusal('cancelFulfillmentOrder', { id: 'STOP-2' })).toMatch(/400 .*Processing cannot be/);
  expect(await outbound.refusal('cancelFulfillmentOrder', { id: 'NOBODY' })).toMatch(/^404/);
  expect(audit()).toEqual([]);
});

it('what lacks pieces or an address ends by its policy', async () => {
  const { sku } = most();
  // Less than what lies there: buyers of today's orders have it already.
  const free = seller.sandbox.business.freeForOutbound(
    home(),
    seller.marketplaceIds[0] ?? '',
    sku,
    seller.sandbox.clock.now(),
  );
  const lacking: [sku: string, quantity: number][] = [[sku, free + 1]];
  const cases: [id: string, more: object, items: [string, number][], status: string][] = [
    ['BAD-1', {}, lacking, 'Invalid'],
    ['BAD-2', {}, [['NOBODY', 1]], 'Invalid'],
    ['BAD-3', { destinationAddress: { ...BUYER, postalCode: 'ABC' } }, [[sku, 1]], 'Invalid'],
    ['BAD-4', { fulfillmentPolicy: 'FillAllAvailable' }, lacking, 'Received'],
    // The order before has taken all that there was.
    ['BAD-5', { fulfillmentPolicy: 'FillAllAvailable' }, [[sku, 1]], 'Unfulfillable'],
  ];
  for (const [id, more, items, status] of cases) {
    expect((await outbound.create(id, more, items)).status).toBe(200);
    expect([id, await statusOf(id)]).toEqual([id, status]);
  }
  outbound.later(26);
  const { status, items } = await outbound.read('BAD-4');
  expect([status, items]).toMatchObject(['CompletePartialled', [{ unfulfillableQuantity: 1 }]]);
  expect(audit()).toEqual([]);
});

it('what cannot be right is refused with the field that is wrong', async () => {
  const refusal = async (more: object) => {
    const { status, body } = await outbound.create('NEVER', more);
    return `${status} ${String(body.errors?.[0]?.message)}`;
  };
  expect(await refusal({ sellerFulfillmentOrderId: 'x'.repeat(41) })).toMatch(/400 .*sellerFulfillmentOrderId/);
  expect(await refusal({ destinationAddress: { ...BUYER, city: undefined } })).toMatch(/400 .*city/);
  expect(await refusal({ shippingSpeedCategory: 'ScheduledDelivery' })).toMatch(/400 .*Japan/);
  expect(await refusal({ items: [] })).toMatch(/400 .*items/);
  expect(await refusal({ sellerFulfillmentOrderId: 'WAY-1' })).toMatch(/400 .*already exists/);
  expect((await outbound.send('getFulfillmentOrder', { id: 'NEVER' })).status).toBe(404);
});

it('the list tells changed orders page by page', async () => {
  const query = { queryStartDate: new Date(START).toISOString() };
  for (let number = 0; number < 32; number += 1) await outbound.create(`LIST-${number}`, {}, [['NOBODY', 1]]);
  const first = (await outbound.good('listAllFulfillmentOrders', { query })).payload;
  const rest = (await outbound.good('listAllFulfillmentOrders', { query: { nextToken: first?.nextToken } })).payload;
  const ids = [...listOf(first?.fulfillmentOrders), ...listOf(rest?.fulfillmentOrders)].map((one) =>
    String(one.sellerFulfillmentOrderId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(['WAY-1', 'HOLD-1', 'STOP-1', 'BAD-1', 'LIST-31']));
});

it('a step can be reached at once, and the stock follows', async () => {
  const { sku, pieces } = most();
  await outbound.create('HURRY-1', {}, [[sku, 2]]);
  const move = async (status: string) => {
    const answer = await fetch(`${seller.sandbox.url}/control/outbound`, postJson({ order: 'HURRY-1', status }));
    return [answer.status, await statusOf('HURRY-1')];
  };
  expect(await move('Processing')).toEqual([200, 'Processing']);
  expect(await move('Complete')).toEqual([200, 'Complete']);
  expect(await move('Planning')).toEqual([200, 'Complete']);
  expect(piecesOf(sku)).toBe(pieces - 2);
  expect(audit()).toEqual([]);
  expect(
    (await fetch(`${seller.sandbox.url}/control/outbound`, postJson({ order: 'NONE', status: 'Complete' }))).status,
  ).toBe(400);
});

it('a sandbox that starts again finds the same orders and the same stock', async () => {
  const at = seller.sandbox.clock.now();
  const { scenario, seed } = seller.sandbox.world;
  const reborn = await startSandbox({ scenario, seed, startAt: START, clock: { mode: 'frozen', at }, dataDir: dir });
  expect(reborn.world.outbound.all()).toEqual(seller.sandbox.world.outbound.all());
  const stocks = (of: typeof reborn) =>
    of.business.accounts.map((one) =>
      of.business.stock(one, one.marketplaceIds[0] ?? '', at).map((s) => s.fulfillable),
    );
  expect(stocks(reborn)).toEqual(stocks(seller.sandbox));
  expect(reborn.business.audit(at)).toEqual([]);
  await reborn.close();
});
