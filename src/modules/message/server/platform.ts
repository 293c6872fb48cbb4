import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** The company of those who run the product; what it announces goes to all companies. */
export const PLATFORM = '00000000-0000-0000-0000-000000000000';

export function speaksForPlatform(ctx: Pick<Ctx, 'companyId'>): boolean {
  return ctx.companyId === PLATFORM;
}

/**
 * Runs `work` in the same transaction with the reach of the system: rows of all companies in the tables that open
 * themselves to it. Only for the platform's own people; anybody else is a programming error.
 */
export async function acrossCompanies<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  if (!speaksForPlatform(ctx)) throw new Error('only the platform reaches across companies');
  await sql`SET LOCAL app.scope = 'system'`.execute(ctx.db);
  const result = await work();
  // A failed statement ends the transaction, and the setting with it.
  await sql`SET LOCAL app.scope = ''`.execute(ctx.db);
  return result;
}
