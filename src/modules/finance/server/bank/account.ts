import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';

export const RESOURCE = 'finance.bankLine';

/** An account of the company. @throws refused B0903 for one that does not exist */
export async function accountOf(ctx: Ctx, id: string): Promise<{ id: string; name: string; currency: string }> {
  const row = await ctx.db
    .selectFrom('finance.cash_account')
    .select(['id', 'name', 'currency'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw refused('账户不存在或已删除', 'B0903');
  return row;
}

/**
 * Statements of one account come in and are matched one after the other. Taken after everything else that a transaction
 * holds: documents, requests and parties come first.
 */
export async function lockBank(ctx: Ctx, account: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('finance.bank:' || ${ctx.companyId}::text || ${account}, 0))`.execute(
    ctx.db,
  );
}
