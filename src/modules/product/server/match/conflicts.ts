import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { ListingRef } from '../../contract/match.ts';
import { standsFor } from './stands-for.ts';

/** The whole company's listings, or those that share an account's MSKU or an FNSKU with some of them. */
function concerned(ctx: Ctx, listings: readonly ListingRef[] | undefined) {
  if (!listings) return sql`SELECT * FROM listing.product WHERE company_id = ${ctx.companyId} AND state <> 'GONE'`;
  return sql`
    WITH given AS (
      SELECT DISTINCT * FROM unnest(${listings.map((one) => one.accountId)}::uuid[],
        ${listings.map((one) => one.marketplaceId)}::text[], ${listings.map((one) => one.msku)}::text[]) AS g(account, site, msku)),
    fnskus AS (
      SELECT DISTINCT l.fnsku FROM given AS g JOIN listing.product AS l ON l.company_id = ${ctx.companyId}
         AND l.account_id = g.account AND l.marketplace_id = g.site AND l.seller_sku = g.msku WHERE l.fnsku IS NOT NULL),
    peers AS (
      SELECT l.* FROM (SELECT DISTINCT account, msku, lower(msku) AS key FROM given) AS g
        JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.sku_key = g.key
         AND l.account_id = g.account AND l.seller_sku = g.msku
      UNION
      SELECT l.* FROM fnskus AS f JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.fnsku = f.fnsku)
    -- Whoever shares an FNSKU with one that shares the MSKU decides with it.
    SELECT * FROM peers WHERE state <> 'GONE'
    UNION
    SELECT l.* FROM peers AS p JOIN listing.product AS l ON l.company_id = p.company_id AND l.fnsku = p.fnsku
     WHERE l.state <> 'GONE'
    UNION
    SELECT l.* FROM peers AS p JOIN listing.product AS l ON l.company_id = p.company_id AND l.sku_key = p.sku_key
       AND l.account_id = p.account_id AND l.seller_sku = p.seller_sku
     WHERE l.state <> 'GONE'`;
}

/**
 * Works out anew which listings conflict today: one MSKU of an account that stands for different products or pieces on its
 * sites, one FNSKU that does; all of the company where no listings are named, else those and whoever they conflict with.
 * Listings that stand for nothing conflict with nobody.
 */
export async function refreshConflicts(ctx: Ctx, listings?: readonly ListingRef[]): Promise<void> {
  if (listings?.length === 0) return;
  await sql`DROP TABLE IF EXISTS pg_temp.concerned, pg_temp.conflicting`.execute(ctx.db);
  await sql`CREATE TEMP TABLE concerned ON COMMIT DROP AS
    SELECT account_id, marketplace_id, seller_sku AS msku, fnsku FROM (${concerned(ctx, listings)}) AS c`.execute(
    ctx.db,
  );
  await sql`ANALYZE pg_temp.concerned`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE conflicting ON COMMIT DROP AS
    WITH known AS MATERIALIZED (
      SELECT c.*, s.parts FROM pg_temp.concerned AS c
        JOIN (${standsFor(ctx, sql`pg_temp.concerned`)}) AS s USING (account_id, marketplace_id, msku)),
    by_msku AS (SELECT account_id, msku FROM known GROUP BY 1, 2 HAVING count(DISTINCT parts) > 1),
    by_fnsku AS (SELECT fnsku FROM known WHERE fnsku IS NOT NULL GROUP BY 1 HAVING count(DISTINCT parts) > 1)
    SELECT account_id, marketplace_id, msku,
           CASE WHEN (account_id, msku) IN (SELECT account_id, msku FROM by_msku) THEN 'msku' ELSE 'fnsku' END AS kind
      FROM known
     WHERE (account_id, msku) IN (SELECT account_id, msku FROM by_msku) OR fnsku IN (SELECT fnsku FROM by_fnsku)`.execute(
    ctx.db,
  );
  const scope = listings
    ? sql`AND EXISTS (SELECT FROM pg_temp.concerned AS c WHERE c.account_id = m.account_id
           AND c.marketplace_id = m.marketplace_id AND c.msku = m.msku)`
    : sql``;
  await sql`
    DELETE FROM product.match_conflict AS m WHERE m.company_id = ${ctx.companyId} ${scope}
       AND NOT EXISTS (SELECT FROM pg_temp.conflicting AS c WHERE c.account_id = m.account_id
             AND c.marketplace_id = m.marketplace_id AND c.msku = m.msku)`.execute(ctx.db);
  await sql`
    INSERT INTO product.match_conflict (company_id, account_id, marketplace_id, msku, kind)
    SELECT ${ctx.companyId}::uuid, account_id, marketplace_id, msku, kind FROM pg_temp.conflicting
    ON CONFLICT (company_id, account_id, marketplace_id, msku) DO UPDATE SET kind = excluded.kind
     WHERE match_conflict.kind <> excluded.kind`.execute(ctx.db);
}
