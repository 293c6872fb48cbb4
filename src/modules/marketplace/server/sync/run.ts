import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { createSpApi, type Usage } from '../api/client.ts';
import { NotReadyYet, OutOfCalls, type SpApi } from '../api/port.ts';
import { accountOf } from '../auth/accounts.ts';
import { remindOfBlock } from '../reminders.ts';
import { type FoundReports, lookForReports } from '../reports/look.ts';
import { snapshotRequest } from '../reports/snapshot.ts';
import { windowRequests } from '../reports/window.ts';
import { marketplaceNow } from '../settings.ts';
import {
  type AccountRef,
  type Fetched,
  type ReachingPlan,
  type ReportPlan,
  reaching,
  reachOf,
  reportPlans,
  type StreamDef,
} from '../streams.ts';
import { claim, heldUntil, keepAlive, type Lease, LeaseLost, release } from './cursor.ts';
import { afterFailure } from './failure.ts';
import { fetchOf } from './fetch.ts';
import { recordRun } from './record.ts';
import { priorityOf } from './start.ts';
import { nextWindow, type Window } from './window.ts';

async function enqueueNext(ctx: Ctx, lease: Lease, at: Date): Promise<void> {
  await enqueue(
    ctx,
    'marketplace.sync',
    { companyId: ctx.companyId, cursorId: lease.id },
    { key: `sync:${lease.id}`, runAt: at, priority: priorityOf(ctx.runtime, lease.stream) },
  );
}

interface StreamWork {
  def: Omit<StreamDef, 'scope' | 'fetch'>;
  account: AccountRef;
  lease: Lease;
  usage: Usage;
  startedAt: Date;
  fetch: (window: Window) => Promise<Fetched>;
}

async function runStream(runtime: Runtime, work: StreamWork): Promise<void> {
  const { def, account, lease, usage, startedAt, fetch } = work;
  const principal = systemPrincipal(account.companyId);
  const reach = { ...def, historySec: reachOf(def.historySec, runtime) };
  const window = nextWindow(reach, lease.watermark, await marketplaceNow(runtime));
  if (!window) {
    const at = new Date(runtime.clock.ms() + def.safetyLagSec * 1000);
    await inTenant(runtime, principal, async (ctx) => {
      await release(ctx, lease, { notBefore: at, behind: false });
      await enqueueNext(ctx, lease, at);
    });
    return;
  }
  const fetched = await fetch(window);
  await inTenant(
    runtime,
    principal,
    async (ctx) => {
      const at = new Date(ctx.runtime.clock.ms() + (window.behind ? 0 : def.cadenceSec * 1000));
      // First of all the lease, so that a stale worker writes nothing.
      await release(ctx, lease, {
        watermark: window.to,
        ...(lease.watermark === null ? { firstFrom: window.from } : {}),
        notBefore: at,
        behind: window.behind,
        success: true,
      });
      const counts = await fetched.land(ctx);
      await recordRun(ctx, { ...lease, startedAt }, { window, usage, counts });
      await enqueueNext(ctx, lease, at);
    },
    { timeoutMs: 10 * 60_000 },
  );
}

function foundBy(plan: ReachingPlan, now: Date, watermark: string | null, api: () => SpApi): Promise<FoundReports> {
  if (plan.how === 'list') return lookForReports(api(), plan, watermark, now);
  return Promise.resolve(plan.how === 'window' ? windowRequests(plan, watermark, now) : snapshotRequest(plan, now));
}

async function runPlan(
  runtime: Runtime,
  plan: ReportPlan,
  account: AccountRef,
  lease: Lease,
  usage: Usage,
  startedAt: Date,
): Promise<void> {
  const now = await marketplaceNow(runtime);
  const found = await foundBy(reaching(plan, runtime), now, lease.watermark, () =>
    createSpApi(runtime, account, usage),
  );
  await inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    const at = new Date(ctx.runtime.clock.ms() + plan.cadenceSec * 1000);
    await release(ctx, lease, { watermark: now.toISOString(), notBefore: at, success: true });
    const inserted = await found.land(ctx, account);
    const counts = { rowsIn: found.count, inserted, updated: 0, unchanged: found.count - inserted };
    await recordRun(ctx, { ...lease, startedAt }, { window: undefined, usage, counts });
    await enqueueNext(ctx, lease, at);
  });
}

/** Another worker holds the cursor, or died with it: look again when its lease is over. */
async function comeBackAfterLease(runtime: Runtime, companyId: string, cursorId: string): Promise<void> {
  const until = await heldUntil(runtime, companyId, cursorId);
  if (!until) return;
  const options = { key: `sync:${cursorId}`, runAt: new Date(until.getTime() + 500) };
  await inSystem(runtime, (db) => enqueue({ db }, 'marketplace.sync', { companyId, cursorId }, options), {
    prepared: true,
  });
}

/** One run of one cursor: lease, window, calls, and one transaction that lands the rows and moves the watermark. */
export async function runSync(runtime: Runtime, companyId: string, cursorId: string): Promise<void> {
  const lease = await claim(runtime, companyId, cursorId);
  if (!lease) return comeBackAfterLease(runtime, companyId, cursorId);
  const principal = systemPrincipal(companyId);
  const account = await inTenant(runtime, principal, (ctx) => accountOf(ctx.db, companyId, lease.accountId));
  const plan = extensionsOf(runtime.modules, reportPlans).find((def) => def.code === lease.stream);
  const usage: Usage = { calls: 0, throttled: 0 };
  const stream = account && fetchOf(runtime, account, lease, usage);
  if (!account || (!stream && !plan)) return;
  const startedAt = runtime.clock.now();
  const stopBeating = keepAlive(runtime, companyId, lease);
  try {
    if (stream) await runStream(runtime, { ...stream, account, lease, usage, startedAt });
    else if (plan) await runPlan(runtime, plan, account, lease, usage, startedAt);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    const change = afterFailure(runtime, error, lease.attempts);
    const waits = error instanceof NotReadyYet;
    // Waiting for calls is how a limit is kept, no failure.
    const level = error instanceof OutOfCalls ? 'debug' : 'warn';
    if (!waits) runtime.log[level]({ err: error, stream: lease.stream, account: lease.accountId }, 'sync run failed');
    await inTenant(runtime, principal, async (ctx) => {
      await release(ctx, lease, change);
      if (!waits) await recordRun(ctx, { ...lease, startedAt }, { window: undefined, usage, error });
      if (change.state === 'blocked_auth' || change.state === 'blocked_role') {
        await remindOfBlock(ctx, lease.accountId, change.state, change.error ?? '');
      }
      if (change.state === undefined) await enqueueNext(ctx, lease, change.notBefore);
    }).catch((cause: unknown) => {
      if (!(cause instanceof LeaseLost)) throw cause;
    });
  } finally {
    stopBeating();
  }
}
