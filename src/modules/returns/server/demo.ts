import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { accountOf, insertAddress } from '#modules/marketplace/server/index.ts';
import { createRemoval } from './removal/create.ts';

const US = 'ATVPDKIKX0DER';

/** A few pieces of the demo's own shop that are sent back to a place in its country. False as long as nothing lies at Amazon. */
export async function demoRemoval(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{ account_id: string; sku: string }>`
    SELECT account_id, seller_sku AS sku FROM inventory.fba_stock
     WHERE company_id = ${ctx.companyId} AND marketplace_id = ${US} AND fulfillable >= 4
     ORDER BY fulfillable DESC, seller_sku LIMIT 1`.execute(ctx.db);
  const [most] = rows;
  const account = most && (await accountOf(ctx.db, ctx.companyId, most.account_id));
  if (!most || !account) return false;
  const addressId = await insertAddress(ctx, {
    storeId: account.storeId,
    marketplaceId: US,
    name: 'Reno Returns Center',
    company: 'Yuanhang Trading',
    country: 'US',
    state: 'NV',
    city: 'Reno',
    line1: '250 Industrial Way',
    postalCode: '89506',
    phone: '+1 775 555 0134',
  });
  const lines = [{ sku: most.sku, sellable: 4, unsellable: 0 }];
  await createRemoval(ctx, { site: `${US}-${most.account_id}`, type: 'Return', addressId, remark: 'Dock 4', lines });
  return true;
}
