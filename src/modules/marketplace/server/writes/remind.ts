import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { kindOf } from './kinds.ts';

const EVENT = 'marketplace.writeFailed';
const HOUR = 'yyyy-MM-ddThh'.length;

/**
 * Tells whoever had something sent that it did not succeed: he has long left the page. Of one sort once an hour, however
 * many fail; the list of writes has all of them.
 */
export async function remindOfWrite(ctx: Ctx, writeId: string, problem: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('marketplace.write')
    .select(['kind', 'subject', 'created_by'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', writeId)
    .executeTakeFirst();
  if (!row?.created_by) return;
  const title = kindOf(ctx.runtime.modules, row.kind)?.title ?? '接口提交';
  await remind(ctx, {
    to: [row.created_by],
    title: `${title}未成功：${row.subject}`,
    content: `${problem}\n一小时内同类的其他失败不再逐条提醒，请在「接口提交」查看。`,
    event: EVENT,
    documentType: 'write',
    documentId: writeId,
    dedupeKey: `${EVENT}:${row.kind}:${row.created_by}:${ctx.runtime.clock.now().toISOString().slice(0, HOUR)}`,
  });
}
