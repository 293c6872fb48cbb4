import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { removals } from '#modules/inventory/contract/events.ts';
import { addAddress } from '#modules/marketplace/contract/addresses.ts';
import { listFeeds, retryFeed } from '#modules/marketplace/contract/feeds.ts';
import { requestReport } from '#modules/marketplace/contract/sync.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import { OWN } from '../contract/fields.ts';
import { parcelsOf } from '../contract/receipts.ts';
import {
  createRemoval,
  REMOVE,
  type RemovalGoods,
  type RemovalLine,
  removalAddresses,
  removalGoods,
  requests,
  resubmitRemoval,
} from '../contract/removals.ts';

const US = 'ATVPDKIKX0DER';
const DAY = 86_400_000;
const FEED = 'POST_FLAT_FILE_FBA_CREATE_REMOVAL';
const HOME = { country: 'US', state: 'NV', city: 'Reno', line1: '1 Main St', postalCode: '89501', phone: '7750000000' };

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let site: string;
let home: string;
let abroad: string;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  const { storeId, ...connected } = await connectStore(owner);
  accountId = connected.accountId;
  site = `${US}-${accountId}`;
  home = (await owner.call(addAddress, { body: { storeId, name: '美国退货仓', company: 'Qihang LLC', ...HOME } })).id;
  abroad = (
    await owner.call(addAddress, {
      body: {
        storeId,
        name: '深圳仓',
        country: 'CN',
        city: 'Shenzhen',
        line1: '18 Bulan Rd',
        postalCode: '518112',
        phone: '1',
      },
    })
  ).id;
  await vi.waitFor(
    async () => {
      const goods = await owner.call(removalGoods, { body: { site } });
      if (goods.length < 3 || !goods.some(({ unsellable }) => unsellable > 0)) throw new Error('no stock yet');
    },
    { timeout: PATIENCE_MS, interval: 300 },
  );
}, PATIENCE_MS);
afterAll(() => world.close());

const goods = async (nth: number): Promise<RemovalGoods> => {
  const found = (await owner.call(removalGoods, { body: { site } })).filter(({ sellable }) => sellable > 20)[nth];
  if (!found) throw new Error('too few goods');
  return found;
};
const line = (sku: string, sellable: number, unsellable = 0): RemovalLine => ({ sku, sellable, unsellable });
const disposal = (...lines: RemovalLine[]) => ({ body: { site, type: 'Disposal' as const, lines } });
const create = async (...lines: RemovalLine[]) => owner.call(createRemoval, disposal(...lines));
const rowOf = async (number: string) => {
  const { records } = await owner.call(requests.list, { body: { filter: { number } } });
  return records[0];
};
const ends = (number: string) =>
  expect.poll(async () => (await rowOf(number))?.state, { timeout: PATIENCE_MS }).not.toBe('submitting');
const there = (number: string) =>
  world.sandbox.world.feeds
    .all()
    .filter(({ done }) => done?.removal?.orderId === number)
    .flatMap(({ done }) => done?.removal ?? []);
const handedIn = () => world.sandbox.world.feeds.all().filter(({ feedType }) => feedType === FEED).length;

/** Has a report of the last days read once more. */
async function read(type: string): Promise<void> {
  const day = (back: number) => new Date(world.sandbox.clock.now() - back * DAY).toISOString().slice(0, 10);
  const query = { authid: accountId, type, start: day(20), end: day(0), ignore: 'true' as const };
  await expect.poll(async () => (await owner.send(requestReport, { query })).code, { timeout: PATIENCE_MS }).toBe(201);
}

