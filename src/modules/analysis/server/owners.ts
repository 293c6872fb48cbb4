import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** The day from which the first owner of a listing answers for it: before all others. */
const EVER = '0001-01-01';

/**
 * Notes whom listings were given, after analysis.listing_care was written: those of `which`, a condition on it as c. What is as it was
 * adds nothing. The first owner of a listing answers for its past too, as nobody else did; a later one from today on.
 */
export async function noteOwners(ctx: Ctx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    INSERT INTO analysis.listing_owner (company_id, account_id, marketplace_id, seller_sku, from_day, owner_id, changed_by_name)
    SELECT c.company_id, c.account_id, c.marketplace_id, c.seller_sku,
           CASE WHEN last.id IS NULL THEN ${EVER}::date ELSE ${ctx.clock.today()}::date END, c.owner_id, ${ctx.userName}
      FROM analysis.listing_care AS c
      LEFT JOIN LATERAL (
        SELECT o.id, o.owner_id FROM analysis.listing_owner AS o
         WHERE o.company_id = c.company_id AND o.account_id = c.account_id AND o.marketplace_id = c.marketplace_id
           AND o.seller_sku = c.seller_sku ORDER BY o.from_day DESC, o.id DESC LIMIT 1) AS last ON true
     WHERE c.company_id = ${ctx.companyId} AND last.owner_id IS DISTINCT FROM c.owner_id AND ${which}`.execute(ctx.db);
}

/**
 * SELECT of (account_id, marketplace_id, seller_sku, owner_id, from_day, until_day): who answered for listings from a day until before
 * another one. Listings that nobody ever answered for are missing.
 */
export function ownerSpansSelect({ companyId }: Pick<Ctx, 'companyId'>): RawBuilder<unknown> {
  return sql`
    SELECT account_id, marketplace_id, seller_sku, owner_id, from_day,
           lead(from_day, 1, '9999-12-31') OVER (PARTITION BY account_id, marketplace_id, seller_sku ORDER BY from_day, id) AS until_day
      FROM analysis.listing_owner WHERE company_id = ${companyId}`;
}

/** SELECT of (account_id, marketplace_id, seller_sku): listings that changed hands on a day after `from` and until `to`. */
export function ownersMovedSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  from: string,
  to: string,
): RawBuilder<unknown> {
  return sql`
    SELECT DISTINCT account_id, marketplace_id, seller_sku FROM analysis.listing_owner
     WHERE company_id = ${companyId} AND from_day > ${from}::date AND from_day <= ${to}::date`;
}
