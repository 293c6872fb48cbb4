import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import {
  putShipBoxes,
  putShipReceived,
  saveShipOrder,
  shipOrderDetail,
  shipSteps,
} from '#modules/shipping/contract/order-calls.ts';
import { post } from '#modules/warehouse/server/index.ts';
import { createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import type { World } from '#test/support/world.ts';
import { batchData } from '../contract/batch.ts';
import { listBatches } from '../contract/batches.ts';

/** A house with a store in the United States that sells each product under its own SKU, "A-US". */
export interface Sender extends House {
  account: string;
}

/** Makes a house whose products are listed and matched. */
export async function createSender(world: World, skus: readonly string[]): Promise<Sender> {
  const house = await createHouse(world, skus);
  const account = await makeSellerAccount(world, house.owner, { name: '远航旗舰店' });
  await world.as(house.owner, async (ctx) => {
    for (const sku of skus) {
      const msku = `${sku}-US`;
      await sql`
        INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, fnsku, title, currency, status,
                                     source, as_of, first_seen_at)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, ${msku}, ${`B0${msku.padEnd(8, '0')}`}, ${`X00${msku}`},
                ${`标题 ${msku}`}, 'USD', 'ACTIVE', 'api', kit.now(), kit.now())`.execute(ctx.db);
      const { rows } = await sql<{ id: string }>`
        INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, way, updated_by_name)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, ${msku}, 'manual', '测试') RETURNING id`.execute(ctx.db);
      await sql`INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
        VALUES (${ctx.companyId}, ${rows[0]?.id ?? ''}, ${productOf(house, sku)}, 1)`.execute(ctx.db);
    }
  });
  return { ...house, account: account.id };
}

/** Puts pieces into the main warehouse at a unit cost and sends them; answers the id of the ship order. */
export async function sent(world: World, house: Sender, sku: string, qty: number, unit: string): Promise<string> {
  await stocked(world, house, sku, qty, unit);
  const { owner } = house;
  const lead = await world.member(owner, ['amz:ship:view', 'amz:ship:audit']);
  const { id } = await owner.call(saveShipOrder, {
    body: {
      authid: house.account,
      marketplaceId: US,
      warehouseId: house.main,
      stockMode: 'LOCAL',
      lines: [{ msku: `${sku}-US`, qty }],
    },
  });
  await owner.call(shipSteps.submit, { body: { id } });
  await lead.call(shipSteps.approve, { body: { id } });
  await owner.call(shipSteps.picked, { body: { id } });
  const { lines } = await owner.call(shipOrderDetail, { params: { id } });
  const items = [{ lineId: lines[0]?.id ?? '', qty }];
  const box = { length: '40', width: '30', height: '30', weight: '12', items };
  await owner.call(putShipBoxes, { body: { id, boxes: [box] } });
  await owner.call(shipSteps.packed, { body: { id } });
  await owner.call(shipSteps.ship, { body: { id } });
  return id;
}

/** Has Amazon received so many pieces of an order altogether. */
export async function received(house: Sender, id: string, total: number): Promise<void> {
  const { lines } = await house.owner.call(shipOrderDetail, { params: { id } });
  await house.owner.call(putShipReceived, { body: { id, lines: [{ lineId: lines[0]?.id ?? '', total }] } });
}

/** Takes pieces out of Amazon's stock of the house; answers what the ledger took for them, CNY. */
export async function issued(
  world: World,
  house: Sender,
  sku: string,
  qty: number,
  to: 'CUSTOMER' | 'LOST' | 'ADJUSTMENT' = 'CUSTOMER',
): Promise<string> {
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      SELECT to_warehouse_id AS id FROM shipping.ship_order
       WHERE company_id = ${ctx.companyId} AND to_warehouse_id IS NOT NULL LIMIT 1`.execute(ctx.db);
    const from = { warehouse: rows[0]?.id ?? '', status: 'AVAILABLE' } as const;
    const { id } = await post(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'sell', number: `XS${qty}` },
      moves: [{ product: productOf(house, sku), qty, from, to }],
    });
    const { rows: taken } = await sql<{ amount: string }>`
      SELECT sum(amount)::text AS amount FROM warehouse.layer_consumption
       WHERE company_id = ${ctx.companyId} AND posting_id = ${id}`.execute(ctx.db);
    return taken[0]?.amount ?? '0';
  });
}

export const plain = (amount: string | null | undefined) =>
  amount === null || amount === undefined ? null : new Decimal(amount).toFixed();

/** The batch of an order in the list. */
export async function batchOf(house: Sender, orderId: string) {
  const { records } = await house.owner.call(listBatches, { body: { pagesize: 100, filter: {} } });
  const found = records.find((row) => row.orderId === orderId);
  if (!found) throw new Error('no such batch');
  return found;
}

/** The page of a batch. */
export const dataOf = (house: Sender, id: string) => house.owner.call(batchData, { params: { id } });
