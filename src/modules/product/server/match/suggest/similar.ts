import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** MSKUs, and titles, that a run compares at most, the newest first; the rest waits until those are decided. */
const AT_MOST = 20_000;
/** Where many names are alike each comparison takes long: after so much time a run is content with what it has. */
const LONGEST_MS = 45_000;
const AT_ONCE = 200;

/**
 * What is left without a good reason is compared by trigrams, against temporary tables with an index: under row-level
 * security no trigram index of a table would be used. A product is proposed where it is the nearest by far enough.
 */
async function nearest(
  ctx: Ctx,
  kind: 'similar' | 'title',
  given: { text: string; of: 'sku' | 'name'; least: number; base: number; span: number; words: string },
): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.asked, pg_temp.named`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE named ON COMMIT DROP AS
    SELECT id, sku, lower(${sql.ref(given.of)}) AS text FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND NOT is_spelling AND lifecycle <> 'offline' AND kind = 'goods'
       AND length(${sql.ref(given.of)}) >= 4`.execute(ctx.db);
  await sql`CREATE INDEX ON pg_temp.named USING gin (text gin_trgm_ops)`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE asked ON COMMIT DROP AS
    SELECT text, row_number() OVER (ORDER BY newest DESC NULLS LAST, text) AS no FROM (
      SELECT lower(${sql.ref(given.text)}) AS text, max(l.opened_at) AS newest FROM pg_temp.lone AS l
       WHERE NOT EXISTS (SELECT FROM pg_temp.signal AS s WHERE s.account_id = l.account_id
               AND s.marketplace_id = l.marketplace_id AND s.msku = l.msku)
       GROUP BY 1) AS t WHERE length(text) >= 4 ORDER BY no LIMIT ${sql.lit(AT_MOST)}`.execute(ctx.db);
  await sql`ANALYZE pg_temp.named`.execute(ctx.db);
  await sql`SELECT set_config('pg_trgm.similarity_threshold', ${String(given.least)}, true)`.execute(ctx.db);
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_temp.asked`.execute(ctx.db);
  const begun = ctx.runtime.clock.now().getTime();
  for (let done = 0; done < (rows[0]?.n ?? 0); done += AT_ONCE) {
    if (ctx.runtime.clock.now().getTime() - begun > LONGEST_MS) return;
    await sql`
      INSERT INTO pg_temp.signal
      SELECT l.account_id, l.marketplace_id, l.msku, ARRAY[n.id], jsonb_build_array(jsonb_build_object('productId', n.id, 'qty', 1)),
             (${given.base} + ${given.span} * n.likeness)::int, ${kind}, ${given.words} || ' ' || n.sku || ' 相近（' || round(n.likeness * 100) || '%）'
        FROM (SELECT text FROM pg_temp.asked WHERE no > ${done} AND no <= ${done} + ${sql.lit(AT_ONCE)}) AS a
       CROSS JOIN LATERAL (
         SELECT n.id, n.sku, similarity(n.text, a.text)::numeric AS likeness FROM pg_temp.named AS n WHERE n.text % a.text
          ORDER BY 3 DESC, n.sku LIMIT 2) AS n
        JOIN pg_temp.lone AS l ON lower(l.${sql.raw(given.text)}) = a.text`.execute(ctx.db);
  }
}

/** Codes that are much alike, and, where a code says nothing, titles that are. */
export async function fromLikeness(ctx: Ctx): Promise<void> {
  await nearest(ctx, 'similar', { text: 'msku', of: 'sku', least: 0.45, base: 40, span: 40, words: '编码与' });
  await nearest(ctx, 'title', { text: 'name', of: 'name', least: 0.4, base: 35, span: 35, words: '标题与' });
}
