import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { MARKETPLACES, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { ClaimWindow } from '../../contract/claim/claim.ts';

/** Days after closing in which claims are taken where the company says nothing else: sources disagree, this is the shortest. */
export const CLAIM_DAYS = 60;

/** The window of each marketplace. */
export async function claimWindows(ctx: Ctx): Promise<ClaimWindow[]> {
  const rows = await ctx.db
    .selectFrom('shipping.claim_window')
    .select(['marketplace_id', 'days'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const own = new Map(rows.map((row) => [row.marketplace_id, row.days]));
  return MARKETPLACES.map(({ id }) => ({ marketplaceId: id, days: own.get(id) ?? CLAIM_DAYS }));
}

/** Writes the windows of the marketplaces that are named; of one that is named twice the last counts. */
export async function putClaimWindows(ctx: Ctx, windows: readonly ClaimWindow[]): Promise<ClaimWindow[]> {
  const each = [...new Map(windows.map((one) => [one.marketplaceId, one])).values()];
  const unknown = each.find((one) => !marketplaceOf(one.marketplaceId));
  if (unknown) throw refused(`站点 ${unknown.marketplaceId} 不存在`, 'B1333');
  const before = await claimWindows(ctx);
  await sql`
    INSERT INTO shipping.claim_window (company_id, marketplace_id, days)
    SELECT ${ctx.companyId}, r."marketplaceId", r.days
      FROM jsonb_to_recordset(${JSON.stringify(each)}::jsonb) AS r("marketplaceId" text, days int)
    ON CONFLICT (company_id, marketplace_id) DO UPDATE SET days = excluded.days`.execute(ctx.db);
  const after = await claimWindows(ctx);
  const was = new Map(before.map((one) => [one.marketplaceId, one.days]));
  const changed = after.filter((one) => was.get(one.marketplaceId) !== one.days);
  await audit(ctx, {
    action: '修改索赔期限',
    resource: 'shipping.claimWindow',
    before: changed.map((one) => ({ ...one, days: was.get(one.marketplaceId) })),
    after: changed,
  });
  return after;
}
