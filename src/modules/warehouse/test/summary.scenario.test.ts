import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productStock } from '#modules/product/contract/material.ts';
import { approvedInbound, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { CA, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { transferCalls } from '../contract/documents/transfer.ts';
import { type SummaryPart, stockSummary } from '../contract/summary.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B']);
});
afterAll(() => world.close());

const part = (name: SummaryPart, sku = 'A') =>
  house.owner.call(stockSummary, { params: { part: name }, query: { id: productOf(house, sku) } });

it('every figure of a product opens what it is made of', async () => {
  const { number } = await approvedInbound(house, [{ sku: 'A', qty: 7 }]);
  await stocked(world, house, 'A', 50, '1');
  await world.as(house.owner, (ctx) =>
    sql`UPDATE warehouse.warehouse SET country = 'JP' WHERE company_id = ${ctx.companyId} AND id = ${house.overseas}`.execute(
      ctx.db,
    ),
  );
  await stocked(world, house, 'A', 5, '1', house.overseas);
  const saved = await house.clerk.call(transferCalls.save, {
    body: {
      warehouseId: house.main,
      toWarehouseId: house.overseas,
      plannedOn: '2030-05-01',
      lines: [{ productId: productOf(house, 'A'), qty: 20 }],
    },
  });
  await house.clerk.call(transferCalls.submit, { body: { id: saved.id } });
  await house.chief.call(transferCalls.approve, { body: { id: saved.id } });
  expect((await part('produced')).figures).toEqual({
    inventory: 55,
    warehouse: 50,
    produced: 27,
    transit: 0,
    jpstock: 5,
    fbastock: 0,
  });
  await house.keeper.call(transferCalls.ship, { body: { id: saved.id } });
  const produced = await part('produced');
  expect(produced.pending).toMatchObject([{ number, kind: '入库单', warehouse: '深圳仓', qty: 7 }]);
  const { figures, pending } = await part('transit');
  expect(pending).toMatchObject([
    { number: saved.number, qty: 20, eta: '2030-05-01', path: `/e/w/t/d?id=${saved.id}` },
  ]);
  expect(figures).toEqual({ inventory: 55, warehouse: 30, produced: 7, transit: 20, jpstock: 5, fbastock: 0 });
  expect((await part('warehouse')).stock.map((row) => [row.warehouse, row.available])).toEqual([['深圳仓', 30]]);
  expect((await part('jpstock')).stock.map((row) => [row.warehouse, row.inTransit])).toEqual([['美西仓', 20]]);
  expect((await part('inventory', 'B')).stock).toEqual([]);
  const nobody = await house.owner.send(stockSummary, { params: { part: 'transit' }, query: { id: randomUUID() } });
  expect(nobody.code).toBe(404);
});

it('pieces at Amazon are those of the listings that stand for the product, site by site', async () => {
  const { id: account } = await makeSellerAccount(world, house.owner, { marketplaceIds: [US, CA] });
  await world.as(house.owner, async (ctx) => {
    for (const [site, sku, total] of [
      [US, 'B', 12],
      [CA, 'B', 30],
      [US, 'A', 99],
    ] as const) {
      await sql`
        INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, title, currency, fulfilled_by, status, source,
          as_of, first_seen_at)
        VALUES (${ctx.companyId}, ${account}, ${site}, ${sku}, ${sku}, 'USD', 'AMAZON', 'ACTIVE', 'api', kit.now(), kit.now())`.execute(
        ctx.db,
      );
      await sql`
        INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, reserved, unsellable,
          researching, inbound_working, inbound_shipped, inbound_receiving, source, as_of)
        VALUES (${ctx.companyId}, ${account}, ${site}, ${sku}, 'New', ${total - 2}, 0, 0, 0, 0, 2, 0, 'api', kit.now())`.execute(
        ctx.db,
      );
    }
  });
  const { figures, fba } = await part('fbastock', 'B');
  expect(figures.fbastock).toBe(42);
  expect(fba.map((row) => [row.country, row.msku, row.units, row.onHand, row.inbound, row.total])).toEqual(
    expect.arrayContaining([
      ['US', 'B', 1, 10, 2, 12],
      ['CA', 'B', 1, 28, 2, 30],
    ]),
  );
  expect(fba).toHaveLength(2);
});

it('the page of a product says where it lies', async () => {
  const places = await house.owner.call(productStock, { params: { id: productOf(house, 'A') } });
  expect(places).toEqual(
    expect.arrayContaining([
      { place: '深圳仓', kind: '本地仓', available: 30, total: 30 },
      { place: '美西仓', kind: '海外仓', available: 5, total: 25 },
    ]),
  );
});
