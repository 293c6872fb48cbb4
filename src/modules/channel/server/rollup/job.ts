import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { markAll } from './mark.ts';
import { readFrom, refreshPace } from './pace.ts';
import { refreshMarked } from './refresh.ts';

const TIMEOUT_MS = 15 * 60_000;

export const refreshJob = job<{ companyId: string }>('channel.refresh', async (runtime, { companyId }) => {
  await inTenant(runtime, systemPrincipal(companyId), refreshMarked, { timeoutMs: TIMEOUT_MS });
});

/** The days that lists look back on are made anew whether or not anything was marked, and the windows as of now. */
export async function audit(ctx: Ctx): Promise<void> {
  await markAll(ctx, readFrom(ctx));
  await refreshMarked(ctx);
  await refreshPace(ctx);
}

/** Every company, some times a day: the windows move with the days of each site, whether or not anything happens. */
export const nightlyJob = job<object>('channel.nightly', async (runtime) => {
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('identity.company').select('company_id').where('status', '=', 'active').execute(),
  );
  for (const { company_id } of companies) {
    await inTenant(runtime, systemPrincipal(company_id), audit, { timeoutMs: TIMEOUT_MS });
  }
});
