import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { balances, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { listClaims } from '../contract/claim/calls.ts';
import { listQuotas, quotaDetail } from '../contract/quota/calls.ts';
import { listQuoteRequests } from '../contract/quote-request/calls.ts';
import { listSelf } from '../contract/self/calls.ts';
import { listFbaShipments } from '../contract/shipment.ts';
import { demoQuotas, demoQuotes, demoSelf, demoShipments, demoShipping, demoTransport } from '../server/index.ts';
import { takeReceipts } from '../server/shipment/receive.ts';
import { createShipper, type Shipper } from './support.ts';

const SKUS = ['D-1', 'D-2', 'D-3', 'D-4', 'D-5', 'D-6', 'D-7'];

let world: World;
let shipper: Shipper;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, SKUS, Object.fromEntries(SKUS.map((sku) => [sku, []])));
  for (const sku of SKUS) await stocked(world, shipper, sku, 300, '8');
  await world.as(shipper.owner, async (ctx) => {
    await sql`UPDATE warehouse.warehouse SET code = 'SZ-A' WHERE company_id = ${ctx.companyId} AND id = ${shipper.main}`.execute(
      ctx.db,
    );
    await sql`UPDATE listing.listing SET fulfilled_by = 'AMAZON' WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    // 6 000 cm³ each, a hundred of them at Amazon's.
    await sql`INSERT INTO product.dimension (company_id, product_id, role, length, width, height)
      VALUES (${ctx.companyId}, ${productOf(shipper, 'D-7')}, 'packed', 30, 20, 10)`.execute(ctx.db);
    await sql`INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, source, as_of)
      SELECT company_id, account_id, marketplace_id, 'D-7', 'New', 100, 'api', kit.now() FROM listing.listing
       WHERE company_id = ${ctx.companyId} AND seller_sku = 'D-7'`.execute(ctx.db);
  });
  const system = systemPrincipal(shipper.owner.companyId, '演示');
  for (const part of [demoShipping, demoTransport, demoShipments, demoQuotas, demoQuotes, demoSelf])
    await inTenant(world.runtime, system, (ctx) => part(ctx));
});
afterAll(() => world.close());

describe('the demo company', () => {
  it('follows its shipments, and has two that nobody ordered', async () => {
    const { records } = await shipper.owner.call(listFbaShipments, { body: {} });
    expect(records.map((one) => [one.shipmentNo, one.status, one.missing, one.order !== null]).sort()).toEqual([
      ['FBA18XH2L5B9', 'CLOSED', 9, true],
      ['FBA18XJ9T2C4', 'RECEIVING', expect.any(Number), true],
      ['FBA18XK3Q7M1', 'IN_TRANSIT', expect.any(Number), true],
      ['FBA18XL6R1D3', 'WORKING', 60, false],
      ['FBA18XL6R1F8', 'SHIPPED', 60, false],
    ]);
    const orphans = await shipper.owner.call(listFbaShipments, { body: { filter: { orphan: true } } });
    expect(orphans.total).toBe(2);
  });

  it('claims what came short: a case is paid in part, one is handed in, one waits; its job finds nothing to do', async () => {
    const claims = async () => (await shipper.owner.call(listClaims, { body: {} })).records;
    const before = await claims();
    expect(before.map((one) => [one.state, one.qty]).sort()).toEqual([
      ['filed', 3],
      ['found', 3],
      ['partly', 3],
    ]);
    expect(before.every((one) => one.deadline !== null)).toBe(true);
    expect((await balances(world, shipper, 'D-7')).RESERVED ?? 0).toBe(0);
    for (const id of new Set(before.map((one) => one.orderId))) {
      await takeReceipts(world.runtime, shipper.owner.companyId, id);
    }
    expect(await claims()).toEqual(before);
  });

  it('has a room that is nearly full, for which more was asked', async () => {
    const { records } = await shipper.owner.call(listQuotas, { body: {} });
    expect(records.map((one) => [one.storageType, one.state])).toEqual([
      ['STANDARD', 'tight'],
      ['OVERSIZE', 'ok'],
      ['STANDARD', 'past'],
    ]);
    const { requests } = await shipper.owner.call(quotaDetail, { params: { id: records[0]?.id ?? '' } });
    expect(requests.map((one) => [one.state, one.granted])).toEqual([
      ['pending', null],
      ['approved', '1.5'],
    ]);
  });

  it('sends parcels of its own: one in each state that takes a while', async () => {
    const { records } = await shipper.owner.call(listSelf, { body: {} });
    expect(records.map((one) => one.state).sort()).toEqual([
      'held',
      'pending',
      'printing',
      'ready',
      'shipped',
      'short',
    ]);
  });

  it('asks its forwarders: one request in each state', async () => {
    const { records } = await shipper.owner.call(listQuoteRequests, { body: {} });
    expect(records.map((one) => [one.state, one.answered]).sort()).toEqual([
      ['asking', 1],
      ['booked', 2],
      ['chosen', 2],
      ['closed', 1],
      ['expired', 1],
    ]);
  });
});
