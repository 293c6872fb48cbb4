import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { measure } from './accuracy/make.ts';
import { runAccount } from './run.ts';

const RUN = 'forecast.run';

/** Has the forecasts of an account made anew soon; runs of one company come one after the other. */
async function runSoon(ctx: Ctx, accountId: string): Promise<void> {
  const { companyId } = ctx;
  const key = `${RUN}:${accountId}`;
  await enqueue(ctx, RUN, { companyId, accountId }, { key, queue: `${RUN}:${companyId}`, priority: 10 });
}

/** The same for all accounts of the company. Returns how many there are. */
export async function runAll(ctx: Ctx): Promise<number> {
  const accounts = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .execute();
  for (const { id } of accounts) await runSoon(ctx, id);
  return accounts.length;
}

/** One account: past forecasts are held against what was sold, then the new one is made. */
export const runJob = job<{ companyId: string; accountId: string }>(RUN, async (runtime, { companyId, accountId }) => {
  await measure(runtime, companyId, accountId);
  await runAccount(runtime, companyId, accountId);
});

/** Every night, once the day is over in all marketplaces that the sales of the day before are known of. */
export const nightlyJob = job<object>('forecast.nightly', async (runtime) => {
  const companies = await inSystem(runtime, (db) =>
    db.selectFrom('marketplace.seller_account').select('company_id').distinct().execute(),
  );
  for (const { company_id: companyId } of companies) await inTenant(runtime, systemPrincipal(companyId), runAll);
});
