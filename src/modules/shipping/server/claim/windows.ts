import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { MARKETPLACES, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { ClaimWindow } from '../../contract/claim/claim.ts';

/** Days after closing in which claims are taken where the company says nothing else: sources disagree, this is the shortest. */
export const CLAIM_DAYS = 60;

const US = 'ATVPDKIKX0DER';
/** Days in which shipments must arrive, US policy (handbook 08, rule 13); other marketplaces have no such limit of their own. */
const US_ARRIVAL = { domesticDays: 45, abroadDays: 75, afterFirstDays: 30 };
const NO_ARRIVAL = { domesticDays: null, abroadDays: null, afterFirstDays: null };

const usual = (marketplaceId: string): ClaimWindow => ({
  marketplaceId,
  days: CLAIM_DAYS,
  ...(marketplaceId === US ? US_ARRIVAL : NO_ARRIVAL),
});

/** The window of each marketplace. */
export async function claimWindows(ctx: Ctx): Promise<ClaimWindow[]> {
  const rows = await ctx.db
    .selectFrom('shipping.claim_window')
    .select([
      'marketplace_id as marketplaceId',
      'days',
      'domestic_days as domesticDays',
      'abroad_days as abroadDays',
      'after_first_days as afterFirstDays',
    ])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const own = new Map(rows.map((row) => [row.marketplaceId, row]));
  return MARKETPLACES.map(({ id }) => own.get(id) ?? usual(id));
}

/** What is left out stays as it is. */
const over = (
  before: ClaimWindow,
  { domesticDays, abroadDays, afterFirstDays, ...said }: ClaimWindow,
): ClaimWindow => ({
  ...said,
  domesticDays: domesticDays === undefined ? before.domesticDays : domesticDays,
  abroadDays: abroadDays === undefined ? before.abroadDays : abroadDays,
  afterFirstDays: afterFirstDays === undefined ? before.afterFirstDays : afterFirstDays,
});

/** Writes the windows of the marketplaces that are named; of one that is named twice the last counts. */
export async function putClaimWindows(ctx: Ctx, windows: readonly ClaimWindow[]): Promise<ClaimWindow[]> {
  const each = [...new Map(windows.map((one) => [one.marketplaceId, one])).values()];
  const unknown = each.find((one) => !marketplaceOf(one.marketplaceId));
  if (unknown) throw refused(`站点 ${unknown.marketplaceId} 不存在`, 'B1333');
  const was = new Map((await claimWindows(ctx)).map((one) => [one.marketplaceId, one]));
  const rows = each.map((one) => over(was.get(one.marketplaceId) ?? usual(one.marketplaceId), one));
  await sql`
    INSERT INTO shipping.claim_window (company_id, marketplace_id, days, domestic_days, abroad_days, after_first_days)
    SELECT ${ctx.companyId}, r."marketplaceId", r.days, r."domesticDays", r."abroadDays", r."afterFirstDays"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r("marketplaceId" text, days int, "domesticDays" int, "abroadDays" int, "afterFirstDays" int)
    ON CONFLICT (company_id, marketplace_id) DO UPDATE
       SET days = excluded.days, domestic_days = excluded.domestic_days, abroad_days = excluded.abroad_days,
           after_first_days = excluded.after_first_days`.execute(ctx.db);
  const after = await claimWindows(ctx);
  const isSame = (one: ClaimWindow, other: ClaimWindow | undefined) =>
    one.days === other?.days &&
    one.domesticDays === other.domesticDays &&
    one.abroadDays === other.abroadDays &&
    one.afterFirstDays === other.afterFirstDays;
  const changed = after.filter((one) => !isSame(one, was.get(one.marketplaceId)));
  await audit(ctx, {
    action: '修改索赔期限',
    resource: 'shipping.claimWindow',
    before: changed.map((one) => was.get(one.marketplaceId)),
    after: changed,
  });
  return after;
}
