import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { reportPlans, streams } from '../streams.ts';

/** Without a consent no stream of the account is read any more: none fails, all wait for the next one. */
export async function blockStreams(ctx: Ctx, accountId: string): Promise<void> {
  // Locked in the order of their ids: workers that end their runs meanwhile hold one each and wait for none.
  const running = ctx.db
    .selectFrom('marketplace.sync_cursor')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('state', 'in', ['ready', 'suspended'])
    .orderBy('id')
    .forUpdate();
  await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({ state: 'blocked_auth' })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', running)
    .execute();
}

/** Ends what runs just now as well: a worker that holds a lease of the account matches no row when it commits. */
export async function stopStreams(ctx: Ctx, accountId: string): Promise<void> {
  await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({ lease_version: sql`lease_version + 1`, lease_until: null, state: 'blocked_auth' })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Streams and regular reports that go on while the marketplace has restricted the account. */
function keptWhileSuspended(ctx: Ctx): string[] {
  const { modules } = ctx.runtime;
  return [...extensionsOf(modules, streams), ...extensionsOf(modules, reportPlans)]
    .filter((entry) => entry.whileSuspended)
    .map((entry) => entry.code);
}

/**
 * The marketplace restricted the account, or lifted that: while it lasts only money and the account's own state are
 * read. Answers whether anything changed.
 */
export async function setSuspended(ctx: Ctx, accountId: string, suspended: boolean): Promise<boolean> {
  const moved = await ctx.db
    .updateTable('marketplace.seller_account')
    .set({
      status: suspended
        ? 'suspended'
        : sql<string>`CASE WHEN expires_at <= kit.now() + interval '30 days' THEN 'expiring' ELSE 'active' END`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', accountId)
    .where('status', 'in', suspended ? ['active', 'expiring'] : ['suspended'])
    .returning('id')
    .executeTakeFirst();
  if (!moved) return false;
  const cursors = ctx.db
    .updateTable('marketplace.sync_cursor')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId);
  if (suspended) {
    const kept = keptWhileSuspended(ctx);
    await cursors
      .set({ state: 'suspended' })
      .where('state', '=', 'ready')
      .where((eb) => eb.not(eb('stream', '=', sql<string>`ANY(${kept}::text[])`)))
      .execute();
  } else {
    await cursors.set({ state: 'ready', not_before: sql`kit.now()` }).where('state', '=', 'suspended').execute();
  }
  return true;
}
