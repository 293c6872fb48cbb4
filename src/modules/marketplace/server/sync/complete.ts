import { sql } from 'kysely';
import { extensionsOf } from '#kit/server/extension.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { reportPlans, streams } from '../streams.ts';

/** Accounts that were opened by a version that knew fewer streams than this one. */
async function incomplete(runtime: Runtime): Promise<{ companyId: string; accountId: string }[]> {
  const codes = [
    ...extensionsOf(runtime.modules, streams),
    ...extensionsOf(runtime.modules, reportPlans).filter((plan) => plan.how !== 'request'),
  ].map((one) => one.code);
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<{ companyId: string; accountId: string }>`
      SELECT c.company_id AS "companyId", c.account_id AS "accountId" FROM marketplace.sync_cursor AS c
       WHERE c.stream = ANY (${codes}::text[])
       GROUP BY 1, 2 HAVING count(DISTINCT c.stream) < ${codes.length} ORDER BY 1, 2`.execute(db);
    return rows;
  });
}

/**
 * Opens accounts again that lack streams or report plans of this version, so that an upgrade alone brings their data.
 * What an account has stays where it is. Returns how many there were.
 */
export async function completeAccounts(runtime: Runtime): Promise<number> {
  const found = await incomplete(runtime);
  await inSystem(runtime, async (db) => {
    for (const account of found) {
      await enqueue({ db }, 'marketplace.openAccount', account, { key: `open:${account.accountId}` });
    }
  });
  return found.length;
}

export const completeJob = job<object>('marketplace.completeAccounts', async (runtime) => {
  await completeAccounts(runtime);
});
