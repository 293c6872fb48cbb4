import type { Ctx } from '#kit/server/context.ts';
import { type CronItem, type JobDef, job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { remind } from '#modules/message/server/index.ts';
import { companies } from './companies.ts';
import { checkLedger } from './ledger/checks.ts';
import { feedCrons, feedJob } from './rates/feed/feed.ts';

/**
 * Proves the money ledger of a company, keeps what was found, and tells whoever sees the accounts where it is broken; once
 * a day. Repairs nothing.
 */
export async function proveLedger(ctx: Ctx): Promise<number> {
  const results = await checkLedger(ctx);
  const broken = results.reduce((sum, result) => sum + result.broken, 0);
  await ctx.db
    .insertInto('finance.health_run')
    .values({ company_id: ctx.companyId, results: JSON.stringify(results), broken })
    .execute();
  if (broken > 0) {
    const names = results
      .filter((result) => result.broken > 0)
      .map((result) => `${result.title}（${result.broken} 处）`);
    await remind(ctx, {
      to: { permission: 'fin:account:view' },
      title: `资金账自检发现 ${broken} 处异常`,
      content: `${names.join('；')}。系统不会自行修改任何账目，请联系管理员核对。`,
      event: 'finance.healthBroken',
      dedupeKey: `finance.healthBroken:${ctx.clock.today()}`,
    });
  }
  return broken;
}

/** Proves every company's ledger in the night; one that fails does not keep the others from their turn. */
const health: JobDef = job('finance.health', async (runtime: Runtime) => {
  for (const companyId of await companies(runtime)) {
    try {
      await inTenant(runtime, systemPrincipal(companyId), proveLedger, { timeoutMs: 30 * 60_000 });
    } catch (error) {
      runtime.log.error({ err: error, companyId }, 'money ledger could not be proved');
    }
  }
});

export const jobs: JobDef[] = [health, feedJob];
export const crons: CronItem[] = [{ pattern: '55 18 * * *', job: 'finance.health' }, ...feedCrons];
