import { sql } from 'kysely';
import { US } from '#test/support/seller.ts';
import type { Person, World } from '#test/support/world.ts';

/** Units by SKU of the days 0 to `days` − 1, of which the last is the last whole day of the marketplace. */
export type Sold = Readonly<Record<string, (day: number) => number>>;

/** Has an account sell so many units a day for 10.00 USD each in the US, sent by Amazon; answers its last whole day. */
export function sell(world: World, owner: Person, account: string, sold: Sold, days: number): Promise<string> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ day: string }>`
      SELECT ((kit.now() AT TIME ZONE 'America/Los_Angeles')::date - 1)::text AS day`.execute(ctx.db);
    const cutoff = rows[0]?.day ?? '';
    for (const [sku, of] of Object.entries(sold)) {
      const units = Array.from({ length: days }, (_, day) => of(day));
      await sql`
        INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business, currency,
          orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales, discount, shipping_sales,
          tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
        SELECT ${ctx.companyId}::uuid, ${account}::uuid, ${US}, ${cutoff}::date - ${days}::int + n::int, ${sku}, '', 'AMAZON', false, 'USD', u, u, u, u,
               0, u, u * 10, 0, 0, 0, 0, 0, 0, 0, 0
          FROM unnest(${units}::int[]) WITH ORDINALITY AS x (u, n) WHERE u > 0`.execute(ctx.db);
    }
    return cutoff;
  });
}
