import type { Principal } from '#kit/server/context.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { step } from './measure.ts';
import { loadBare } from './seed.ts';
import type { BenchWorld } from './world.ts';

const SKUS = 500;

/** `count` orders of one account over two years, newest now, in the order in which they would have arrived. */
async function seedOrders(world: BenchWorld, principal: Principal, count: number): Promise<AccountRef> {
  const account = await world.account(principal);
  await world.admin.query(
    `INSERT INTO "order".amazon_order
       (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, channel, fulfilled_by, status,
        purchased_at, local_date, last_updated_at, currency, item_amount, discount_amount, order_total, quantity,
        shipped_quantity, line_count, lead_sku, ship_country, ship_state, source, row_hash)
     SELECT $1, $2, '111-' || lpad((n / 10000000)::text, 7, '0') || '-' || lpad((n % 10000000)::text, 7, '0'), $3,
            'ATVPDKIKX0DER', 'AMAZON', CASE WHEN n % 12 = 0 THEN 'MERCHANT' ELSE 'AMAZON' END,
            (ARRAY['SHIPPED','SHIPPED','SHIPPED','SHIPPED','CANCELLED','UNSHIPPED'])[1 + n % 6],
            at, (at AT TIME ZONE 'America/Los_Angeles')::date, at + interval '1 day', 'USD', 10 + n % 90, 0, 11 + n % 90,
            1 + n % 3, 1, 1, 'SKU-' || n % ${SKUS}, 'US', 'WA', 'api', gen_random_uuid()
       FROM (SELECT n, now() - ($4::bigint - n) * (interval '730 days' / $4) AS at
               FROM generate_series(1, $4::bigint) AS n) AS made`,
    [principal.companyId, account.sellingPartnerId, account.id, count],
  );
  return account;
}

/** What stands beside the orders: day counts, names of SKUs and their listings. */
async function seedAround(world: BenchWorld, account: AccountRef): Promise<void> {
  const { admin } = world;
  await admin.query(
    `INSERT INTO "order".order_day
       (company_id, account_id, marketplace_id, local_date, status, channel, fulfilled_by, is_business, is_replacement,
        currency, orders, quantity, item_amount, discount_amount, order_total)
     SELECT company_id, account_id, marketplace_id, local_date, status, channel, fulfilled_by, is_business,
            is_replacement, currency, count(*), sum(quantity), sum(item_amount), sum(discount_amount), sum(order_total)
       FROM "order".amazon_order WHERE company_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
    [account.companyId],
  );
  await admin.query(
    `INSERT INTO "order".sold_sku (company_id, account_id, marketplace_id, seller_sku, asin, title, source, seen_at)
     SELECT $1, $2, 'ATVPDKIKX0DER', 'SKU-' || n, 'B0' || lpad(n::text, 8, '0'), 'Garden chair, set of ' || n, 'api', now()
       FROM generate_series(0, ${SKUS - 1}) AS n`,
    [account.companyId, account.id],
  );
  await admin.query(
    `INSERT INTO listing.listing
       (company_id, account_id, marketplace_id, seller_sku, asin, title, image_url, currency, source, as_of, first_seen_at)
     SELECT company_id, account_id, marketplace_id, seller_sku, asin, title, 'https://images.example/' || asin || '.jpg',
            'USD', 'api', now(), now() FROM "order".sold_sku WHERE company_id = $1`,
    [account.companyId],
  );
}

/** Orders of both companies. The tables are those of the product, with all their indexes when the measuring begins. */
export async function seedOrderCompanies(
  world: BenchWorld,
  companies: readonly (readonly [Principal, number])[],
): Promise<void> {
  const accounts: AccountRef[] = [];
  await loadBare(world.admin, 'order.amazon_order', async () => {
    for (const [principal, size] of companies) {
      await step(`${size} orders`, async () => accounts.push(await seedOrders(world, principal, size)));
    }
  });
  await step('day counts and listings', async () => {
    for (const account of accounts) await seedAround(world, account);
  });
  for (const table of ['"order".order_day', '"order".sold_sku', 'listing.listing']) {
    await world.admin.query(`VACUUM (ANALYZE) ${table}`);
  }
}
