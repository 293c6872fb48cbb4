import type { Principal } from '#kit/server/context.ts';
import { step } from './measure.ts';
import { loadBare } from './seed.ts';
import type { BenchWorld } from './world.ts';

export const US = 'ATVPDKIKX0DER';
export const CA = 'A2EUQ1WTGCTBG2';

/** A company with two accounts: half of the listings are the first one's in the US, a quarter the same MSKUs in Canada. */
export interface Sellers {
  principal: Principal;
  /** Ids of the accounts. */
  first: string;
  second: string;
  /** Listings, all together. */
  count: number;
}

const MIX = (n: string) => `((${n}) * 7919::bigint)`;
const ONE_OF = (n: string, words: readonly string[]) =>
  `(ARRAY[${words.map((word) => `'${word}'`).join(', ')}])[1 + ${n} % ${words.length}]`;
/** What product or listing `n` is called: names are alike as those of a real catalogue are. */
const NAME = (n: string) => `concat_ws(' ',
  ${ONE_OF(MIX(n), ['Folding', 'Padded', 'Compact', 'Heavy Duty', 'Waterproof', 'Portable', 'Adjustable'])},
  ${ONE_OF(`${MIX(n)} / 7`, ['Garden', 'Camping', 'Kitchen', 'Office', 'Bathroom', 'Travel', 'Outdoor', 'Patio', 'Car'])},
  ${ONE_OF(`${MIX(n)} / 63`, ['Chair', 'Table', 'Lamp', 'Shelf', 'Basket', 'Mat', 'Rack', 'Bottle', 'Umbrella', 'Box', 'Bag'])},
  ${ONE_OF(`${MIX(n)} / 11`, ['Black', 'White', 'Grey', 'Navy Blue', 'Green', 'Beige', 'Red'])}, (${n})::text)`;
const SKU = (n: string) => `'CH-' || lpad((${n})::text, 6, '0')`;

/** Products are three quarters as many as listings: one for each MSKU. */
const productsOf = (count: number) => Math.max(1, Math.ceil(count * 0.75));

/** What listing `n` is called: like its product, paired, nearly like it, or like nothing at all. */
const msku = (products: number) => `CASE
  WHEN n % 10 < 2 THEN ${SKU(`1 + n % ${products}`)}
  WHEN n % 10 < 7 THEN 'M-' || lpad(n::text, 6, '0')
  WHEN n % 10 = 7 THEN lower(replace(${SKU(`1 + n % ${products}`)}, '-', '_')) || '-FBA'
  WHEN n % 10 = 8 THEN ${SKU(`1 + n % ${products}`)} || 'A' || n % 9
  ELSE upper(substr(md5(n::text), 1, 9)) END`;

async function fillListings({ admin }: BenchWorld, { principal, first, second, count }: Sellers): Promise<void> {
  const products = productsOf(count);
  const [half, quarter] = [Math.ceil(count / 2), Math.floor(count / 4)];
  await loadBare(admin, 'listing.listing', async () => {
    await admin.query(
      `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, parent_asin, fnsku, title, currency,
         price, status, issues, fulfilled_by, quantity, source, as_of, first_seen_at, opened_at)
       SELECT $1, account, site, ${msku(products)}, 'B' || lpad(n::text, 9, '0'), 'P' || lpad((n / 8)::text, 9, '0'),
              'X' || lpad(n::text, 9, '0'), ${NAME(`1 + n % ${products}`)} || ' ' || brand, currency, 10 + n % 90,
              CASE WHEN n % 12 = 0 THEN 'INACTIVE' ELSE 'ACTIVE' END,
              CASE WHEN n % 40 = 0 THEN '[{"code": "1", "message": "m", "severity": "ERROR"}]'::jsonb ELSE '[]' END,
              CASE WHEN n % 20 = 0 THEN 'MERCHANT' ELSE 'AMAZON' END, CASE WHEN n % 20 = 0 THEN 50 END, 'api', now(), now(),
              now() - make_interval(hours => (n % 17000)::int)
         FROM (SELECT n, $2::uuid AS account, '${US}' AS site, 'USD' AS currency, 'Nord' AS brand FROM generate_series(1, ${half}) AS n
               UNION ALL SELECT n, $2, '${CA}', 'CAD', 'Nord' FROM generate_series(1, ${quarter}) AS n
               UNION ALL SELECT n, $3, '${US}', 'USD', 'Sued'
                 FROM generate_series(${half + 1}, ${half + (count - half - quarter)}) AS n) AS each`,
      [principal.companyId, first, second],
    );
  });
}