it('goods are sent back to an address of the store, told by the report, and come in parcels', {
  timeout: PATIENCE_MS,
}, async () => {
  const addresses = await owner.call(removalAddresses, { body: { site } });
  expect(addresses.map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringContaining('美国退货仓 · 1 Main St, Reno, NV, 89501 US')]),
  );
  const [one, two] = [await goods(0), await goods(1)];
  const lines = [line(one.id, 12), line(two.id, 3)];
  const { number } = await owner.call(createRemoval, {
    body: { site, type: 'Return', addressId: home, remark: 'dock 4', lines },
  });
  expect(number).toMatch(/^RM\d{6}-[2-9A-Z]{8}$/);
  await ends(number);
  expect(await rowOf(number)).toMatchObject({
    state: 'accepted',
    told: 'no',
    type: 'Return',
    sellable: 15,
    unsellable: 0,
  });
  expect(there(number)).toMatchObject([{ type: 'Return', lines: lines.map((each) => ({ ...each })) }]);
  const sent = world.sandbox.world.feeds.all().find(({ done }) => done?.removal?.orderId === number);
  expect(world.sandbox.world.feeds.document(sent?.inputDocumentId ?? '')?.content).toBe(
    [
      `MerchantRemovalOrderID\t${number}`,
      'RemovalDisposition\tReturn',
      'AddressName\tQihang LLC',
      'AddressFieldOne\t1 Main St',
      'AddressCity\tReno',
      'AddressCountryCode\tUS',
      'AddressStateOrRegion\tNV',
      'AddressPostalCode\t89501',
      'ContactPhoneNumber\t7750000000',
      'ShippingNotes\tdock 4',
      '',
      'MerchantSKU\tSellableQuantity\tUnsellableQuantity',
      `${one.id}\t12\t0`,
      `${two.id}\t3\t0`,
      '',
    ].join('\n'),
  );
  world.sandbox.world.commandClock({ advanceMs: 4 * DAY });
  await read('GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA');
  await expect.poll(async () => (await rowOf(number))?.told, { timeout: PATIENCE_MS }).toBe('yes');
  const { records } = await owner.call(removals.list, { body: { filter: { orderId: number } } });
  expect(records.map(({ status, shipped }) => [status, shipped]).sort()).toEqual([
    ['Completed', 12],
    ['Completed', 3],
  ]);
  await read('GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA');
  const parcels = () => owner.call(parcelsOf, { query: { orderId: number } });
  await expect.poll(async () => (await parcels()).length, { timeout: PATIENCE_MS }).toBe(4);
  expect(new Set((await parcels()).map(({ tracking }) => tracking)).size).toBe(2);
});

it('what is destroyed or cannot be sold needs no address', { timeout: PATIENCE_MS }, async () => {
  const all = await owner.call(removalGoods, { body: { site } });
  const broken = all.find(({ unsellable }) => unsellable > 0);
  if (!broken) throw new Error('nothing is broken');
  const { number } = await create(line(broken.id, 0, 1));
  await ends(number);
  expect(await rowOf(number)).toMatchObject({ state: 'accepted', sellable: 0, unsellable: 1 });
  const sold = await owner.call(createRemoval, {
    body: { site, type: 'Liquidations', lines: [line((await goods(0)).id, 2)] },
  });
  await ends(sold.number);
  expect(there(sold.number)).toMatchObject([{ type: 'Liquidations' }]);
});

it('more than there is, no pieces, no address or a foreign SKU is refused beside its field, with the SKU', async () => {
  const { id, sellable, unsellable } = await goods(0);
  const refusal = async (body: object) => {
    const { status, data } = await owner.send(createRemoval, {
      body: { site, type: 'Disposal', lines: [line(id, 1)], ...body },
    });
    expect(status).toBe(400);
    return data;
  };
  expect(await refusal({ lines: [line(id, sellable + 1, unsellable + 1)] })).toMatchObject({
    fields: [
      { field: 'lines.0.sellable', msg: `MSKU【${id}】可售最多移除 ${sellable} 件` },
      { field: 'lines.0.unsellable', msg: `MSKU【${id}】不可售最多移除 ${unsellable} 件` },
    ],
  });
  expect(await refusal({ lines: [line(id, 1), line('NOBODY', 1)] })).toMatchObject({
    fields: [{ field: 'lines.1.sku', msg: 'MSKU【NOBODY】在该站点没有 FBA 库存' }],
  });
  expect(await refusal({ lines: [line(id, 0)] })).toMatchObject({ fields: [{ field: 'lines.0.sellable' }] });
  expect(await refusal({ lines: [line(id, 1), line(id, 2)] })).toMatchObject({
    fields: [{ field: 'lines', msg: '商品：同一个 MSKU 只能填写一行' }],
  });
  expect(await refusal({ type: 'Return' })).toMatchObject({ fields: [{ field: 'addressId', msg: '请选择退回地址' }] });
  expect(await refusal({ type: 'Return', addressId: randomUUID() })).toMatchObject({
    fields: [{ field: 'addressId' }],
  });
});

