import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** Short names of suppliers by id, whatever their state. */
export async function supplierNames(ctx: Ctx): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, short_name AS name FROM supplier.supplier WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.name]));
}
