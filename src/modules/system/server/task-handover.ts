import type { Ctx } from '#kit/server/context.ts';
import type { Handover } from '#modules/identity/server/index.ts';

/** Long tasks that somebody started, with the files that they made: only their starter sees either. */
export const taskHandover: Handover = {
  key: 'system.tasks',
  title: '长任务与导出文件',
  count: async (ctx: Ctx, from: string) => {
    const { n } = await ctx.db
      .selectFrom('kit.task')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('company_id', '=', ctx.companyId)
      .where('created_by', '=', from)
      .executeTakeFirstOrThrow();
    return n;
  },
  move: async (ctx: Ctx, from: string, to: string) => {
    const moved = await ctx.db
      .updateTable('kit.task')
      .set({ created_by: to })
      .where('company_id', '=', ctx.companyId)
      .where('created_by', '=', from)
      .returning('file_id')
      .execute();
    const files = moved.flatMap((row) => row.file_id ?? []);
    if (files.length > 0) {
      await ctx.db
        .updateTable('kit.file')
        .set({ created_by: to })
        .where('company_id', '=', ctx.companyId)
        .where('id', 'in', files)
        .execute();
    }
    return moved.length;
  },
};
