import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { ListingRef, MatchPart } from '../../contract/match.ts';
import type { Inherit } from '../../contract/match-suggest.ts';
import { costsOfListings } from './costs.ts';
import { partsText } from './list.ts';
import { lockMatches } from './listing-costs.ts';
import { clearFrom } from './save.ts';
import { standsFor } from './stands-for.ts';
import { writeMatches } from './write.ts';

const SAMPLE = 50;

interface Heir extends ListingRef {
  parts: { productId: string; qty: number }[];
  named: MatchPart[];
  /** 'none' stands for nothing, 'other' for something else. */
  has: 'none' | 'other';
  /** Several of the given listings would leave it different things. */
  torn: boolean;
}

const given = (listings: readonly ListingRef[]) => sql`(SELECT DISTINCT * FROM unnest(
  ${listings.map((one) => one.accountId)}::uuid[], ${listings.map((one) => one.marketplaceId)}::text[],
  ${listings.map((one) => one.msku)}::text[]) AS k(account_id, marketplace_id, msku))`;

/** @throws notFound for a listing that is not the company's, refused B0768 for one that stands for nothing */
async function requirePaired(ctx: Ctx, listings: readonly ListingRef[]): Promise<void> {
  const { rows } = await sql<{ msku: string; known: boolean; paired: boolean }>`
    SELECT k.msku, l.listing_id IS NOT NULL AS known, s.msku IS NOT NULL AS paired
      FROM ${given(listings)} AS k
      LEFT JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.account_id = k.account_id
       AND l.marketplace_id = k.marketplace_id AND l.seller_sku = k.msku
      LEFT JOIN (${standsFor(ctx, given(listings))}) AS s ON s.account_id = k.account_id
       AND s.marketplace_id = k.marketplace_id AND s.msku = k.msku`.execute(ctx.db);
  if (rows.some((row) => !row.known)) throw notFound('商品不存在或已删除');
  const open = rows.find((row) => !row.paired);
  if (open) throw refused(`${open.msku} 还没有配对，不能继承`, 'B0768');
}

/** Listings that would take over what the given ones stand for, without those that stand for the same already. */
async function heirsOf(ctx: Ctx, { listings, by }: Inherit): Promise<Heir[]> {
  const ways = [
    ...(by.includes('msku')
      ? [sql`(l.sku_key = lower(g.msku) AND l.seller_sku = g.msku AND l.account_id = g.account_id)`]
      : []),
    ...(by.includes('asin') ? [sql`l.asin = g.asin`] : []),
  ];
  const { rows } = await sql<Heir>`
    WITH source AS MATERIALIZED (
      SELECT k.*, o.asin, s.parts FROM ${given(listings)} AS k
        JOIN (${standsFor(ctx, given(listings))}) AS s USING (account_id, marketplace_id, msku)
        JOIN listing.product AS o ON o.company_id = ${ctx.companyId} AND o.account_id = k.account_id
         AND o.marketplace_id = k.marketplace_id AND o.seller_sku = k.msku),
    heir AS MATERIALIZED (
      SELECT l.account_id, l.marketplace_id, l.seller_sku AS msku, (array_agg(g.parts))[1] AS parts,
             count(DISTINCT g.parts) > 1 AS torn
        FROM source AS g JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.state <> 'GONE'
         AND (${sql.join(ways, sql` OR `)})
       WHERE (l.account_id, l.marketplace_id, l.seller_sku) NOT IN (SELECT account_id, marketplace_id, msku FROM source)
       GROUP BY 1, 2, 3)
    SELECT h.account_id AS "accountId", h.marketplace_id AS "marketplaceId", h.msku, h.parts, h.torn,
           CASE WHEN s.msku IS NULL THEN 'none' ELSE 'other' END AS has,
           (SELECT jsonb_agg(jsonb_build_object('productId', p.id, 'sku', p.sku, 'name', p.name, 'qty', j.qty) ORDER BY p.sku)
              FROM jsonb_to_recordset(h.parts) AS j("productId" uuid, qty int)
              JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = j."productId") AS named
      FROM heir AS h
      LEFT JOIN (${standsFor(ctx, sql`heir`)}) AS s ON s.account_id = h.account_id AND s.marketplace_id = h.marketplace_id
       AND s.msku = h.msku
     WHERE s.parts IS DISTINCT FROM h.parts ORDER BY 3, 2, 1`.execute(ctx.db);
  return rows;
}

/**
 * Gives what listings stand for today to the same MSKU of their account, or the same ASIN, on other sites, as far as the
 * caller's data rights reach. A site that stands for something else keeps that unless `replace` is asked for, then it changes
 * from today on. `dryRun` writes nothing.
 * @throws notFound, refused B0768
 */
export async function inherit(ctx: Ctx, input: Inherit, dryRun: boolean) {
  if (!dryRun) await lockMatches(ctx);
  await requirePaired(ctx, input.listings);
  const heirs = (await heirsOf(ctx, input)).filter((heir) => !heir.torn);
  const free = heirs.filter((heir) => heir.has === 'none');
  const other = heirs.filter((heir) => heir.has === 'other');
  const taken = input.replace ? [...free, ...other] : free;
  if (!dryRun) {
    const today = ctx.clock.today();
    const items = (some: readonly Heir[]) =>
      some.map(({ named: _, has: _has, torn: _torn, ...heir }) => ({ ...heir, way: 'inherit' as const }));
    await writeMatches(ctx, items(free));
    if (input.replace && other.length > 0) {
      await clearFrom(ctx, other, today, null);
      await writeMatches(ctx, items(other), today);
      await costsOfListings(ctx, other);
    }
    const mskus = [...new Set(taken.map((heir) => heir.msku))].slice(0, 50);
    await audit(ctx, { action: '继承SKU配对', resource: 'product.match', after: { mskus, count: taken.length } });
  }
  const stores = await storeNames(ctx);
  const sample = taken.slice(0, SAMPLE).map((heir) => ({
    msku: heir.msku,
    store: stores.get(heir.accountId) ?? '—',
    country: countryOf(heir.marketplaceId),
    partsText: partsText(heir.named),
  }));
  return { paired: taken.length, different: input.replace ? 0 : other.length, sample };
}
