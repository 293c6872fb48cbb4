import type { Ctx } from '#kit/server/context.ts';

/** An address from which a store sends. */
export interface ShipFrom {
  id: string;
  storeId: string;
  name: string;
  isDefault: boolean;
}

/** Addresses in use of the stores that the caller may see, each store's default first. */
export function shipFromAddresses(ctx: Ctx): Promise<ShipFrom[]> {
  return ctx.db
    .selectFrom('marketplace.ship_from_address')
    .select(['id', 'store_id as storeId', 'name', 'is_default as isDefault'])
    .where('company_id', '=', ctx.companyId)
    .where('disabled', '=', false)
    .orderBy('is_default', 'desc')
    .orderBy('name')
    .execute();
}
