import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { ListingRef } from '../../contract/match.ts';
import { siteRates, type ValueRow, valuesSelect } from './values.ts';

const keysOf = (listings: readonly ListingRef[]) => sql`
  unnest(${listings.map((one) => one.accountId)}::uuid[], ${listings.map((one) => one.marketplaceId)}::text[],
         ${listings.map((one) => one.msku)}::text[]) AS g(account_id, marketplace_id, msku)`;

/** Each listing once. @throws notFound for one that the caller does not reach */
async function reached(ctx: Ctx, listings: readonly ListingRef[]): Promise<ListingRef[]> {
  const { rows } = await sql<ListingRef>`
    SELECT DISTINCT g.account_id AS "accountId", g.marketplace_id AS "marketplaceId", g.msku FROM ${keysOf(listings)}
      JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.account_id = g.account_id
       AND l.marketplace_id = g.marketplace_id AND l.seller_sku = g.msku`.execute(ctx.db);
  const wanted = new Set(listings.map((one) => `${one.accountId} ${one.marketplaceId} ${one.msku}`));
  if (rows.length < wanted.size) throw notFound('商品不存在或已删除');
  return rows;
}

/** Changes of declared values happen one after the other: what somebody agrees to is what he looked at. */
async function lockValues(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`product.declared:${ctx.companyId}`}, 0))`.execute(ctx.db);
}

const words = (listings: readonly ListingRef[]) => ({
  mskus: listings.map((one) => one.msku).slice(0, 50),
  count: listings.length,
});

/** @throws notFound */
export async function lockListings(
  ctx: Ctx,
  input: { listings: readonly ListingRef[]; value: string; reason: string },
): Promise<{ changed: number }> {
  await lockValues(ctx);
  const listings = await reached(ctx, input.listings);
  await sql`
    INSERT INTO product.declared_lock (company_id, account_id, marketplace_id, msku, value, reason, updated_by_name)
    SELECT ${ctx.companyId}::uuid, g.account_id, g.marketplace_id, g.msku, ${input.value}::numeric, ${input.reason}, ${ctx.userName}
      FROM ${keysOf(listings)}
    ON CONFLICT (company_id, account_id, marketplace_id, msku) DO UPDATE
       SET value = excluded.value, reason = excluded.reason, updated_by_name = excluded.updated_by_name, updated_at = kit.now()`.execute(
    ctx.db,
  );
  const { value, reason } = input;
  await audit(ctx, {
    action: '锁定申报金额',
    resource: 'product.declared',
    after: { ...words(listings), value, reason },
  });
  return { changed: listings.length };
}

/** @throws notFound */
export async function unlockListings(ctx: Ctx, given: readonly ListingRef[]): Promise<{ changed: number }> {
  await lockValues(ctx);
  const listings = await reached(ctx, given);
  const gone = await sql`
    DELETE FROM product.declared_lock AS k USING ${keysOf(listings)}
     WHERE k.company_id = ${ctx.companyId} AND k.account_id = g.account_id AND k.marketplace_id = g.marketplace_id
       AND k.msku = g.msku`.execute(ctx.db);
  await audit(ctx, { action: '解除锁定申报金额', resource: 'product.declared', before: words(listings) });
  return { changed: Number(gone.numAffectedRows ?? 0n) };
}

/**
 * Agrees to values below the purchase cost, with the reason and the ground of the law, as they are at this moment. Of two who
 * do so at once the second is told that there is nothing left.
 * @throws notFound, refused B0771 for one that is not below cost or agreed to already
 */
export async function approveListings(
  ctx: Ctx,
  input: { listings: readonly ListingRef[]; reason: string; legalBasis: string },
): Promise<{ approved: number }> {
  await lockValues(ctx);
  const listings = await reached(ctx, input.listings);
  const day = ctx.clock.today();
  const where = sql`(l.account_id, l.marketplace_id, l.seller_sku) IN (SELECT * FROM ${keysOf(listings)})`;
  const { rows } = await sql<
    ValueRow & { state: string }
  >`${valuesSelect(ctx, await siteRates(ctx, day), day, where)}`.execute(ctx.db);
  const other = rows.find((row) => row.state !== 'low');
  if (other || rows.length === 0) throw refused(`${other?.seller_sku ?? '商品'} 不低于采购成本，或已经审批`, 'B0771');
  await sql`
    INSERT INTO product.declared_approval (company_id, account_id, marketplace_id, msku, value, currency, unit_cost, day_rate, day,
                                           reason, legal_basis, approved_by, approved_by_name)
    SELECT ${ctx.companyId}::uuid, r.account_id, r.marketplace_id, r.seller_sku, r.declared, r.currency, r.cost, r.day_rate, ${day}::date,
           ${input.reason}, ${input.legalBasis}, ${ctx.userId}::uuid, ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(account_id uuid, marketplace_id text, seller_sku text,
             declared numeric, currency text, cost numeric, day_rate numeric)`.execute(ctx.db);
  const { reason, legalBasis } = input;
  await audit(ctx, {
    action: '低申报审批',
    resource: 'product.declared',
    after: { ...words(listings), reason, legalBasis },
  });
  return { approved: rows.length };
}
