import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** From now on the transaction sees the rows of this company. The caller's own is entered again in the same way. */
export async function enterCompany(ctx: Pick<Ctx, 'db'>, companyId: string): Promise<void> {
  await sql`SELECT set_config('app.company_id', ${companyId}, true)`.execute(ctx.db);
}
