import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { listingsTouched, offersChanged } from '#modules/listing/server/index.ts';
import { evaluate, evaluateAll } from './evaluate.ts';
import { kindsOf } from './kinds.ts';

const TIMEOUT_MS = 5 * 60_000;
/** Changes within so long are one reason to look. */
const GATHER_MS = 60_000;

/** Has some kinds looked at soon; asked again before that, they are still looked at once. */
export async function lookSoon(ctx: Ctx, kinds: readonly string[], afterMs = GATHER_MS): Promise<void> {
  const runAt = new Date(ctx.runtime.clock.ms() + afterMs);
  for (const kind of kinds) {
    const key = `alert:${ctx.companyId}:${kind}`;
    await enqueue(
      ctx,
      'alert.look',
      { companyId: ctx.companyId, kind },
      { key, keyMode: 'preserve_run_at', queue: key, runAt },
    );
  }
}

export const handlers = [
  on(offersChanged, (ctx) => lookSoon(ctx, ['BUYBOX_LOST', 'RIVAL_PRICE'])),
  on(listingsTouched, (ctx) => lookSoon(ctx, ['BLOCKED'])),
];

export const lookJob = job<{ companyId: string; kind: string }>('alert.look', async (runtime, { companyId, kind }) => {
  await inTenant(
    runtime,
    systemPrincipal(companyId),
    async (ctx) => {
      const known = kindsOf(ctx).get(kind);
      if (known) await evaluate(ctx, known);
    },
    { timeoutMs: TIMEOUT_MS },
  );
});

/** Looks at all kinds of every company that sells: reports come in and days go by without anybody telling it. */
export const sweepJob = job<object>('alert.sweep', async (runtime: Runtime) => {
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('marketplace.seller_account').select('company_id').distinct().execute(),
  );
  for (const { company_id } of companies) {
    try {
      await inTenant(runtime, systemPrincipal(company_id), evaluateAll, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      runtime.log.error({ err: error, companyId: company_id }, 'alerts were not looked at');
    }
  }
});
