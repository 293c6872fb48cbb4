import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Inbounder } from '#sandbox/test/inbound-support.ts';
import { sellerIn } from '#sandbox/test/seller-support.ts';
import { createHouse, type House, stocked } from '#test/support/house.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { US } from '#test/support/seller.ts';
import { putShipBoxes, saveShipOrder, shipOrderDetail, shipSteps } from '../contract/order-calls.ts';
import { countFbaShipments, fbaShipmentDetail, ignoreFbaShipments, listFbaShipments } from '../contract/shipment.ts';

const HOUR = 3_600_000;

let world: MarketplaceWorld;
let house: House;
let way: Inbounder;
let accountId: string;
let cursorId: string;
let skus: string[];

async function run(job: string, payload: object): Promise<void> {
  const found = world.runtime.modules.flatMap((one) => one.jobs ?? []).find(({ name }) => name === job);
  await found?.run(world.runtime, { companyId: house.owner.companyId, ...payload } as never);
}

/** One run of the stream; whether it has reached the present. */
async function step(): Promise<boolean> {
  await run('marketplace.sync', { cursorId });
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ there: boolean }>`
      UPDATE marketplace.sync_cursor SET not_before = kit.now()
       WHERE company_id = ${ctx.companyId} AND id = ${cursorId} RETURNING NOT behind AND attempts = 0 AS there`.execute(
      ctx.db,
    );
    return rows[0]?.there ?? false;
  });
}

/** The stream reads up to the present two hours later, and has the orders told. */
async function turn(orderId?: string): Promise<void> {
  await world.advance(2 * HOUR);
  await step();
  await expect.poll(step, { timeout: PATIENCE_MS, interval: 50 }).toBe(true);
  if (orderId) await run('shipping.receive', { orderId });
}

/** A shipment of the seller's own that has left, made in Seller Central; its number. */
async function leaves(quantities: readonly number[]): Promise<string> {
  const [id = ''] = await way.sendOff(quantities);
  return way.number(id);
}

const find = async (keyword: string) =>
  (await house.owner.call(listFbaShipments, { body: { filter: { keyword } } })).records[0];

beforeAll(async () => {
  world = await createMarketplaceWorld();
  way = new Inbounder(await sellerIn(world.sandbox), US);
  await way.control({ action: 'settings', chance: false });
  skus = way
    .offers()
    .slice(0, 2)
    .map(({ product }) => product.sku);
  house = await createHouse(world, skus);
  ({ accountId } = await connectStore(house.owner, way.seller.sellerId));
  await world.as(house.owner, async (ctx) => {
    await sql`INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id)
      VALUES (${ctx.companyId}, ${accountId}, ${US}) ON CONFLICT DO NOTHING`.execute(ctx.db);
    for (const sku of skus) {
      await sql`
        INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, title, currency, status,
                                     source, as_of, first_seen_at)
        VALUES (${ctx.companyId}, ${accountId}, ${US}, ${sku}, 'B0STORY001', ${`标题 ${sku}`}, 'USD', 'ACTIVE', 'api', kit.now(),
                kit.now())
        ON CONFLICT DO NOTHING`.execute(ctx.db);
    }
    const { rows } = await sql<{ id: string }>`
      INSERT INTO marketplace.sync_cursor (company_id, account_id, marketplace_id, stream)
      VALUES (${ctx.companyId}, ${accountId}, ${US}, 'shipping.shipments') RETURNING id`.execute(ctx.db);
    cursorId = rows[0]?.id ?? '';
  });
});
afterAll(() => world.close());

test('shipments that were made in Seller Central come by themselves, with what was announced', async () => {
  const number = await leaves([12, 8]);
  await turn();
  const row = await find(number);
  expect(row).toMatchObject({ shipmentNo: number, skus: 2, shipped: 20, received: 0, missing: 20, order: null });
  const { items } = await house.owner.call(fbaShipmentDetail, { params: { id: row?.id ?? '' } });
  expect(Object.fromEntries(items.map((item) => [item.msku, item.shipped]))).toEqual({
    [skus[0] ?? '']: 12,
    [skus[1] ?? '']: 8,
  });
  const orphans = await house.owner.call(listFbaShipments, { body: { filter: { orphan: true } } });
  expect(orphans.records.map((one) => one.shipmentNo)).toEqual([number]);
  await house.owner.call(ignoreFbaShipments, { body: { ids: [row?.id ?? ''] } });
  expect((await house.owner.call(listFbaShipments, { body: { filter: { orphan: true } } })).total).toBe(0);
  const stranger = await world.owner();
  expect((await stranger.call(listFbaShipments, { body: { filter: {} } })).total).toBe(0);
});

test('an order that names its shipment is received as Amazon counts, three of it are missing', async () => {
  const number = await leaves([12, 8]);
  const [first = '', second = ''] = skus;
  for (const sku of skus) await stocked(world, house, sku, 20, '2');
  const { id } = await house.owner.call(saveShipOrder, {
    body: {
      authid: accountId,
      marketplaceId: US,
      warehouseId: house.main,
      shipmentNo: number,
      lines: [
        { msku: first, qty: 12 },
        { msku: second, qty: 8 },
      ],
    },
  });
  for (const step of ['submit', 'approve', 'picked'] as const)
    await house.owner.call(shipSteps[step], { body: { id } });
  const detail = () => house.owner.call(shipOrderDetail, { params: { id } });
  const size = { length: '60', width: '40', height: '40', weight: '15.2' };
  const items = (await detail()).lines.map((line) => ({ lineId: line.id, qty: line.pickedQty }));
  await house.owner.call(putShipBoxes, { body: { id, boxes: [{ ...size, items }] } });
  for (const step of ['packed', 'ship'] as const) await house.owner.call(shipSteps[step], { body: { id } });

  await turn(id);
  expect((await detail()).order).toMatchObject({ state: 'shipped', receivedQty: 0 });
  expect(await find(number)).toMatchObject({ order: expect.stringMatching(/^FH/), orderId: id });

  await way.control({ action: 'found', shipment: number, lines: [{ msku: first, missing: 3 }] });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await way.advance(HOUR);
  await turn(id);
  expect(await find(number)).toMatchObject({ status: 'CLOSED', received: 17, missing: 3 });
  const { order, lines } = await detail();
  expect(order).toMatchObject({ state: 'done', receivedQty: 17 });
  expect(lines.map((line) => [line.msku, line.receivedQty, line.lostQty]).sort()).toEqual(
    [
      [first, 9, 3],
      [second, 8, 0],
    ].sort(),
  );
  // The same numbers once more change nothing.
  await turn(id);
  expect((await detail()).order).toMatchObject({ receivedQty: 17, version: order.version });
  const counts = await house.owner.call(countFbaShipments, { body: { filter: {} } });
  expect(counts.CLOSED).toBe(1);
});
