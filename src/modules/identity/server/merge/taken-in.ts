import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inSystem } from '#kit/server/runtime.ts';

/**
 * Companies that the caller's has taken in, also those that they had taken in before, by name. Of them only the log is
 * left.
 */
export async function companiesTakenIn(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const { rows } = await inSystem(
    ctx.runtime,
    (db) =>
      sql<{ id: string; name: string }>`
        WITH RECURSIVE taken AS (
          SELECT company_id AS id, name FROM identity.company WHERE merged_into = ${ctx.companyId}
          UNION SELECT c.company_id, c.name FROM identity.company c JOIN taken t ON c.merged_into = t.id)
        SELECT id, name FROM taken ORDER BY name, id`.execute(db),
    { readOnly: true },
  );
  return rows;
}
