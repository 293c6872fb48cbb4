import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';

/** What a job of one account, or of all accounts of a company, is told. */
export interface PerAccount {
  companyId: string;
  /** All accounts where left out. */
  accountId?: string;
}

/** Does work for one account or all of a company, each in a transaction of its own, so that one lock is held at a time. */
export async function eachAccount(
  runtime: Runtime,
  { companyId, accountId }: PerAccount,
  work: (ctx: Ctx, accountId: string) => Promise<unknown>,
): Promise<void> {
  const principal = systemPrincipal(companyId, '系统');
  const accounts = accountId
    ? [accountId]
    : await inTenant(runtime, principal, async (ctx) => {
        const { rows } = await sql<{ id: string }>`
          SELECT id FROM marketplace.seller_account WHERE company_id = ${companyId} ORDER BY id`.execute(ctx.db);
        return rows.map(({ id }) => id);
      });
  for (const id of accounts) await inTenant(runtime, principal, (ctx) => work(ctx, id));
}
