import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { standsFor } from '../stands-for.ts';
import { bare, coresOf } from './code.ts';

const COUNTRIES = sql`unnest(${MARKETPLACES.map((one) => one.id)}::text[], ${MARKETPLACES.map((one) => one.country)}::text[]) AS w(site, country)`;

/**
 * Temporary tables of a run: `lone`, listings that stand for nothing today or later and may be suggested for; `known`, the
 * others with what they stand for, products out of use left aside; `signal`, filled by the functions below, with one row per
 * listing, products and reason.
 */
export async function prepare(ctx: Ctx): Promise<number> {
  const today = ctx.clock.today();
  await sql`DROP TABLE IF EXISTS pg_temp.lone, pg_temp.known, pg_temp.signal, pg_temp.every`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE every ON COMMIT DROP AS
    SELECT l.account_id, l.marketplace_id, l.seller_sku AS msku, l.asin, l.fnsku, l.parent_asin, l.name, l.opened_at
      FROM listing.product AS l
     WHERE l.company_id = ${ctx.companyId} AND l.state <> 'GONE' AND (l.parent_asin IS NULL OR l.asin IS DISTINCT FROM l.parent_asin)`.execute(
    ctx.db,
  );
  await sql`ANALYZE pg_temp.every`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE known ON COMMIT DROP AS
    SELECT e.*, s.parts, s.product_ids FROM pg_temp.every AS e
      JOIN (${standsFor(ctx, sql`pg_temp.every`)}) AS s USING (account_id, marketplace_id, msku)
     WHERE NOT EXISTS (SELECT FROM unnest(s.product_ids) AS u(id) JOIN product.local_product AS p
             ON p.company_id = ${ctx.companyId} AND p.id = u.id AND p.lifecycle = 'offline')`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE lone ON COMMIT DROP AS
    SELECT e.* FROM pg_temp.every AS e
     WHERE NOT starts_with(lower(e.msku), 'amzn.gr.')
       AND NOT EXISTS (SELECT FROM product.sku_match AS m WHERE m.company_id = ${ctx.companyId} AND m.msku = e.msku
             AND m.account_id = e.account_id AND m.marketplace_id = e.marketplace_id
             AND (m.valid_to IS NULL OR m.valid_to >= ${today}::date))
       AND NOT EXISTS (SELECT FROM product.local_product AS p WHERE p.company_id = ${ctx.companyId}
             AND p.sku_key = lower(btrim(e.msku)) AND NOT p.is_spelling)`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE signal (account_id uuid, marketplace_id text, msku text, product_ids uuid[], parts jsonb, score int,
      kind text, reason text) ON COMMIT DROP`.execute(ctx.db);
  await sql`ANALYZE pg_temp.known`.execute(ctx.db);
  await sql`ANALYZE pg_temp.lone`.execute(ctx.db);
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_temp.lone`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/**
 * What listings of the same thing stand for, where all of those agree: `on` says by which columns (`k` knows, `l` asks). Each
 * reason names up to three countries from which it comes.
 */
async function sameThing(
  ctx: Ctx,
  kind: string,
  score: number,
  columns: readonly string[],
  words: string,
  but = sql`true`,
): Promise<void> {
  const keys = sql.raw(columns.join(', '));
  const given = sql.raw(columns.map((column) => `${column} IS NOT NULL`).join(' AND '));
  const join = sql.raw(columns.map((column) => `g.${column} = l.${column}`).join(' AND '));
  await sql`
    INSERT INTO pg_temp.signal
    SELECT l.account_id, l.marketplace_id, l.msku,
           ARRAY(SELECT (p->>'productId')::uuid FROM jsonb_array_elements(g.parts) AS p ORDER BY 1), g.parts, ${score}::int, ${kind},
           ${words} || '（' || g.places || '）'
      FROM (SELECT ${keys}, (array_agg(parts ORDER BY account_id, marketplace_id))[1] AS parts,
                   array_to_string((array_agg(DISTINCT w.country))[1:3], '、') AS places
              FROM pg_temp.known AS k JOIN ${COUNTRIES} ON w.site = k.marketplace_id
             WHERE ${given} GROUP BY ${keys} HAVING count(DISTINCT parts) = 1) AS g
      JOIN pg_temp.lone AS l ON ${join} WHERE ${but}`.execute(ctx.db);
}

/** The same MSKU, FNSKU or ASIN that is paired elsewhere. */
export async function fromOtherSites(ctx: Ctx): Promise<void> {
  await sameThing(ctx, 'sites', 98, ['account_id', 'msku'], '同店其他站点的同一MSKU已配对');
  await sameThing(ctx, 'fnsku', 97, ['fnsku'], '同一FNSKU已配对');
  await sameThing(ctx, 'asin', 93, ['asin'], '同一ASIN已配对');
  await sameThing(ctx, 'shops', 82, ['msku'], '其他店铺的同名MSKU已配对');
}

/** Codes that are the same but for case, separators and known words at their ends. */
export async function fromCodes(ctx: Ctx): Promise<void> {
  const lone = await sql<{ msku: string }>`SELECT DISTINCT msku FROM pg_temp.lone`.execute(ctx.db);
  const products = await sql<{ id: string; sku: string }>`
    SELECT id, sku FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND NOT is_spelling AND lifecycle <> 'offline' AND kind = 'goods'`.execute(
    ctx.db,
  );
  const byCode = Map.groupBy(products.rows, (row) => bare(row.sku));
  const hits = lone.rows.flatMap(({ msku }) => {
    for (const { core, qty, cut } of coresOf(msku)) {
      const [only, ...others] = byCode.get(core) ?? [];
      if (only === undefined) continue;
      // Two products that differ by separators only: a code says nothing of which of them it is.
      if (others.length > 0) return [];
      const reason =
        cut.length === 0 ? `只有大小写或分隔符与 ${only.sku} 不同` : `去掉 ${cut.join('、')} 后与 ${only.sku} 相同`;
      return [
        {
          msku,
          id: only.id,
          qty,
          score: cut.length === 0 ? 95 : qty === 1 ? 90 : 86,
          reason: qty === 1 ? reason : `${reason}，每件${qty}个`,
        },
      ];
    }
    return [];
  });
  await sql`
    INSERT INTO pg_temp.signal
    SELECT l.account_id, l.marketplace_id, l.msku, ARRAY[h.id], jsonb_build_array(jsonb_build_object('productId', h.id, 'qty', h.qty)),
           h.score, 'code', h.reason
      FROM unnest(${hits.map((one) => one.msku)}::text[], ${hits.map((one) => one.id)}::uuid[], ${hits.map((one) => one.qty)}::int[],
                  ${hits.map((one) => one.score)}::int[], ${hits.map((one) => one.reason)}::text[]) AS h(msku, id, qty, score, reason)
      JOIN pg_temp.lone AS l ON l.msku = h.msku`.execute(ctx.db);
}

/** What stands before and behind the product's code in the MSKUs of variations of the same parent. */
export async function fromFamilies(ctx: Ctx): Promise<void> {
  await sql`
    INSERT INTO pg_temp.signal
    WITH pattern AS (
      SELECT DISTINCT ON (k.account_id, k.parent_asin, prefix, suffix, qty)
             k.account_id, k.parent_asin, k.msku, p.sku, (k.parts->0->>'qty')::int AS qty,
             left(k.msku, strpos(lower(k.msku), lower(p.sku)) - 1) AS prefix,
             substr(k.msku, strpos(lower(k.msku), lower(p.sku)) + length(p.sku)) AS suffix
        FROM pg_temp.known AS k
        JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = k.product_ids[1]
       WHERE k.parent_asin IS NOT NULL AND cardinality(k.product_ids) = 1 AND strpos(lower(k.msku), lower(p.sku)) > 0
       ORDER BY k.account_id, k.parent_asin, prefix, suffix, qty, k.msku)
    SELECT l.account_id, l.marketplace_id, l.msku, ARRAY[p.id],
           jsonb_build_array(jsonb_build_object('productId', p.id, 'qty', t.qty)), 88, 'family',
           '同父体变体 ' || t.msku || ' 配对 ' || t.sku || '，按同样的规律'
      FROM pg_temp.lone AS l
      JOIN pattern AS t ON t.account_id = l.account_id AND t.parent_asin = l.parent_asin
       AND starts_with(l.msku, t.prefix) AND right(l.msku, length(t.suffix)) = t.suffix
       AND length(l.msku) > length(t.prefix) + length(t.suffix)
      JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND NOT p.is_spelling AND p.lifecycle <> 'offline'
       AND p.sku_key = lower(btrim(substr(l.msku, length(t.prefix) + 1, length(l.msku) - length(t.prefix) - length(t.suffix))))`.execute(
    ctx.db,
  );
}
