import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** Each further reason for the same products is worth so much. */
const MORE = 2;
/** Other products that are as near as that make a suggestion doubtful, which then falls by DOUBT. */
const NEAR = 5;
const DOUBT = 15;

/**
 * Table `chosen` of the best of the signals for each listing: its strongest reason and what others add. What somebody
 * rejected for a listing is out of the race.
 */
async function choose(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.chosen`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE chosen ON COMMIT DROP AS
    WITH summed AS (
      SELECT account_id, marketplace_id, msku, product_ids, (array_agg(parts ORDER BY score DESC, kind))[1] AS parts,
             least(99, max(score) + ${sql.lit(MORE)} * (count(DISTINCT kind) - 1))::int AS score,
             (array_agg(kind ORDER BY score DESC, kind))[1] AS kind,
             (array_agg(reason ORDER BY score DESC, kind))[1:4] AS reasons
        FROM (SELECT DISTINCT ON (account_id, marketplace_id, msku, product_ids, kind) * FROM pg_temp.signal
               ORDER BY account_id, marketplace_id, msku, product_ids, kind, score DESC, reason) AS s
       WHERE NOT EXISTS (SELECT FROM product.match_suggestion AS r WHERE r.company_id = ${ctx.companyId}
               AND r.account_id = s.account_id AND r.marketplace_id = s.marketplace_id AND r.msku = s.msku
               AND r.product_ids = s.product_ids AND r.state = 'rejected')
       GROUP BY 1, 2, 3, 4),
    ranked AS (
      SELECT *, row_number() OVER w AS place, lead(score) OVER w AS next FROM summed
      WINDOW w AS (PARTITION BY account_id, marketplace_id, msku ORDER BY score DESC, product_ids))
    SELECT account_id, marketplace_id, msku, product_ids, parts, kind,
           CASE WHEN next >= score - ${sql.lit(NEAR)} THEN score - ${sql.lit(DOUBT)} ELSE score END AS score,
           CASE WHEN next >= score - ${sql.lit(NEAR)} THEN reasons || '另有得分相近的产品'::text ELSE reasons END AS reasons
      FROM ranked WHERE place = 1`.execute(ctx.db);
  await sql`ANALYZE pg_temp.chosen`.execute(ctx.db);
}

const SAME = sql`c.account_id = s.account_id AND c.marketplace_id = s.marketplace_id AND c.msku = s.msku`;

/**
 * Makes the open suggestions those of the run, under lockMatches(): rows that say the same stay with their id, so that who
 * looks at them may still accept them. What was paired while the run compared is left out.
 */
export async function land(ctx: Ctx): Promise<{ open: number; fresh: number }> {
  await choose(ctx);
  await sql`
    DELETE FROM pg_temp.chosen AS c USING product.sku_match AS m
     WHERE m.company_id = ${ctx.companyId} AND m.account_id = c.account_id AND m.marketplace_id = c.marketplace_id
       AND m.msku = c.msku AND (m.valid_to IS NULL OR m.valid_to >= ${ctx.clock.today()}::date)`.execute(ctx.db);
  await sql`
    DELETE FROM product.match_suggestion AS s WHERE s.company_id = ${ctx.companyId} AND s.state = 'open'
       AND NOT EXISTS (SELECT FROM pg_temp.chosen AS c WHERE ${SAME} AND c.product_ids = s.product_ids)`.execute(
    ctx.db,
  );
  await sql`
    UPDATE product.match_suggestion AS s SET parts = c.parts, score = c.score, kind = c.kind, reasons = c.reasons
      FROM pg_temp.chosen AS c
     WHERE s.company_id = ${ctx.companyId} AND s.state = 'open' AND ${SAME} AND c.product_ids = s.product_ids
       AND (s.parts, s.score, s.kind, s.reasons) IS DISTINCT FROM (c.parts, c.score, c.kind, c.reasons)`.execute(
    ctx.db,
  );
  const made = await sql`
    INSERT INTO product.match_suggestion (company_id, account_id, marketplace_id, msku, product_ids, parts, score, kind, reasons)
    SELECT ${ctx.companyId}::uuid, c.account_id, c.marketplace_id, c.msku, c.product_ids, c.parts, c.score, c.kind, c.reasons
      FROM pg_temp.chosen AS c
     WHERE NOT EXISTS (SELECT FROM product.match_suggestion AS s WHERE s.company_id = ${ctx.companyId} AND s.state = 'open'
             AND ${SAME})
    ON CONFLICT (company_id, account_id, marketplace_id, msku, product_ids) DO UPDATE
       SET state = 'open', parts = excluded.parts, score = excluded.score, kind = excluded.kind, reasons = excluded.reasons,
           made_at = kit.now(), decided_by_name = NULL, decided_at = NULL
     WHERE match_suggestion.state = 'accepted'`.execute(ctx.db);
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_temp.chosen`.execute(ctx.db);
  return { open: rows[0]?.n ?? 0, fresh: Number(made.numAffectedRows ?? 0n) };
}
