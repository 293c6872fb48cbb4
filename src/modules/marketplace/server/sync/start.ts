import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { marketplaceOf } from '../../contract/marketplaces.ts';
import { linkProfiles } from '../ads/start.ts';
import { adsStreams } from '../ads/streams.ts';
import { createSpApi } from '../api/client.ts';
import { AuthLost, ComeBackLater, lacksRole, wordsOf } from '../api/port.ts';
import { accountOf } from '../auth/accounts.ts';
import { switchOffBeyondPlan } from '../auth/site-room.ts';
import { remindOfPlan } from '../reminders.ts';
import { planHistory, reviveReports } from '../reports/plan.ts';
import { reportPlans, streams } from '../streams.ts';
import { joinTurns } from './turn.ts';

interface AccountPayload {
  companyId: string;
  accountId: string;
}

/** Makes the streams in these states due at once, and asks anew for the reports that failed. */
async function resume(ctx: Ctx, accountId: string, states: readonly string[]): Promise<void> {
  await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({ state: 'ready', not_before: sql`kit.now()`, attempts: 0, last_error: null })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('state', 'in', states)
    .execute();
  await reviveReports(ctx, sql`account_id = ${accountId}::uuid`);
}

/** Queues the first look at an account, or another one after a new consent or at a user's wish. */
export async function startAccount(ctx: Ctx, accountId: string): Promise<void> {
  await resume(ctx, accountId, ['blocked_auth', 'blocked_role', 'dead', 'suspended', 'ready']);
  await enqueue(
    ctx,
    'marketplace.openAccount',
    { companyId: ctx.companyId, accountId },
    { key: `open:${accountId}`, priority: -20 },
  );
}

/**
 * Reads everything of an account now. A stream that lacked a role or gave up is tried once more, because only that can
 * show whether the cause is gone; without a consent there is nothing to try.
 */
export async function syncAtOnce(ctx: Ctx, accountId: string): Promise<void> {
  const opened = await ctx.db
    .selectFrom('marketplace.sync_cursor')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  if (!opened) return startAccount(ctx, accountId);
  await resume(ctx, accountId, ['blocked_role', 'dead', 'ready']);
  await enqueueDue(ctx, accountId);
}

interface Participation {
  marketplace: { id: string };
  participation: { isParticipating: boolean; hasSuspendedListings: boolean };
  storeName?: string;
}

/**
 * Whether Amazon lets an account sell there: it also tells places where orders of other shops are fulfilled ("Non-Amazon US"),
 * of which nothing can be read.
 */
const sellsAt = ({ marketplace, participation }: Participation) =>
  participation.isParticipating && marketplaceOf(marketplace.id) !== undefined;

