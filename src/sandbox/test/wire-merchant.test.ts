import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../index.ts';
import { allWaiting, boughtLabel, MFN, offersOf, parcelOf, type WaitingOrder } from './merchant-support.ts';
import { type ConsentedSeller, consentedSeller, SELLER_NOW } from './seller-support.ts';
import { DAY, type Json, listOf, START } from './wire-support.ts';

let dir: string;
let seller: ConsentedSeller;
let waiting: WaitingOrder[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'labels-'));
  seller = await consentedSeller({ dataDir: dir, scenario: 'demo' });
  waiting = await allWaiting(seller);
  expect(waiting.length).toBeGreaterThan(4);
});
afterAll(async () => {
  await seller.sandbox.close();
  await rm(dir, { recursive: true, force: true });
});

function next(fits: (order: WaitingOrder) => boolean = () => true): WaitingOrder {
  const at = waiting.findIndex(fits);
  const [order] = at < 0 ? [] : waiting.splice(at, 1);
  if (!order) throw new Error('too few orders wait');
  return order;
}

async function packagesOf({ orderId }: WaitingOrder): Promise<Json[]> {
  const query = { includedData: 'PACKAGES,FULFILLMENT' };
  const { order } = await seller.good({ method: 'GET', path: `/orders/2026-01-01/orders/${orderId}`, query });
  return listOf(order?.packages ?? []);
}

/** The document of a label; its checksum must be its own. */
function documentOf(label: Json): Buffer {
  const { Contents, Checksum } = label.Label?.FileContents ?? {};
  const document = gunzipSync(Buffer.from(String(Contents), 'base64'));
  expect(createHash('md5').update(document).digest('base64')).toBe(Checksum);
  return document;
}

const buy = (details: object, more: object) =>
  seller.send({ method: 'POST', path: `${MFN}/shipments`, body: { ShipmentRequestDetails: details, ...more } });
const wrong = async (answer: ReturnType<typeof buy>) => {
  const { status, body } = await answer;
  return `${status} ${String(body.errors?.[0]?.message)}`;
};

test('offers depend on the parcel alone, and those that come too late or are too heavy are left out', async () => {
  const order = next();
  const offers = await offersOf(seller, parcelOf(order));
  expect(offers).toHaveLength(5);
  expect(await offersOf(seller, parcelOf(order))).toEqual(offers);
  const heavier = await offersOf(seller, parcelOf(order, { Weight: { Value: 5_000, Unit: 'g' } }));
  for (const [index, offer] of heavier.entries()) {
    expect(Number(offer.Rate?.Amount)).toBeGreaterThan(Number(offers[index]?.Rate?.Amount));
  }
  const soon = new Date(SELLER_NOW + 2.5 * DAY).toISOString();
  const quick = await offersOf(seller, parcelOf(order, { MustArriveByDate: soon }));
  expect(quick.map((offer) => offer.ShippingServiceId)).toEqual([
    'UPS_PTP_2ND_DAY_AIR',
    'FEDEX_PTP_PRIORITY_OVERNIGHT',
  ]);
  const tons = await offersOf(seller, parcelOf(order, { Weight: { Value: 80_000, Unit: 'g' } }));
  expect(tons).toEqual([]);
});

test('a label is a document of the format that was asked for, and its package is on the order', async () => {
  const options = { DeliveryExperience: 'NoTracking', CarrierWillPickUp: false };
  const starts = { PDF: '%PDF-1.4', PNG: '\u0089PNG', ZPL203: '^XA' };
  for (const [format, start] of Object.entries(starts)) {
    const order = next();
    const label = await boughtLabel(seller, order, { ShippingServiceOptions: { ...options, LabelFormat: format } });
    expect(documentOf(label).toString('latin1').startsWith(start)).toBe(true);
    expect(await packagesOf(order)).toMatchObject([{ trackingNumber: label.TrackingId, carrier: 'USPS' }]);
  }
});

test('nobody buys what cannot be sent: the order says what is left', async () => {
  const order = next(({ items }) => items.length === 1);
  const [item] = items(order);
  const ground = { ShippingServiceId: 'UPS_PTP_GND' };
  const more = [{ ...item, Quantity: item.Quantity + 1 }];
  expect(await wrong(buy(parcelOf(order, { ItemList: more }), ground))).toMatch(/^400 .*more than what is left/);
  const strange = [{ OrderItemId: '1', Quantity: 1 }];
  expect(await wrong(buy(parcelOf(order, { ItemList: strange }), ground))).toMatch(/^400 .*does not belong/);
  expect(await wrong(buy(parcelOf(order), { ShippingServiceId: 'NOBODY' }))).toMatch(/^400 .*not available/);
  expect(await wrong(buy(parcelOf(order), { ...ground, ShippingServiceOfferId: 'old' }))).toMatch(
    /^400 .*no longer valid/,
  );
  expect(await wrong(buy({ ...parcelOf(order), Weight: { Value: 0, Unit: 'g' } }, ground))).toMatch(/^400 .*Weight/);
  expect(await packagesOf(order)).toEqual([]);
  await boughtLabel(seller, order);
  expect(await wrong(buy(parcelOf(order), ground))).toMatch(/^400 .*more than what is left/);
  expect(await packagesOf(order)).toHaveLength(1);
});

test('without an idempotency key a lost answer is a label that was bought all the same', async () => {
  const order = next();
  const { faults } = seller.sandbox.world;
  faults.add({ kind: 'timeoutAfter', operation: 'createShipment', ms: 1, count: 1 });
  await expect(boughtLabel(seller, order)).rejects.toThrow();
  faults.clear();
  const [one] = await packagesOf(order);
  expect(seller.sandbox.world.merchant.ofOrder(order.orderId)).toMatchObject([{ tracking: one?.trackingNumber }]);
});

test('a label that is called back is paid back, and the next one takes its place; all of it survives a new start', async () => {
  const order = next();
  const first = await boughtLabel(seller, order);
  const path = `${MFN}/shipments/${String(first.ShipmentId)}`;
  expect((await seller.good({ method: 'DELETE', path })).payload?.Status).toBe('RefundPending');
  const second = await boughtLabel(seller, order);
  expect(second.ShipmentId).not.toBe(first.ShipmentId);
  expect(await packagesOf(order)).toMatchObject([{ trackingNumber: second.TrackingId }]);
  const { world } = seller.sandbox;
  const shown = world.merchant.ofOrder(order.orderId);
  await seller.sandbox.close();
  const again = await startSandbox({ scenario: 'demo', seed: 'sdk', startAt: START, dataDir: dir });
  expect(again.world.merchant.ofOrder(order.orderId)).toEqual(shown);
  const [account] = again.world.business.accounts.filter((one) => one.sellingPartnerId === seller.sellerId);
  if (!account) throw new Error('the seller is gone');
  expect(again.world.business.order(account, order.orderId, again.world.now())?.packages).toMatchObject([
    { trackingNumber: second.TrackingId },
  ]);
  await again.close();
});

function items({ items: [item] }: WaitingOrder) {
  if (!item) throw new Error('an order without items');
  return [item] as const;
}
