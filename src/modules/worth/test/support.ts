import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { fbaCode, fbaWarehouse, post } from '#modules/warehouse/server/index.ts';
import { type House, productOf } from '#test/support/house.ts';
import type { World } from '#test/support/world.ts';

/** Stock of a SKU at Amazon's as its inventory says it. */
export interface AtAmazon {
  fulfillable?: number;
  reserved?: number;
  unsellable?: number;
  researching?: number;
  working?: number;
  shipped?: number;
  receiving?: number;
}

export interface Site {
  account: string;
  marketplaceId: string;
  msku: string;
}

/** Has Amazon say what is there now, and on the company's day of it. */
export function tellStock(
  world: World,
  house: House,
  { account, marketplaceId, msku }: Site,
  stock: AtAmazon,
  day?: string,
) {
  const { fulfillable = 0, reserved = 0, unsellable = 0, researching = 0 } = stock;
  const { working = 0, shipped = 0, receiving = 0 } = stock;
  return world.as(house.owner, async (ctx) => {
    const { companyId } = ctx;
    await sql`
      INSERT INTO inventory.fba_snapshot (company_id, account_id, marketplace_id, as_of)
      VALUES (${companyId}, ${account}, ${marketplaceId}, kit.now())
      ON CONFLICT (company_id, account_id, marketplace_id) DO UPDATE SET as_of = excluded.as_of`.execute(ctx.db);
    await sql`
      INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, reserved,
        unsellable, researching, inbound_working, inbound_shipped, inbound_receiving, source, as_of)
      VALUES (${companyId}, ${account}, ${marketplaceId}, ${msku}, 'New', ${fulfillable}, ${reserved}, ${unsellable},
        ${researching}, ${working}, ${shipped}, ${receiving}, 'api', kit.now())
      ON CONFLICT (company_id, account_id, marketplace_id, seller_sku, condition) DO UPDATE SET
        fulfillable = excluded.fulfillable, reserved = excluded.reserved, unsellable = excluded.unsellable,
        researching = excluded.researching, inbound_working = excluded.inbound_working,
        inbound_shipped = excluded.inbound_shipped, inbound_receiving = excluded.inbound_receiving`.execute(ctx.db);
    await sql`
      INSERT INTO inventory.fba_stock_day (company_id, account_id, marketplace_id, seller_sku, condition, day, fulfillable,
        unsellable, reserved, researching, inbound, as_of)
      VALUES (${companyId}, ${account}, ${marketplaceId}, ${msku}, 'New', ${day ?? ctx.clock.today()}::date, ${fulfillable},
        ${unsellable}, ${reserved}, ${researching}, ${working + shipped + receiving}, kit.now())
      ON CONFLICT (company_id, account_id, marketplace_id, seller_sku, condition, day) DO UPDATE SET
        fulfillable = excluded.fulfillable, reserved = excluded.reserved, unsellable = excluded.unsellable,
        researching = excluded.researching, inbound = excluded.inbound`.execute(ctx.db);
  });
}

/** Pieces that are there in a warehouse, at a cost of their own. */
export function brought(
  world: World,
  house: House,
  sku: string,
  qty: number,
  cost: { unit: string; components?: Record<string, string> },
  place = house.main,
) {
  return world.as(house.owner, (ctx) =>
    post(ctx, {
      source: { type: 'test', id: randomUUID(), event: 'open', number: `RK${qty}` },
      moves: [
        { product: productOf(house, sku), qty, from: 'OPENING', to: { warehouse: place, status: 'AVAILABLE' }, cost },
      ],
    }),
  );
}

/** Sends pieces from the main warehouse to Amazon's stock of an account and receives some of them, as ship orders do. */
export function shipped(
  world: World,
  house: House,
  sku: string,
  account: string,
  pool: string,
  sent: number,
  received: number,
) {
  return world.as(house.owner, async (ctx) => {
    const there = await fbaWarehouse(ctx, {
      code: fbaCode(account, pool),
      name: `FBA ${pool} ${account}`,
      country: 'US',
    });
    const product = productOf(house, sku);
    const id = randomUUID();
    const away = { warehouse: there, status: 'IN_TRANSIT' } as const;
    await post(ctx, {
      source: { type: 'test', id, event: 'ship', number: 'FH1' },
      moves: [{ product, qty: sent, from: { warehouse: house.main, status: 'AVAILABLE' }, to: away }],
    });
    if (received > 0)
      await post(ctx, {
        source: { type: 'test', id, event: 'receive', number: 'FH1' },
        moves: [{ product, qty: received, from: away, to: { warehouse: there, status: 'AVAILABLE' } }],
      });
    return there;
  });
}
