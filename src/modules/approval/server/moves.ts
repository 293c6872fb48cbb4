import { sql } from 'kysely';
import { type Extension, extend } from '#kit/server/extension.ts';
import { chartOf, handovers, rowMoves } from '#modules/identity/server/index.ts';

/** What becomes of approvals when somebody leaves, and when a company moves into another one. */
export const approvalMoves: Extension[] = [
  extend(handovers, {
    key: 'approval.tasks',
    title: '待审批任务',
    count: async (ctx, from) => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM approval.task
         WHERE company_id = ${ctx.companyId} AND assignee_id = ${from} AND state IN ('pending', 'waiting')`.execute(
        ctx.db,
      );
      return rows[0]?.n ?? 0;
    },
    // Who takes over decides in the leaver's place; one who is asked in the same step already keeps his own task only.
    move: async (ctx, from, to) => {
      const name = (await chartOf(ctx)).members.get(to)?.name ?? '';
      const { rows } = await sql<{ id: string }>`
        UPDATE approval.task AS t SET assignee_id = ${to}, principal_id = coalesce(t.principal_id, ${from}::uuid),
               principal_name = coalesce(t.principal_name, t.assignee_name),
               assignee_name = ${name}
         WHERE t.company_id = ${ctx.companyId} AND t.assignee_id = ${from} AND t.state IN ('pending', 'waiting')
        RETURNING t.id`.execute(ctx.db);
      return rows.length;
    },
  }),
  extend(rowMoves, { table: 'approval.flow', title: '审批流程', clash: { rename: 'name' } }),
  extend(rowMoves, { table: 'approval.setting', clash: 'target' }),
];
