import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/**
 * How fresh facts are: the oldest last success among the cursors of these streams, of the accounts asked for (all where
 * none is named), as an ISO instant. Null while one of them has never succeeded, or where there is none.
 */
export async function freshnessOf(
  ctx: Ctx,
  streams: readonly string[],
  accountIds: readonly string[] = [],
): Promise<string | null> {
  const { rows } = await sql<{ at: string | null; never: number }>`
    SELECT min(last_success_at) AS at, count(*) FILTER (WHERE last_success_at IS NULL) AS never
      FROM marketplace.sync_cursor
     WHERE company_id = ${ctx.companyId} AND stream = ANY(${[...streams]}::text[])
       ${accountIds.length > 0 ? sql`AND account_id = ANY(${[...accountIds]}::uuid[])` : sql``}`.execute(ctx.db);
  const [row] = rows;
  return row && row.never === 0 ? row.at : null;
}
