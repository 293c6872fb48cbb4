import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Handover } from './handover.ts';

interface OpenDocuments {
  /** e.g. "purchase.orders" */
  key: string;
  /** e.g. 未结束的采购单 */
  title: string;
  /** The module's own table "schema.name" with `state`, `created_by` and `created_by_name`. */
  table: string;
  /** States after which nobody has anything more to do. */
  over: readonly string[];
}

/**
 * Documents that somebody made and still answers for. Who takes over is asked and told in his place from then on, and may
 * no more approve them than the leaver could. What is finished keeps the name of who did it, so that reports by person
 * stay as they were; who had begun a document stands in its timeline and in the operation log.
 */
export function openDocuments({ key, title, table, over }: OpenDocuments): Handover {
  const documents = sql.table(table);
  const his = (ctx: Ctx, from: string) =>
    sql`company_id = ${ctx.companyId} AND created_by = ${from} AND state <> ALL (${[...over]}::text[])`;
  return {
    key,
    title,
    count: async (ctx, from) => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM ${documents} WHERE ${his(ctx, from)}`.execute(ctx.db);
      return rows[0]?.n ?? 0;
    },
    move: async (ctx, from, to) => {
      const { numAffectedRows } = await sql`
        UPDATE ${documents} SET created_by = ${to}, created_by_name =
               (SELECT m.name FROM identity.member AS m WHERE m.company_id = ${ctx.companyId} AND m.id = ${to})
         WHERE ${his(ctx, from)}`.execute(ctx.db);
      return Number(numAffectedRows ?? 0);
    },
  };
}
