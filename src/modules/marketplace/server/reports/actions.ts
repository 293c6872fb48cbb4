import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { fileOf } from '#kit/server/files.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { reviveReports } from './plan.ts';

/** Asks for a report once more that failed, waits after a failure, or came back empty. */
export async function retry(ctx: Ctx, id: string): Promise<void> {
  const count = await reviveReports(ctx, sql`id = ${id}::uuid`, ['failed', 'empty']);
  if (count === 0) throw conflict('只有失败、无数据或出错等待中的报表可以重新申请');
  await audit(ctx, { action: '重新申请报表', resource: 'marketplace.report', resourceId: id });
}

/** Gives up a report that has not arrived yet; what the marketplace makes of it is not fetched. */
export async function cancel(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .updateTable('marketplace.report_request')
    .set({ status: 'failed', error: '已取消', finished_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('status', 'in', ['planned', 'requested', 'ready', 'downloaded'])
    .returning('id')
    .executeTakeFirst();
  if (!row) throw conflict('报表任务已结束');
  await audit(ctx, { action: '取消报表任务', resource: 'marketplace.report', resourceId: id });
}

/** The bytes of a report as they came. */
export async function documentFile(ctx: Ctx, documentId: string): Promise<FileReply> {
  const row = await ctx.db
    .selectFrom('marketplace.report_document')
    .select(['file_id', 'report_type'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (!row) throw notFound('报表文件不存在');
  const file = await fileOf(ctx, row.file_id);
  return new FileReply(file.name, file.media_type, ctx.runtime.files.open(ctx.companyId, file.sha256));
}
