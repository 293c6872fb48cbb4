import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { SnapshotOf } from '../fact.ts';

/** A row that says the same is only made fresh after so long: every reading tells of every issue. */
const FRESH_HOURS = 6;

/**
 * Takes over what staged listings (`pg_temp.stage_listing`) are found faulty for: a new fault begins, a known one goes on, one that
 * is not told any more is over, as is everything of a listing that is gone. Listings of a source that knows no issues keep theirs.
 */
export async function landIssues(ctx: Ctx, { accountId, marketplaceId, asOf }: SnapshotOf): Promise<void> {
  const here = sql`o.company_id = ${ctx.companyId} AND o.account_id = ${accountId} AND o.marketplace_id = ${marketplaceId}`;
  await sql`
    CREATE TEMP TABLE IF NOT EXISTS stage_issue (
      seller_sku text, fault text, code text, message text, severity text, categories text[], attributes text[],
      actions text[], exempt_until timestamptz) ON COMMIT DROP`.execute(ctx.db);
  await sql`TRUNCATE pg_temp.stage_issue`.execute(ctx.db);
  await sql`
    INSERT INTO pg_temp.stage_issue
    SELECT DISTINCT ON (s.seller_sku, f.fault) s.seller_sku, f.fault, i.code, i.message, i.severity, i.categories, i.attributes,
           i.actions, i."exemptUntil"
      FROM pg_temp.stage_listing AS s
     CROSS JOIN LATERAL jsonb_to_recordset(s.issues) AS i (code text, message text, severity text, categories text[],
           attributes text[], actions text[], "exemptUntil" timestamptz)
     CROSS JOIN LATERAL (SELECT i.code || ' ' || array_to_string(i.attributes, ',') AS fault) AS f
     WHERE s.issues IS NOT NULL`.execute(ctx.db);
  await sql`
    UPDATE listing.issue AS o SET resolved_at = ${asOf}
     WHERE ${here} AND o.resolved_at IS NULL AND (
           EXISTS (SELECT FROM pg_temp.stage_listing AS s WHERE s.seller_sku = o.seller_sku AND s.issues IS NOT NULL
                      AND NOT EXISTS (SELECT FROM pg_temp.stage_issue AS i
                                       WHERE i.seller_sku = o.seller_sku AND i.fault = o.fault))
        OR EXISTS (SELECT FROM listing.listing AS l
                    WHERE l.company_id = o.company_id AND l.account_id = o.account_id
                      AND l.marketplace_id = o.marketplace_id AND l.seller_sku = o.seller_sku
                      AND l.gone_at IS NOT NULL))`.execute(ctx.db);
  await sql`
    INSERT INTO listing.issue AS o (company_id, account_id, marketplace_id, seller_sku, fault, code, message, severity, categories,
           attributes, actions, exempt_until, first_seen_at, last_seen_at)
    SELECT ${ctx.companyId}::uuid, ${accountId}::uuid, ${marketplaceId}, seller_sku, fault, code, message, severity, categories,
           attributes, actions, exempt_until, ${asOf}::timestamptz, ${asOf}::timestamptz
      FROM pg_temp.stage_issue ORDER BY seller_sku, fault
    ON CONFLICT (company_id, account_id, marketplace_id, seller_sku, fault) WHERE resolved_at IS NULL DO UPDATE
       SET (message, severity, categories, actions, exempt_until, last_seen_at) =
           (excluded.message, excluded.severity, excluded.categories, excluded.actions, excluded.exempt_until, excluded.last_seen_at)
     WHERE (o.message, o.severity, o.categories, o.actions, o.exempt_until) IS DISTINCT FROM
           (excluded.message, excluded.severity, excluded.categories, excluded.actions, excluded.exempt_until)
        OR o.last_seen_at < excluded.last_seen_at - make_interval(hours => ${FRESH_HOURS})`.execute(ctx.db);
}
