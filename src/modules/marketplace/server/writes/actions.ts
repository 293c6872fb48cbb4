import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { conflict, forbidden } from '#kit/server/errors.ts';
import { emit } from '#kit/server/events.ts';
import { enqueueWrite } from './job.ts';
import { kindOf } from './kinds.ts';
import { mayRetry, requireWrite } from './list.ts';
import { writeEnded, writeRetried } from './plan.ts';

const RESOURCE = 'marketplace.write';

function insistOnRight(ctx: Ctx, kindName: string): void {
  const kind = kindOf(ctx.runtime.modules, kindName);
  if (!kind) throw conflict('这类提交已停用');
  if (!can(ctx, kind.permission)) throw forbidden(kind.permission);
}

/** Calls a write back that has not left. @throws 404; 403 without the right to what it does; 409 where it has left */
export async function cancel(ctx: Ctx, id: string): Promise<void> {
  const row = await requireWrite(ctx, id);
  insistOnRight(ctx, row.kind);
  const gone = await ctx.db
    .updateTable('marketplace.write')
    .set({ state: 'cancelled', problem: '提交前撤销', finished_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .returning('id')
    .executeTakeFirst();
  if (!gone) throw conflict('正在提交或已经结束，不能撤销');
  await emit(ctx, writeEnded, {
    writeId: id,
    kind: row.kind,
    subject: row.subject,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    state: 'cancelled',
    problem: '提交前撤销',
  });
  await audit(ctx, { action: '撤销接口提交', resource: RESOURCE, resourceId: id, after: { subject: row.subject } });
}

/**
 * Sends what was refused or has no known result once more. @throws 404; 403 without the right to what it does; 409 where
 * there is nothing such, the same is on its way, or whoever wished it does not want it any more
 */
export async function retry(ctx: Ctx, id: string): Promise<void> {
  const row = await requireWrite(ctx, id);
  insistOnRight(ctx, row.kind);
  if (!mayRetry(row)) throw conflict('只有被拒绝或结果未知的提交可以重试');
  const { rows } = await sql`
    UPDATE marketplace.write AS w
       SET state = 'planned', attempts = 0, looks = 0, problem = NULL, answer = NULL, sent_at = NULL, finished_at = NULL,
           next_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${id} AND state IN ('refused', 'unknown')
       AND NOT EXISTS (SELECT FROM marketplace.write AS o
                        WHERE o.company_id = w.company_id AND o.account_id = w.account_id AND o.kind = w.kind
                          AND o.subject = w.subject AND o.key = w.key AND o.state IN ('planned', 'sending'))
    RETURNING id`.execute(ctx.db);
  if (rows.length === 0) throw conflict('同样的提交正在进行');
  await emit(ctx, writeRetried, { writeId: id, kind: row.kind, subject: row.subject, accountId: row.account_id });
  await enqueueWrite(ctx, id);
  await audit(ctx, { action: '重试接口提交', resource: RESOURCE, resourceId: id, after: { subject: row.subject } });
}