it('what Amazon refuses is told in Chinese; the same number goes again once it can', {
  timeout: PATIENCE_MS,
}, async () => {
  const { id } = await goods(0);
  const { number } = await owner.call(createRemoval, {
    body: { site, type: 'Return', addressId: abroad, lines: [line(id, 1)] },
  });
  await ends(number);
  const row = await rowOf(number);
  expect(row).toMatchObject({ state: 'rejected' });
  expect(row?.problem).toContain('不能退回到国家 CN，请选择站点所在国家的地址');
  expect(there(number)).toEqual([]);
  // Stock that Amazon has given to somebody else meanwhile: its words name the SKU.
  const late = await goods(1);
  world.sandbox.business.setAside(
    world.sandbox.world.account('A1SANDBOX0001', 'na') ?? expect.fail('no account'),
    US,
    { reference: 'elsewhere', lines: [{ sku: late.id, quantity: late.sellable - 1, itemId: '1' }] },
    world.sandbox.clock.now(),
  );
  const second = await create(line(late.id, late.sellable));
  await ends(second.number);
  expect((await rowOf(second.number))?.problem).toMatch(
    new RegExp(`MSKU【${late.id}】可售件数 \\d+ 超过可移除的 \\d+ 件`),
  );
  const { records } = await owner.call(listFeeds, { body: { pagesize: 100 } });
  const feed = records.find(({ feedType }) => feedType === FEED);
  expect((await owner.send(retryFeed, { params: { id: feed?.id ?? '' } })).msg).toContain('我的移除申请');
  expect(await owner.call(resubmitRemoval, { body: { id: row?.id ?? '' } })).toEqual({ sent: true });
  await ends(number);
  expect(await rowOf(number)).toMatchObject({ state: 'rejected' });
});

it('two at once with one key are one request, and two never ask for the same pieces', {
  timeout: PATIENCE_MS,
}, async () => {
  const { id, sellable } = await goods(0);
  const key = randomUUID();
  const before = handedIn();
  const both = await Promise.all(
    [1, 2].map(() => owner.send(createRemoval, disposal(line(id, 1)), { 'idempotency-key': key })),
  );
  const numbers = new Set(both.filter(({ status }) => status < 300).map(({ data }) => data.number));
  expect(numbers.size).toBe(1);
  const [number = ''] = numbers;
  await ends(number);
  expect(handedIn() - before).toBe(1);
  expect(there(number)).toHaveLength(1);
  world.sandbox.world.faults.add({ kind: 'feedStuck', count: 1 });
  const most = sellable - 1;
  const rivals = await Promise.all([1, 2].map(() => owner.send(createRemoval, disposal(line(id, most)))));
  expect(rivals.map(({ status }) => status).sort()).toEqual([200, 400]);
  await expect.poll(handedIn, { timeout: PATIENCE_MS }).toBe(before + 2);
});

it.each(['timeoutAfter', 'timeoutBefore'] as const)(
  'a call that hands it in and is lost (%s) is looked for, and there is one order',
  { timeout: PATIENCE_MS },
  async (kind) => {
    const { id } = await goods(1);
    world.sandbox.world.faults.add({ kind, operation: 'createFeed', count: 1, ms: 100 });
    const before = handedIn();
    const { number } = await create(line(id, 1));
    await ends(number);
    expect(await rowOf(number)).toMatchObject({ state: 'accepted' });
    expect(handedIn() - before).toBe(1);
    expect(there(number)).toHaveLength(1);
  },
);

it('one without a result is sent again under its number: Amazon knows it, so that it is taken and made once', {
  timeout: PATIENCE_MS,
}, async () => {
  const { id } = await goods(1);
  world.sandbox.world.faults.add({ kind: 'feedFatal', count: 1 });
  const { id: request, number } = await create(line(id, 1));
  await ends(number);
  expect(await rowOf(number)).toMatchObject({ state: 'unknown' });
  expect(await owner.call(resubmitRemoval, { body: { id: request } })).toEqual({ sent: true });
  await ends(number);
  expect(await rowOf(number)).toMatchObject({ state: 'accepted', problem: '' });
  expect(there(number)).toHaveLength(1);
  expect((await owner.send(resubmitRemoval, { body: { id: request } })).status).toBe(409);
});

it('another company sees and sends nothing of it, and who only looks sends nothing', async () => {
  const { id } = await goods(1);
  const stranger = await world.owner('别家');
  expect((await stranger.send(createRemoval, disposal(line(id, 1)))).status).toBe(400);
  expect(await stranger.call(removalGoods, { body: { site } })).toEqual([]);
  expect(await stranger.call(removalAddresses, { body: { site } })).toEqual([]);
  expect((await stranger.call(requests.list, { body: { filter: {} } })).total).toBe(0);
  const { records } = await owner.call(requests.list, { body: { filter: {} } });
  expect((await stranger.send(resubmitRemoval, { body: { id: records[0]?.id ?? '' } })).status).toBe(404);
  const reader = await world.member(owner, [OWN.view]);
  expect((await reader.send(createRemoval, disposal(line(id, 1)))).status).toBe(403);
  const maker = await world.member(owner, [OWN.view, REMOVE]);
  expect((await maker.call(removalGoods, { body: { site } })).length).toBeGreaterThan(0);
  const states = await owner.call(requests.list, { body: { filter: { state: 'rejected' }, pagesize: 100 } });
  expect(states.records.length).toBeGreaterThan(0);
  expect(new Set(states.records.map(({ state }) => state))).toEqual(new Set(['rejected']));
});
