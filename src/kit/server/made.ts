import { sql } from 'kysely';
import type { Ctx } from './context.ts';

/**
 * Makes something for a company once and for all: what was made is known by its name, not by rows that people may have
 * added or removed. The mark belongs to the caller's transaction, and whoever makes the same meanwhile waits for it.
 * @param make answers false where it can't be made yet: then there is no mark, and the next call tries again
 * @returns whether it is made now, or was before
 */
export async function makeOnce(ctx: Ctx, name: string, make: () => Promise<unknown>): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO kit.made (company_id, name) VALUES (${ctx.companyId}, ${name})
    ON CONFLICT (company_id, name) DO NOTHING RETURNING name`.execute(ctx.db);
  if (rows.length === 0 || (await make()) !== false) return true;
  await sql`DELETE FROM kit.made WHERE company_id = ${ctx.companyId} AND name = ${name}`.execute(ctx.db);
  return false;
}
