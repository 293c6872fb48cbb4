import { sql } from 'kysely';
import { expect } from 'vitest';
import { insertAddress } from '#modules/marketplace/server/index.ts';
import type { OrderRow } from '#modules/order/contract/orders.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { createHouse, type House, stocked } from '#test/support/house.ts';
import type { MarketplaceWorld } from '#test/support/marketplace.ts';
import { busyWorld, detailOf, ordersToShip } from '#test/support/order-acts.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { selfDetail, selfSteps } from '../../contract/self/calls.ts';
import { buyLabel, labelRates, listLabels, type printSelfZpl } from '../../contract/self/label.ts';
import { buildSelf } from '../../contract/self/waiting.ts';
import type { printSelfLabels } from '../../contract/self/work.ts';

/** A house whose store has orders to ship at a marketplace that sells labels, and an address in its country. */
export interface LabelHouse {
  world: MarketplaceWorld;
  house: House;
  /** The next order that no story has used yet. */
  next: (fits?: (row: OrderRow) => boolean) => OrderRow;
  /** A document over orders that holds its pieces. */
  approved: (...rows: OrderRow[]) => Promise<string>;
  documentOf: (id: string) => Promise<Awaited<ReturnType<typeof detail>>['document']>;
  settled: (id: string) => ReturnType<typeof expect.poll>;
  step: (name: keyof typeof selfSteps, id: string, more?: object) => Promise<{ state: string; message: string }>;
  rates: (id: string) => Promise<Awaited<ReturnType<typeof askedRates>>>;
  /** Asks for the cheapest service that is offered. */
  buy: (id: string, more?: object) => Promise<{ state: string; message: string; repeated: boolean }>;
  labels: (id: string) => Promise<Awaited<ReturnType<typeof labelsFor>>>;
}

const detail = (house: House, id: string) => house.owner.call(selfDetail, { params: { id } });
const PARCEL = { weightG: 500, length: '20', width: '15', height: '10' };
const askedRates = (house: House, id: string) => house.owner.call(labelRates, { body: { id, ...PARCEL } });
const labelsFor = (house: House, id: string) => house.owner.call(listLabels, { params: { id } });

export async function createLabelHouse(): Promise<LabelHouse> {
  const world = await busyWorld();
  const house = await createHouse(world, []);
  await world.work();
  const rows = await ordersToShip(house.owner);
  const details = await Promise.all(rows.map((row) => detailOf(house.owner, row.id)));
  const skus = [...new Set(details.flatMap(({ lines }) => lines.map((line) => line.product.code)))];
  await world.as(house.owner, async (ctx) => {
    await learnProducts(
      ctx,
      skus.map((sku) => ({ sku, name: sku })),
    );
    const { rows: found } = await sql<{ id: string; sku: string }>`
      SELECT id, sku FROM product.local_product WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    for (const { id, sku } of found) house.products.set(sku, id);
    const { rows: stores } = await sql<{ id: string }>`
      SELECT DISTINCT store_id AS id FROM marketplace.seller_account WHERE company_id = ${ctx.companyId}`.execute(
      ctx.db,
    );
    for (const { id } of stores) {
      await insertAddress(ctx, {
        storeId: id,
        name: 'Detroit Warehouse',
        country: 'US',
        state: 'MI',
        city: 'Detroit',
        line1: '300 Turnbull Ave',
        postalCode: '48123',
        phone: '+1 313 555 0100',
        email: 'ship@example.com',
        isDefault: true,
      });
    }
  });
  for (const sku of skus) await stocked(world, house, sku, 100, '2');
  const rates = (id: string) => askedRates(house, id);
  const step: LabelHouse['step'] = (name, id, more = {}) =>
    house.owner.call(selfSteps[name], { body: { id, ...more } });
  return {
    world,
    house,
    step,
    rates,
    next: (fits = () => true) => {
      // To another country customs want to know more than a label is bought with here.
      const at = rows.findLastIndex((row) => row.store.country === 'US' && fits(row));
      const [row] = at < 0 ? [] : rows.splice(at, 1);
      if (!row) throw new Error('too few orders are to be shipped');
      return row;
    },
    approved: async (...orders) => {
      const body = { warehouseId: house.main, groups: [{ orders: orders.map(({ id }) => id) }] };
      const { ids } = await house.owner.call(buildSelf, { body });
      const [id = ''] = ids;
      await step('approve', id);
      return id;
    },
    documentOf: async (id) => (await detail(house, id)).document,
    settled: (id) => expect.poll(async () => (await detail(house, id)).document.labelState, { timeout: PATIENCE_MS }),
    buy: async (id, more = {}) => {
      const best = (await rates(id)).rates.find((rate) => rate.unfit === '');
      if (!best) throw new Error('nothing is offered');
      const body = { id, ...PARCEL, serviceId: best.serviceId, amount: best.amount, ...more };
      return house.owner.call(buyLabel, { body });
    },
    labels: (id) => labelsFor(house, id),
  };
}

/** A file of a call. @throws Error with what is said where it is refused */
export async function bytesOf(
  shop: LabelHouse,
  endpoint: typeof printSelfLabels | typeof printSelfZpl,
  ids: string[],
): Promise<Buffer> {
  const { raw, status, msg } = await shop.house.owner.send(endpoint, { body: { ids } });
  if (status !== 200 || raw.subarray(0, 1).toString() === '{') throw new Error(msg);
  return raw;
}
