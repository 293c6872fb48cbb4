import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** One transaction at a time reckons with the claims of an account; waits for the other to end. */
export async function lockClaims(ctx: Ctx, accountId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`inventory.claims:${ctx.companyId}:${accountId}`}, 0))`.execute(
    ctx.db,
  );
}
