import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBusiness } from '../business/index.ts';
import type { SimAccount, SimOrder } from '../business/types.ts';
import { type Sandbox, startSandbox } from '../index.ts';
import { type Bench, bench, DAY, type Json, listOf, postJson, START } from './wire-support.ts';

const NOW = START + 20 * DAY + 7 * 3_600_000;
const OPTIONS = { makeBusiness: createBusiness, scenario: 'demo', clock: { mode: 'frozen', at: NOW } } as const;

let dir: string;
let shop: Bench;
let account: SimAccount;
let token: string;
let waiting: SimOrder[];
let orders: SimOrder[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'acts-'));
  shop = await bench({ ...OPTIONS, startAt: START, dataDir: dir });
  const found = shop.business.accounts.find(({ region }) => region === 'na');
  if (!found) throw new Error('nobody sells in North America');
  account = found;
  token = await shop.token('na', account.sellingPartnerId);
  const query = { marketplaceIds: account.marketplaceIds, by: 'created' as const, from: NOW - 30 * DAY, to: NOW };
  orders = shop.business.orders(account, query, NOW);
  waiting = orders.filter(({ fulfilment, status }) => fulfilment === 'MFN' && status === 'UNSHIPPED');
  expect(waiting.length).toBeGreaterThan(2);
});
afterAll(async () => {
  await shop.close();
  await rm(dir, { recursive: true, force: true });
});

async function send(path: string, init: RequestInit = {}): Promise<{ status: number; message: string; body: Json }> {
  shop.throttle.advance(1);
  const headers = { 'x-amz-access-token': token, 'user-agent': 'acts/1', ...init.headers };
  const response = await fetch(`${shop.url}/spapi/na${path}`, { ...init, headers });
  const text = await response.text();
  const body = (text === '' ? {} : JSON.parse(text)) as Json;
  return { status: response.status, message: String(body.errors?.[0]?.message ?? ''), body };
}

const at = (index: number): SimOrder => {
  const order = waiting[index];
  if (!order) throw new Error('too few orders wait');
  return order;
};

function confirm(order: SimOrder, change: object = {}, more: object = {}) {
  const items = order.items.map((item) => ({ orderItemId: item.orderItemId, quantity: item.quantityOrdered }));
  const detail = {
    packageReferenceId: '1',
    carrierCode: 'UPS',
    trackingNumber: '1Z1',
    shipDate: new Date(NOW - 60_000).toISOString(),
    orderItems: items,
  };
  const body = { marketplaceId: order.marketplaceId, packageDetail: { ...detail, ...change }, ...more };
  return send(`/orders/v0/orders/${order.orderId}/shipmentConfirmation`, postJson(body));
}

describe('confirming a shipment', () => {
  it('is refused with the field that is wrong, and changes nothing then', async () => {
    const order = at(0);
    const [item] = order.items;
    const refused: [object, RegExp][] = [
      [{ packageReferenceId: 1 }, /packageReferenceId.*invalid type/],
      [{ packageReferenceId: '0' }, /PackageReferenceId/],
      [{ carrierCode: '' }, /carrierCode/],
      [{ carrierCode: 'Other' }, /carrierName/],
      [{ trackingNumber: undefined }, /trackingNumber/],
      [{ shipDate: '02/21/2026' }, /shipDate/],
      [{ shipDate: new Date(NOW + DAY).toISOString() }, /shipDate.*future/],
      [{ shipDate: new Date(order.purchasedAt - DAY).toISOString() }, /shipDate.*before/],
      [{ orderItems: [{ orderItemId: '1', quantity: 1 }] }, /OrderItemId/],
      [{ orderItems: [{ orderItemId: item?.orderItemId, quantity: 0 }] }, /quantity/],
      [{ orderItems: [{ orderItemId: item?.orderItemId, quantity: 99 }] }, /quantity.*left/],
    ];
    for (const [change, words] of refused) {
      const { status, message } = await confirm(order, change);
      expect([status, words.test(message)], JSON.stringify(change) + message).toEqual([400, true]);
    }
    expect((await confirm(order, {}, { codCollectionMethod: 'DirectPayment' })).message).toMatch(/Japan/);
    expect(shop.business.order(account, order.orderId, NOW)).toEqual(order);
  });

  it('is refused for orders that are none, not the seller’s to send, or gone', async () => {
    const unknown = await confirm({ ...at(0), orderId: '111-0000000-0000000' });
    const fba = orders.find(({ fulfilment, status }) => fulfilment === 'AFN' && status === 'UNSHIPPED');
    const gone = orders.find(({ fulfilment, status }) => fulfilment === 'MFN' && status === 'CANCELLED');
    const sent = orders.find(({ fulfilment, status }) => fulfilment === 'MFN' && status === 'SHIPPED');
    if (!fba || !sent) throw new Error('too few kinds of orders');
    expect(unknown.status).toBe(404);
    expect((await confirm(fba)).message).toMatch(/by Amazon/);
    if (gone) expect((await confirm(gone)).message).toMatch(/cancelled/);
    expect((await confirm(sent, { packageReferenceId: '9' })).message).toMatch(/fulfilled/);
  });

  it('ships the order for everybody who looks, also after a restart', async () => {
    const order = at(0);
    expect((await confirm(order)).status).toBe(204);
    const { body } = await send(`/orders/2026-01-01/orders/${order.orderId}?includedData=FULFILLMENT,PACKAGES`);
    expect(body.order).toMatchObject({
      fulfillment: { fulfillmentStatus: 'SHIPPED' },
      packages: [{ packageReferenceId: '1', carrier: 'UPS', trackingNumber: '1Z1' }],
    });
    // The same package again is a correction of it.
    expect((await confirm(order, { trackingNumber: '1Z2', carrierCode: 'Other', carrierName: 'Kurier' })).status).toBe(
      204,
    );
    const corrected = shop.business.order(account, order.orderId, NOW);
    expect(corrected?.packages).toMatchObject([{ reference: '1', carrier: 'Kurier', trackingNumber: '1Z2' }]);
    const reborn: Sandbox = await startSandbox({ ...OPTIONS, startAt: START, dataDir: dir });
    expect(reborn.business.order(account, order.orderId, NOW)).toEqual(corrected);
    await reborn.close();
  });
});

describe('asking for a review', () => {
  const path = (order: SimOrder) => `/solicitations/v1/orders/${order.orderId}`;
  const site = (order: SimOrder) => `?marketplaceIds=${order.marketplaceId}`;
  const ask = (order: SimOrder) =>
    send(`${path(order)}/solicitations/productReviewAndSellerFeedback${site(order)}`, { method: 'POST' });
  const offered = async (order: SimOrder) => {
    const { body } = await send(path(order) + site(order));
    return listOf(body._links?.actions).length;
  };

  it('is offered once, from five days after the earliest delivery on', async () => {
    const ripe = orders.find(({ purchasedAt, status }) => purchasedAt < NOW - 8 * DAY && status === 'SHIPPED');
    const fresh = orders.find(({ purchasedAt, status }) => purchasedAt > NOW - 5 * DAY && status === 'SHIPPED');
    if (!ripe || !fresh) throw new Error('too few orders');
    expect([await offered(ripe), await offered(fresh)]).toEqual([1, 0]);
    expect((await ask(fresh)).message).toMatch(/5 to 30 days/);
    expect((await ask(ripe)).status).toBe(201);
    expect(await offered(ripe)).toBe(0);
    const again = await ask(ripe);
    expect([again.status, /not available/.test(again.message)]).toEqual([403, true]);
    expect((await send(`/solicitations/v1/orders/${ripe.orderId}`)).status).toBe(400);
  });
});