async function fillProducts({ admin }: BenchWorld, { principal, count }: Sellers): Promise<void> {
  const of = [principal.companyId];
  await admin.query(
    `INSERT INTO product.category (company_id, name, level, updated_by_name) SELECT $1, '类目' || n, 1, '测量' FROM generate_series(1, 50) AS n`,
    of,
  );
  await admin.query(
    `INSERT INTO product.local_product (company_id, sku, name, category_id)
     SELECT $1, ${SKU('n')}, ${NAME('n')}, c.ids[1 + n % 50]
       FROM generate_series(1, ${productsOf(count)}) AS n, (SELECT array_agg(id) AS ids FROM product.category WHERE company_id = $1) AS c`,
    of,
  );
  // Costs of two years, half a year each.
  await admin.query(
    `INSERT INTO product.sku_cost (company_id, sku, valid_from, unit_cost, updated_by_name)
     SELECT $1, sku, current_date - 180 * d, 10 + d, '测量' FROM product.local_product, generate_series(0, 3) AS d WHERE company_id = $1`,
    of,
  );
  await admin.query(
    `INSERT INTO product.declared_rate (company_id, country, category_id, rate, updated_by_name)
     SELECT $1::uuid, '', NULL::uuid, 0.3, '测量' UNION ALL SELECT $1, 'CA', NULL, 0.4, '测量'
     UNION ALL (SELECT $1, '', id, 0.5, '测量' FROM product.category WHERE company_id = $1 LIMIT 10)`,
    of,
  );
}

/** Half of the listings are paired; one in fifty of those that Canada shares with other products than the US. */
async function fillPairings({ admin }: BenchWorld, { principal, count }: Sellers): Promise<void> {
  const of = [principal.companyId];
  await admin.query(
    `INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, way, updated_by_name, updated_at)
     SELECT $1, account_id, marketplace_id, seller_sku, 'manual', '测量', now() - make_interval(mins => substr(asin, 2)::int % 90000)
       FROM listing.listing WHERE company_id = $1 AND seller_sku LIKE 'M-%'`,
    of,
  );
  await admin.query(
    `INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
     SELECT $1, m.id, p.id, 1 + n % 3
       FROM (SELECT *, substr(msku, 3)::int AS n FROM product.sku_match WHERE company_id = $1) AS m
       JOIN product.local_product AS p ON p.company_id = $1
        AND p.sku = ${SKU(`1 + (n + CASE WHEN marketplace_id = '${CA}' AND n % 50 = 3 THEN 1 ELSE 0 END) % ${productsOf(count)}`)}`,
    of,
  );
}

/** A company that sells so many listings, with its products and what is paired, written as the owner of the tables. */
export async function sellersOf(world: BenchWorld, count: number): Promise<Sellers> {
  const principal = await world.company();
  const first = await world.account(principal);
  const second = await world.account(principal);
  const { admin } = world;
  await admin.query("UPDATE marketplace.seller_account SET status = 'active' WHERE company_id = $1", [
    principal.companyId,
  ]);
  await admin.query(
    'INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id) VALUES ($1, $2, $3)',
    [principal.companyId, first.id, CA],
  );
  const sellers = { principal, first: first.id, second: second.id, count };
  // What is written here by hand keeps its own promises: foreign keys need not be looked at.
  await admin.query("SET session_replication_role = 'replica'");
  await step('products', () => fillProducts(world, sellers));
  await step('listings', () => fillListings(world, sellers));
  await step('pairings', () => fillPairings(world, sellers));
  await admin.query("SET session_replication_role = 'origin'");
  return sellers;
}
