import { sql } from 'kysely';
import { DE, makeSellerAccount, US } from '#test/support/seller.ts';
import type { World } from '#test/support/world.ts';
import type { Shipper } from './support.ts';

export const FR = 'A13V1IB3VIYZZH';

/** Days ago, by the company's day of the world's beginning, and units. */
export type Sold = readonly (readonly [daysAgo: number, units: number])[];

export interface FbaFigures {
  fulfillable: number;
  transfer?: number;
  processing?: number;
  customer?: number;
  inbound?: number;
}

const at = (account: string, site: string, msku: string) => ({ account, site, msku });
type At = ReturnType<typeof at>;

/** The listing is shipped by Amazon, and has sold and has there what is told. */
export async function known(world: World, shipper: Shipper, { account, site, msku }: At, sold: Sold, fba?: FbaFigures) {
  await world.as(shipper.owner, async (ctx) => {
    await sql`
      INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, title, currency, status, fulfilled_by,
                                   source, as_of, first_seen_at)
      VALUES (${ctx.companyId}, ${account}, ${site}, ${msku}, ${`标题 ${msku}`}, 'USD', 'ACTIVE', 'AMAZON', 'api', kit.now(),
              kit.now())
      ON CONFLICT (company_id, account_id, marketplace_id, seller_sku) DO UPDATE SET fulfilled_by = 'AMAZON'`.execute(
      ctx.db,
    );
    for (const [days, units] of sold) {
      await sql`
        INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by,
          is_business, currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales,
          estimated_sales, discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
        VALUES (${ctx.companyId}, ${account}, ${site}, (kit.now() AT TIME ZONE 'America/Los_Angeles')::date - ${days}::int,
          ${msku}, '', 'AMAZON', false, 'USD', 1, 1, ${units}, ${units}, 0, ${units}, 0, 0, 0, 0, 0, 0, 0, 0, 0)`.execute(
        ctx.db,
      );
    }
    if (!fba) return;
    const { fulfillable, transfer = 0, processing = 0, customer = 0, inbound = 0 } = fba;
    await sql`
      INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, reserved,
        reserved_customer, reserved_transfer, reserved_processing, inbound_shipped, source, as_of)
      VALUES (${ctx.companyId}, ${account}, ${site}, ${msku}, 'New', ${fulfillable}, ${transfer + processing + customer},
        ${customer}, ${transfer}, ${processing}, ${inbound}, 'api', kit.now())`.execute(ctx.db);
  });
}

export const usListing = (shipper: Shipper, msku: string) => at(shipper.account, US, msku);

/** A store of the same company in Germany and France. */
export async function european(world: World, shipper: Shipper) {
  const account = await makeSellerAccount(world, shipper.owner, {
    name: '远航欧洲',
    region: 'eu',
    marketplaceIds: [DE, FR],
  });
  return {
    account: account.id,
    de: (msku: string) => at(account.id, DE, msku),
    fr: (msku: string) => at(account.id, FR, msku),
  };
}

/** A carton of a product holds so many. */
export function carton(world: World, shipper: Shipper, sku: string, units: number) {
  return world.as(shipper.owner, (ctx) =>
    sql`INSERT INTO product.dimension (company_id, product_id, role, units_per_carton)
        VALUES (${ctx.companyId}, ${shipper.products.get(sku) ?? ''}, 'carton', ${units})`.execute(ctx.db),
  );
}

/** One piece as it is packed: kg, and the sides in cm. */
export function packed(
  world: World,
  shipper: Shipper,
  sku: string,
  weight: string,
  sides: readonly [number, number, number],
) {
  return world.as(shipper.owner, (ctx) =>
    sql`INSERT INTO product.dimension (company_id, product_id, role, weight, length, width, height)
        VALUES (${ctx.companyId}, ${shipper.products.get(sku) ?? ''}, 'packed', ${weight}, ${sides[0]}, ${sides[1]},
                ${sides[2]})`.execute(ctx.db),
  );
}
