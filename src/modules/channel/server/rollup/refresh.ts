import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { refreshPace } from './pace.ts';
import { makeFresh, sites } from './source.ts';

const KEY = ['shop_id', 'platform_sku', 'day', 'country', 'currency', 'product_id', 'via'] as const;
const MEASURES = ['platform', 'units', 'is_bundle', 'sales', 'ship_fee', 'commission', 'cost'] as const;
const list = (names: readonly string[], of = (name: string) => name) => sql.raw(names.map(of).join(', '));

/** Marks that one transaction takes; all marks of the same SKUs come with them. */
const MARKS = 300;
const TIMEOUT_MS = 15 * 60_000;

/** Has each mark of a whole shop stand for its SKUs, one mark each, so that no transaction has to make all of a shop. */
async function spread(ctx: Ctx): Promise<void> {
  const { companyId } = ctx;
  await sql`
    WITH taken AS (DELETE FROM channel.dirty WHERE company_id = ${companyId} AND platform_sku IS NULL RETURNING shop_id, from_day, to_day),
    wide AS (SELECT shop_id, min(from_day) AS from_day, max(to_day) AS to_day FROM taken GROUP BY shop_id)
    INSERT INTO channel.dirty (company_id, shop_id, platform_sku, from_day, to_day)
    SELECT ${companyId}::uuid, w.shop_id, s.sku, w.from_day, w.to_day
      FROM wide AS w
     CROSS JOIN LATERAL (
       SELECT d.seller_sku AS sku FROM sales.sku_day AS d JOIN ${sites()} ON c.id = d.marketplace_id
        WHERE d.company_id = ${companyId} AND d.account_id = w.shop_id AND d.local_date BETWEEN w.from_day AND w.to_day
       UNION
       SELECT p.platform_sku FROM channel.platform_sku AS p WHERE p.company_id = ${companyId} AND p.shop_id = w.shop_id
       UNION
       SELECT k.platform_sku FROM channel.sold_day AS k
        WHERE k.company_id = ${companyId} AND k.shop_id = w.shop_id AND k.day BETWEEN w.from_day AND w.to_day) AS s`.execute(
    ctx.db,
  );
}

/** Takes the oldest marks into pg_temp.channel_scope, one row for each of their SKUs. Returns how many SKUs. */
async function takeMarks(ctx: Ctx): Promise<number> {
  const { companyId } = ctx;
  await sql`DROP TABLE IF EXISTS pg_temp.channel_scope`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE channel_scope (shop_id uuid NOT NULL, platform_sku text NOT NULL, from_day date NOT NULL, to_day date NOT NULL)
      ON COMMIT DROP`.execute(ctx.db);
  const { numAffectedRows = 0n } = await sql`
    WITH oldest AS (SELECT shop_id, platform_sku FROM channel.dirty WHERE company_id = ${companyId} ORDER BY id LIMIT ${MARKS}),
    taken AS (
      DELETE FROM channel.dirty AS d
       WHERE d.company_id = ${companyId} AND (d.shop_id, d.platform_sku) IN (SELECT shop_id, platform_sku FROM oldest)
      RETURNING d.shop_id, d.platform_sku, d.from_day, d.to_day)
    INSERT INTO pg_temp.channel_scope
    SELECT shop_id, platform_sku, min(from_day), max(to_day) FROM taken GROUP BY shop_id, platform_sku`.execute(ctx.db);
  await sql`ANALYZE pg_temp.channel_scope`.execute(ctx.db);
  return Number(numAffectedRows);
}

/** Writes what differs between the table and what there is to say of the scope. Returns the products of the rows that did. */
async function merge(ctx: Ctx): Promise<string[]> {
  const { companyId } = ctx;
  await makeFresh(ctx);
  const gone = await sql<{ id: string }>`
    DELETE FROM channel.sold_day AS k USING pg_temp.channel_scope AS s
     WHERE k.company_id = ${companyId} AND k.shop_id = s.shop_id AND k.platform_sku = s.platform_sku
       AND k.day BETWEEN s.from_day AND s.to_day
       AND NOT EXISTS (SELECT FROM pg_temp.channel_fresh AS f WHERE ${sql.raw(KEY.map((name) => `f.${name} = k.${name}`).join(' AND '))})
    RETURNING k.product_id AS id`.execute(ctx.db);
  const written = await sql<{ id: string }>`
    INSERT INTO channel.sold_day AS k (company_id, ${list([...KEY, ...MEASURES])})
    SELECT ${companyId}::uuid, ${list([...KEY, ...MEASURES])} FROM pg_temp.channel_fresh
    ON CONFLICT (company_id, ${list(KEY)}) DO UPDATE SET ${list(MEASURES, (name) => `${name} = excluded.${name}`)}
     WHERE (${list(MEASURES, (name) => `k.${name}`)}) IS DISTINCT FROM (${list(MEASURES, (name) => `excluded.${name}`)})
    RETURNING k.product_id AS id`.execute(ctx.db);
  return [...new Set([...gone.rows, ...written.rows].map(({ id }) => id))];
}

/** Makes the days of the oldest marks anew, and the windows of the products that changed. Returns how many SKUs were made. */
async function refreshSome(ctx: Ctx): Promise<number> {
  // One company is made by one at a time.
  const key = `channel:${ctx.companyId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  await spread(ctx);
  const skus = await takeMarks(ctx);
  if (skus === 0) return 0;
  const products = await merge(ctx);
  if (products.length > 0) await refreshPace(ctx, products);
  return skus;
}

/**
 * Makes all that is marked of a company anew, some SKUs in each transaction: what a killed worker had done stays. A change that is
 * not committed yet has marks of its own, which wait for the next round. Returns how many SKUs were made.
 */
export async function refreshMarked(runtime: Runtime, companyId: string): Promise<number> {
  let skus = 0;
  for (;;) {
    const some = await inTenant(runtime, systemPrincipal(companyId), refreshSome, { timeoutMs: TIMEOUT_MS });
    if (some === 0) return skus;
    skus += some;
  }
}
