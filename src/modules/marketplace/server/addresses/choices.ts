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

/** A sender's address as it stands on papers: name, lines, place, country code; one that was taken out of use too. */
export async function shipFromWords(ctx: Ctx, id: string): Promise<{ name: string; address: string } | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.ship_from_address')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const place = [row.address_line1, row.address_line2, row.district, row.city, row.state];
  const words = [...place, `${row.postal_code} ${row.country_code}`, row.phone].filter(Boolean).join(', ');
  return { name: row.company_name || row.name, address: words };
}