/** Writes where an account sells, and switches those new sites off that the company's plan has no room for. */
async function writeParticipations(ctx: Ctx, accountId: string, rows: readonly Participation[]): Promise<void> {
  if (rows.length === 0) return;
  const before = await ctx.db
    .selectFrom('marketplace.seller_marketplace')
    .select('marketplace_id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .execute();
  const known = new Set(before.map((row) => row.marketplace_id));
  await ctx.db
    .insertInto('marketplace.seller_marketplace')
    .values(
      rows.map((row) => ({
        company_id: ctx.companyId,
        account_id: accountId,
        marketplace_id: row.marketplace.id,
        store_name: row.storeName ?? '',
        is_participating: sellsAt(row),
        has_suspended_listings: row.participation.hasSuspendedListings,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'account_id', 'marketplace_id']).doUpdateSet((eb) => ({
        store_name: eb.ref('excluded.store_name'),
        is_participating: eb.ref('excluded.is_participating'),
        has_suspended_listings: eb.ref('excluded.has_suspended_listings'),
      })),
    )
    .execute();
  const found = rows.flatMap((row) => (sellsAt(row) && !known.has(row.marketplace.id) ? [row.marketplace.id] : []));
  const off = await switchOffBeyondPlan(ctx, accountId, found);
  if (off.length > 0) await remindOfPlan(ctx, accountId, off);
}

/** A cursor for every stream of the account (and of each of its marketplaces); existing ones stay where they are. */
async function ensureCursors(ctx: Ctx, accountId: string, marketplaceIds: readonly string[]): Promise<void> {
  const { modules, config } = ctx.runtime;
  const plans = extensionsOf(modules, reportPlans).filter((plan) => plan.how !== 'request');
  const background = new Set(plans.flatMap((plan) => (plan.inBackground ? [plan.code] : [])));
  const wanted = [
    ...extensionsOf(modules, streams).flatMap((stream) =>
      stream.scope === 'account' ? [[stream.code, '']] : marketplaceIds.map((id) => [stream.code, id]),
    ),
    ...plans.map((plan) => [plan.code, '']),
  ] as [string, string][];
  if (wanted.length === 0) return;
  await joinTurns(ctx);
  await ctx.db
    .insertInto('marketplace.sync_cursor')
    .values(
      wanted.map(([stream, marketplaceId]) => ({
        company_id: ctx.companyId,
        account_id: accountId,
        stream,
        marketplace_id: marketplaceId,
        ...(background.has(stream)
          ? { not_before: sql<string>`kit.now() + make_interval(secs => ${config.backgroundDelaySec})` }
          : {}),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Queues every cursor of the account that is due. */
async function enqueueDue(ctx: Pick<Ctx, 'db' | 'companyId' | 'runtime'>, accountId: string): Promise<void> {
  const cursors = await ctx.db
    .selectFrom('marketplace.sync_cursor')
    .select(['id', 'stream'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('state', '=', 'ready')
    .where('not_before', '<=', sql<string>`kit.now()`)
    .execute();
  for (const cursor of cursors) {
    await enqueue(
      ctx,
      'marketplace.sync',
      { companyId: ctx.companyId, cursorId: cursor.id },
      { key: `sync:${cursor.id}`, priority: priorityOf(ctx.runtime, cursor.stream) },
    );
  }
}

/** Priority of a stream or report plan by its code. */
export function priorityOf(runtime: Runtime, code: string): number {
  const { modules } = runtime;
  const all = [
    ...extensionsOf(modules, streams),
    ...extensionsOf(modules, reportPlans),
    ...extensionsOf(modules, adsStreams),
  ];
  return all.find((entry) => entry.code === code)?.priority ?? 0;
}

/** A role that is missing is asked for again after so long, or at once with a new consent. */
const ROLE_RETRY_MS = 60 * 60_000;

/** What the store's page says of an account that cannot even be opened. */
async function noteProblem(ctx: Ctx, accountId: string, problem: string | null): Promise<void> {
  await ctx.db
    .updateTable('marketplace.seller_account')
    .set({ last_auth_error: problem })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', accountId)
    .execute();
}

/** First job of an account: which marketplaces it sells in; then its cursors and the requests for its history. */
export const openAccount = job<AccountPayload>('marketplace.openAccount', async (runtime, { companyId, accountId }) => {
  const principal = systemPrincipal(companyId);
  const account = await inTenant(runtime, principal, (ctx) => accountOf(ctx.db, companyId, accountId));
  if (!account) return;
  const usage = { calls: 0, throttled: 0 };
  try {
    const { body } = await createSpApi(runtime, account, usage).call<{ payload: Participation[] }>({
      operation: 'getMarketplaceParticipations',
      method: 'GET',
      path: '/sellers/v1/marketplaceParticipations',
    });
    await inTenant(runtime, principal, async (ctx) => {
      await noteProblem(ctx, accountId, null);
      await writeParticipations(ctx, accountId, body.payload);
      const known = await accountOf(ctx.db, companyId, accountId);
      if (!known) return;
      await ensureCursors(ctx, accountId, known.marketplaceIds);
      await linkProfiles(ctx, accountId);
      await planHistory(ctx, known);
      await enqueueDue(ctx, accountId);
    });
  } catch (error) {
    if (error instanceof AuthLost) return;
    if (!(error instanceof ComeBackLater) && !lacksRole(error)) throw error;
    const afterMs = error instanceof ComeBackLater ? error.afterMs : ROLE_RETRY_MS;
    await inTenant(runtime, principal, (ctx) => noteProblem(ctx, accountId, wordsOf(error)));
    const runAt = new Date(runtime.clock.ms() + afterMs);
    await inSystem(runtime, (db) =>
      enqueue({ db }, 'marketplace.openAccount', { companyId, accountId }, { key: `open:${accountId}`, runAt }),
    );
  }
});
