import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { emit } from '#kit/server/events.ts';
import { fileOf } from '#kit/server/files.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { enqueueFeed } from './job.ts';
import { mayRetry, requireFeed } from './list.ts';
import { feedRetried, type MessageWish, planFeed } from './plan.ts';
import { leaveUnknown, tellEnd } from './result.ts';

const RESOURCE = 'marketplace.feed';

/** Calls a feed back: at once before it was handed in, else as long as the marketplace has not begun with it. */
export async function cancel(ctx: Ctx, id: string): Promise<void> {
  const row = await requireFeed(ctx, id);
  const { rows } = await sql<{ status: string; origin: string; account_id: string; marketplace_id: string }>`
    UPDATE marketplace.feed
       SET status = CASE WHEN status = 'submitted' THEN status ELSE 'cancelled' END, cancel_wanted = true,
           gathering = false,
           finished_at = CASE WHEN status = 'submitted' THEN NULL ELSE kit.now() END
     WHERE company_id = ${ctx.companyId} AND id = ${id} AND status IN ('planned', 'uploaded', 'submitted')
    RETURNING status, origin, account_id, marketplace_id`.execute(ctx.db);
  const [now] = rows;
  if (!now) throw conflict('正在提交或已经结束，不能撤销');
  if (now.status === 'submitted') await enqueueFeed(ctx, id);
  else {
    await leaveUnknown(ctx, { id }, '提交前撤销', false);
    await tellEnd(ctx, { id, ...now }, false);
  }
  await audit(ctx, { action: '撤销数据提交', resource: RESOURCE, resourceId: id, before: { status: row.status } });
}

/** Sends what has been gathered without waiting for the pause to be over. @throws 409 where it has left already */
export async function hurry(ctx: Ctx, id: string): Promise<void> {
  await requireFeed(ctx, id);
  const row = await ctx.db
    .updateTable('marketplace.feed')
    .set({ urgent: true, next_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('status', '=', 'planned')
    .where('released_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw conflict('正在提交或已经结束');
  await enqueueFeed(ctx, id);
  await audit(ctx, { action: '立即提交数据', resource: RESOURCE, resourceId: id });
}

/** Sends what was refused or has no known result once more. @throws 409 where there is nothing such */
export async function retry(ctx: Ctx, id: string): Promise<{ id: string; messages: number }> {
  const row = await requireFeed(ctx, id);
  if (!mayRetry(row)) throw conflict('只有失败或有被拒绝的提交可以重试');
  const failed = await ctx.db
    .selectFrom('marketplace.feed_message')
    .select(['message_id', 'sku', 'body', 'before', 'after'])
    .where('company_id', '=', ctx.companyId)
    .where('feed_id', '=', id)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['refused', 'unknown']),
        // Given up before it was sent. One that a newer wish replaced has no problem, and stays out.
        eb.and([eb('state', '=', 'dropped'), eb('problem', 'is not', null), eb.val(row.status === 'failed')]),
      ]),
    )
    .orderBy('message_id')
    .execute();
  if (failed.length === 0) throw conflict('没有可以重试的修改');
  const known = await ctx.db
    .selectFrom('marketplace.feed')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('retry_of', '=', id)
    .executeTakeFirst();
  if (known) throw conflict('已经重试过，请查看新的提交');
  const { origin } = await ctx.db
    .selectFrom('marketplace.feed')
    .select('origin')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const messages = failed.map(
    ({ sku, body, before, after }): MessageWish => ({ sku, body: body as object, before, after }),
  );
  const { feedId: to } = await planFeed(ctx, {
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    feedType: row.feed_type,
    origin,
    title: row.title,
    messages,
    retryOf: id,
  });
  const numbers = failed.map(({ message_id: old }, index) => ({ old, now: index + 1 }));
  await emit(ctx, feedRetried, { origin, from: id, to, messages: numbers });
  await audit(ctx, {
    action: '重试数据提交',
    resource: RESOURCE,
    resourceId: id,
    after: { to, messages: messages.length },
  });
  return { id: to, messages: messages.length };
}

/** The bytes as sent, or the processing report as it came. @throws 404 */
export async function feedFile(ctx: Ctx, id: string, which: 'sent' | 'result'): Promise<FileReply> {
  const row = await requireFeed(ctx, id);
  const fileId = which === 'sent' ? row.input_file_id : row.result_file_id;
  if (fileId === null) throw notFound(which === 'sent' ? '文件还没有上传' : '还没有处理报告');
  const file = await fileOf(ctx, fileId);
  return new FileReply(file.name, file.media_type, ctx.runtime.files.open(ctx.companyId, file.sha256));
}
