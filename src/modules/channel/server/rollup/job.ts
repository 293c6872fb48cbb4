import { dayAfter } from '#kit/contract/day.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { markAll } from './mark.ts';
import { refreshPace } from './pace.ts';
import { refreshMarked } from './refresh.ts';

const TIMEOUT_MS = 15 * 60_000;
/** Days that are made anew whether or not anything was marked. */
const AUDITED_DAYS = 7;

export const refreshJob = job<{ companyId: string }>('channel.refresh', async (runtime, { companyId }) => {
  await refreshMarked(runtime, companyId);
});

/** The newest days are made anew although nothing was marked, and all windows as of now. */
export async function audit(runtime: Runtime, companyId: string): Promise<void> {
  const principal = systemPrincipal(companyId);
  await inTenant(runtime, principal, (ctx) => markAll(ctx, dayAfter(ctx.clock.today(), -AUDITED_DAYS)));
  await refreshMarked(runtime, companyId);
  await inTenant(runtime, principal, (ctx) => refreshPace(ctx), { timeoutMs: TIMEOUT_MS });
}

/** Every company, some times a day: the windows move with the days of each site, whether or not anything happens. */
export const nightlyJob = job<object>('channel.nightly', async (runtime) => {
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('identity.company').select('company_id').where('status', '=', 'active').execute(),
  );
  for (const { company_id } of companies) await audit(runtime, company_id);
});
