import { sql } from 'kysely';
import { balances as balancesOf, createHouse, type House, layers as layersOf } from '#test/support/house.ts';
import { makeSellerAccount, US } from '#test/support/seller.ts';
import type { Person, World } from '#test/support/world.ts';
import type { ShipLineInput } from '../contract/order.ts';
import { saveShipOrder, shipOrderDetail, shipSteps } from '../contract/order-calls.ts';

/** A house that sells in the United States, and people who may do one thing each. */
export interface Shipper extends House {
  account: string;
  seller: Person;
  lead: Person;
  packer: Person;
}

const VIEW = ['amz:ship:view', 'erp:inv:view'];

/** `listings`: MSKU, and what one of it is made of; nothing for a SKU that is called like its product. */
export async function createShipper(
  world: World,
  skus: readonly string[],
  listings: Readonly<Record<string, readonly [sku: string, qty: number][]>>,
): Promise<Shipper> {
  const house = await createHouse(world, skus);
  const account = await makeSellerAccount(world, house.owner, { name: '远航旗舰店' });
  await world.as(house.owner, async (ctx) => {
    for (const [msku, parts] of Object.entries(listings)) {
      await sql`
        INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, fnsku, title, currency, status,
                                     source, as_of, first_seen_at)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, ${msku}, ${`B0${msku.padEnd(8, '0').slice(0, 8)}`}, ${`X00${msku}`},
                ${`标题 ${msku}`}, 'USD', 'ACTIVE', 'api', kit.now(), kit.now())`.execute(ctx.db);
      if (parts.length === 0) continue;
      const { rows } = await sql<{ id: string }>`
        INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, way, updated_by_name)
        VALUES (${ctx.companyId}, ${account.id}, ${US}, ${msku}, 'manual', '测试') RETURNING id`.execute(ctx.db);
      for (const [sku, qty] of parts) {
        await sql`INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
          VALUES (${ctx.companyId}, ${rows[0]?.id ?? ''}, ${house.products.get(sku) ?? ''}, ${qty})`.execute(ctx.db);
      }
    }
  });
  return {
    ...house,
    account: account.id,
    seller: await world.member(house.owner, [...VIEW, 'amz:ship:add', 'amz:ship:export']),
    lead: await world.member(house.owner, [...VIEW, 'amz:ship:audit', 'amz:ship:close']),
    packer: await world.member(house.owner, [...VIEW, 'amz:ship:pick', 'amz:ship:box', 'amz:ship:ship']),
  };
}

export const detail = (shipper: Shipper, id: string) => shipper.owner.call(shipOrderDetail, { params: { id } });

/** A draft of some MSKUs. */
export async function draft(
  shipper: Shipper,
  lines: readonly (readonly [msku: string, qty: number, more?: Partial<ShipLineInput>])[],
  more: object = {},
) {
  return shipper.seller.call(saveShipOrder, {
    body: {
      authid: shipper.account,
      marketplaceId: US,
      warehouseId: shipper.main,
      lines: lines.map(([msku, qty, rest]) => ({ msku, qty, ...rest })),
      ...more,
    },
  });
}

/** An order that was agreed to and waits for its pickers. */
export async function approved(shipper: Shipper, lines: readonly (readonly [string, number])[], more: object = {}) {
  const { id } = await draft(shipper, lines, more);
  await shipper.seller.call(shipSteps.submit, { body: { id } });
  await shipper.lead.call(shipSteps.approve, { body: { id } });
  return id;
}

export const lineOf = async (shipper: Shipper, id: string, msku: string) =>
  (await detail(shipper, id)).lines.find((line) => line.msku === msku)?.id ?? '';

/** Pieces of a product by status, in the house's warehouse or where an order goes. */
export const balances = balancesOf;
export const layers = layersOf;

/** Amazon's stock that an order went to. */
export async function goalOf(world: World, shipper: Shipper, id: string): Promise<string> {
  return world.as(shipper.owner, async (ctx) => {
    const { rows } = await sql<{ id: string }>`
      SELECT to_warehouse_id AS id FROM shipping.ship_order WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(
      ctx.db,
    );
    return rows[0]?.id ?? '';
  });
}
