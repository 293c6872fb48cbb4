import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** Codes of locations by id, as they stand on the shelves. */
export async function locationCodes(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; code: string }>`
    SELECT id, code FROM warehouse.location
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...new Set(ids)]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map(({ id, code }) => [id, code]));
}
