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

/**
 * The address that Amazon is told goods come from, in the shape of its API: the one that is named, else the store's default
 * for the site, else its default for all sites. Undefined where the store of the account has none in use.
 */
export async function shipFromOf(
  ctx: Ctx,
  accountId: string,
  marketplaceId: string,
  addressId: string | null,
): Promise<Record<string, string> | undefined> {
  const known = await ctx.db
    .selectFrom('marketplace.ship_from_address as a')
    .innerJoin('marketplace.seller_account as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.store_id', '=', 'a.store_id'),
    )
    .selectAll('a')
    .where('a.company_id', '=', ctx.companyId)
    .where('s.id', '=', accountId)
    .where('a.disabled', '=', false)
    .orderBy('a.is_default', 'desc')
    .orderBy('a.marketplace_id', 'desc')
    .orderBy('a.name')
    .execute();
  const fits = known.filter((one) => one.marketplace_id === marketplaceId || one.marketplace_id === '');
  const found = addressId === null ? fits[0] : known.find(({ id }) => id === addressId);
  if (!found) return undefined;
  const address = {
    name: found.name,
    companyName: found.company_name,
    addressLine1: found.address_line1,
    addressLine2: found.address_line2,
    districtOrCounty: found.district,
    city: found.city,
    stateOrProvinceCode: found.state,
    postalCode: found.postal_code,
    countryCode: found.country_code,
    phoneNumber: found.phone,
    email: found.email,
  };
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ''));
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
