import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refreshPace } from './pace.ts';
import { makeFresh, sites } from './source.ts';

const KEY = ['shop_id', 'platform_sku', 'day', 'country', 'currency', 'product_id', 'via'] as const;
const MEASURES = ['platform', 'units', 'is_bundle', 'sales', 'ship_fee', 'commission', 'cost'] as const;
const list = (names: readonly string[], of = (name: string) => name) => sql.raw(names.map(of).join(', '));

/** Takes the marks that are there into pg_temp.channel_scope, a shop's as one of each of its SKUs. Returns how many SKUs. */
async function takeMarks(ctx: Ctx): Promise<number> {
  const { companyId } = ctx;
  await sql`DROP TABLE IF EXISTS pg_temp.channel_mark, pg_temp.channel_scope`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE channel_mark (shop_id uuid NOT NULL, platform_sku text, from_day date NOT NULL, to_day date NOT NULL)
      ON COMMIT DROP`.execute(ctx.db);
  await sql`
    WITH taken AS (DELETE FROM channel.dirty WHERE company_id = ${companyId} RETURNING shop_id, platform_sku, from_day, to_day)
    INSERT INTO pg_temp.channel_mark SELECT shop_id, platform_sku, from_day, to_day FROM taken`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE channel_scope ON COMMIT DROP AS
    SELECT shop_id, platform_sku, min(from_day) AS from_day, max(to_day) AS to_day FROM (
      SELECT * FROM pg_temp.channel_mark WHERE platform_sku IS NOT NULL
      UNION ALL
      SELECT w.shop_id, s.sku, w.from_day, w.to_day
        FROM (SELECT shop_id, min(from_day) AS from_day, max(to_day) AS to_day FROM pg_temp.channel_mark
               WHERE platform_sku IS NULL GROUP BY shop_id) AS w
       CROSS JOIN LATERAL (
         SELECT d.seller_sku AS sku FROM sales.sku_day AS d JOIN ${sites()} ON c.id = d.marketplace_id
          WHERE d.company_id = ${companyId} AND d.account_id = w.shop_id AND d.local_date BETWEEN w.from_day AND w.to_day
         UNION
         SELECT p.platform_sku FROM channel.platform_sku AS p WHERE p.company_id = ${companyId} AND p.shop_id = w.shop_id
         UNION
         SELECT k.platform_sku FROM channel.sold_day AS k
          WHERE k.company_id = ${companyId} AND k.shop_id = w.shop_id AND k.day BETWEEN w.from_day AND w.to_day) AS s) AS m
     GROUP BY shop_id, platform_sku`.execute(ctx.db);
  await sql`ANALYZE pg_temp.channel_scope`.execute(ctx.db);
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_temp.channel_scope`.execute(ctx.db);
  return rows[0]?.n ?? 0;
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

/**
 * Takes the company's marks that are there by now and makes their days anew, and the windows of the products that changed. A change
 * that is not committed yet has marks of its own, which wait for the next round. One company is made by one at a time. Returns
 * how many products changed.
 */
export async function refreshMarked(ctx: Ctx): Promise<number> {
  const key = `channel:${ctx.companyId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  if ((await takeMarks(ctx)) === 0) return 0;
  const products = await merge(ctx);
  if (products.length > 0) await refreshPace(ctx, products);
  return products.length;
}
