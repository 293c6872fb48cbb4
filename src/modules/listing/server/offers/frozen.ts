import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';

/** Until when the prices of listings are frozen, in words ("2026-08-01", 解除为止), by listing; those that are not are absent. */
export async function frozenUntil(ctx: Ctx, listingIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; words: string }>`
    SELECT listing_id AS id, coalesce(to_char(kit.day(until - interval '1 second'), 'YYYY-MM-DD'), '解除为止') AS words
      FROM listing.price_lock
     WHERE company_id = ${ctx.companyId} AND listing_id = ANY (${[...listingIds]}::uuid[])
       AND (until IS NULL OR until > kit.now())`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.words]));
}

/** Rows of the listings, locked in one order: what the queue has begun to plan for them is over. @throws 404 */
async function lockRows(ctx: Ctx, ids: readonly string[]): Promise<{ id: string; seller_sku: string }[]> {
  const { rows } = await sql<{ id: string; seller_sku: string }>`
    SELECT id, seller_sku FROM listing.listing WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])
     ORDER BY id FOR UPDATE`.execute(ctx.db);
  if (rows.length < new Set(ids).size) throw notFound('部分商品不存在或已删除，请刷新后重试');
  return rows;
}

/**
 * Freezes the prices of listings until the end of a day of the company ("yyyy-MM-dd"), or for good; what is on its way already
 * goes on. @throws 404; B0793 for a day that is over
 */
export async function lockPrices(
  ctx: Ctx,
  { ids, until, reason = '' }: { ids: readonly string[]; until?: string | undefined; reason?: string | undefined },
): Promise<{ count: number }> {
  if (until !== undefined && until < ctx.clock.today()) throw refused('冻结日期不能早于今天', 'B0793');
  const rows = await lockRows(ctx, ids);
  const end =
    until === undefined ? sql`NULL::timestamptz` : sql`(${until}::date + 1)::timestamp AT TIME ZONE kit.zone()`;
  await sql`
    INSERT INTO listing.price_lock AS k (company_id, listing_id, account_id, until, reason, created_by_name)
    SELECT company_id, id, account_id, ${end}, ${reason}, ${ctx.userName} FROM listing.listing
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])
    ON CONFLICT (company_id, listing_id) DO UPDATE
       SET until = excluded.until, reason = excluded.reason, created_by_name = excluded.created_by_name,
           created_at = kit.now()`.execute(ctx.db);
  await audit(ctx, {
    action: '冻结调价',
    resource: 'listing.priceLock',
    after: { skus: rows.map((row) => row.seller_sku), until: until ?? null, reason },
  });
  return { count: rows.length };
}

/** Lets the prices of listings be changed again. @throws 404 */
export async function unlockPrices(ctx: Ctx, ids: readonly string[]): Promise<{ count: number }> {
  const rows = await lockRows(ctx, ids);
  const { numDeletedRows } = await ctx.db
    .deleteFrom('listing.price_lock')
    .where('company_id', '=', ctx.companyId)
    .where(
      'listing_id',
      'in',
      rows.map(({ id }) => id),
    )
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '解除冻结调价',
    resource: 'listing.priceLock',
    after: { skus: rows.map((row) => row.seller_sku) },
  });
  return { count: Number(numDeletedRows) };
}
