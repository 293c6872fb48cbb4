import type { Ctx } from '#kit/server/context.ts';
import { requireRoom, roomFor } from '#modules/identity/server/index.ts';

/** Accounts that nobody works with: their sites take no place in the company's plan. */
const AT_REST = ['disabled', 'deleted'];

function sitesInUse(ctx: Ctx) {
  return ctx.db
    .selectFrom('marketplace.seller_marketplace as m')
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'm.company_id').onRef('a.id', '=', 'm.account_id'),
    )
    .where('m.company_id', '=', ctx.companyId)
    .where('m.enabled', '=', true)
    .where('m.is_participating', '=', true);
}

/** Sites that the company works with: switched on, of an account that is neither disabled nor gone. */
export async function countSites(ctx: Ctx): Promise<number> {
  const { n } = await sitesInUse(ctx)
    .where('a.status', 'not in', AT_REST)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * Refuses (B0164) an account that would take the company past the sites of its plan: one that is new, or comes back with
 * the sites that it had, or gets those named in `adding`. An account that works already and gets none passes, so that a
 * consent can be renewed whatever the plan says.
 */
export async function requireSiteRoom(
  ctx: Ctx,
  account: { region: string; sellingPartnerId: string },
  adding: readonly string[] = [],
): Promise<void> {
  const known = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select(['id', 'status'])
    .where('company_id', '=', ctx.companyId)
    .where('region', '=', account.region)
    .where('selling_partner_id', '=', account.sellingPartnerId)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
  const rows = known ? await sitesInUse(ctx).where('a.id', '=', known.id).select('m.marketplace_id').execute() : [];
  const had = new Set(rows.map((row) => row.marketplace_id));
  const works = known !== undefined && !AT_REST.includes(known.status);
  const fresh = new Set(adding.filter((id) => !had.has(id)));
  const more = works ? fresh.size : Math.max(1, had.size + fresh.size);
  if (more > 0) await requireRoom(ctx, 'sites', more);
}

/**
 * Switches those of an account's newly found sites off for which the company's plan has no room, and answers them.
 * Amazon says only after the consent where a seller sells; sites that are in use stay, whatever became of the plan.
 */
export async function switchOffBeyondPlan(ctx: Ctx, accountId: string, found: readonly string[]): Promise<string[]> {
  if (found.length === 0) return [];
  const room = await roomFor(ctx, 'sites');
  if (room >= 0) return [];
  const beyond = found.toSorted().slice(Math.max(0, found.length + room));
  await ctx.db
    .updateTable('marketplace.seller_marketplace')
    .set({ enabled: false })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('marketplace_id', 'in', beyond)
    .execute();
  return beyond;
}
