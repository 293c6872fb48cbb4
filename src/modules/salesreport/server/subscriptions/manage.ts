import { sql } from 'kysely';
import type { ViewContent } from '#kit/contract/list-view.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid, notFound, refused } from '#kit/server/errors.ts';
import { addressesOf, membersWith } from '#modules/identity/server/index.ts';
import { VIEW } from '../../contract/fields.ts';
import { ReportFilter } from '../../contract/report.ts';
import type { Subscription, Timing } from '../../contract/subscriptions.ts';
import { nextDue } from './due.ts';
import { queueMails } from './queue.ts';
import { RESOURCE, type SubscriptionRow, timingOf } from './row.ts';

const MOST = 20;

interface Listed extends SubscriptionRow {
  last: Subscription['last'];
}

/** The caller's subscriptions by name, each with what became of its last due time. */
export async function mine(ctx: Ctx): Promise<Subscription[]> {
  const { rows } = await sql<Listed>`
    SELECT s.*,
           (SELECT jsonb_build_object('at', to_char(d.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                     'state', d.state, 'error', d.error)
              FROM salesreport.delivery AS d
             WHERE d.company_id = s.company_id AND d.subscription_id = s.id
             ORDER BY d.due_at DESC, array_position(ARRAY['failed', 'queued', 'skipped', 'outbox', 'sent'], d.state)
             LIMIT 1) AS last
      FROM salesreport.subscription AS s
     WHERE s.company_id = ${ctx.companyId} AND s.member_id = ${ctx.userId}
     ORDER BY s.name, s.id`.execute(ctx.db);
  const people = await addressesOf(ctx, [...new Set(rows.flatMap((row) => row.recipients))]);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    timing: timingOf(row),
    recipients: row.recipients.map((id) => ({ id, name: names.get(id) ?? '已离开的成员' })),
    isPaused: row.is_paused,
    note: row.note,
    nextAt: row.is_paused ? null : row.next_due_at,
    last: row.last,
  }));
}

/** Members who may see the report and have a proven e-mail address. */
export async function readersOf(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const people = await addressesOf(ctx, await membersWith(ctx, VIEW));
  return people.flatMap(({ id, name, email }) => (email === null ? [] : [{ id, name }]));
}

async function requireReaders(ctx: Ctx, recipients: readonly string[]): Promise<void> {
  const known = new Set((await readersOf(ctx)).map(({ id }) => id));
  if (recipients.every((id) => known.has(id))) return;
  throw invalid([
    { field: 'recipients', title: '收件人', msg: '收件人必须是有查看销售统计权限、且邮箱已验证的公司成员' },
  ]);
}

interface NewSubscription extends Timing {
  name: string;
  content: ViewContent;
  recipients: string[];
}

/** Sets up a subscription and answers its id. @throws AppError B0951; 400 for a recipient or a filter that does not fit */
export async function add(ctx: Ctx, { name, content, recipients, ...timing }: NewSubscription): Promise<string> {
  if (ctx.userId === null) throw notFound();
  if (!ReportFilter.partial().safeParse(content.filter).success)
    throw invalid([{ field: 'content', title: '视图内容', msg: '筛选条件不是销售报表的' }]);
  await requireReaders(ctx, recipients);
  // Two at once must not pass the limit together.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`salesreport|${ctx.userId}`}, 5))`.execute(ctx.db);
  if ((await mine(ctx)).length >= MOST) throw refused(`每人最多${MOST}个报表订阅`, 'B0951');
  const next = nextDue(timing, ctx.clock.zone, ctx.clock.now());
  const { id } = await ctx.db
    .insertInto('salesreport.subscription')
    .values({
      company_id: ctx.companyId,
      member_id: ctx.userId,
      name,
      content: JSON.stringify(content),
      every: timing.every,
      weekday: timing.weekday,
      month_day: timing.monthDay,
      hour: timing.hour,
      recipients: [...new Set(recipients)],
      next_due_at: next.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = { name, ...timing, recipients };
  await audit(ctx, { action: '新建报表订阅', resource: RESOURCE, resourceId: id, after });
  return id;
}

async function own(ctx: Ctx, id: string): Promise<SubscriptionRow> {
  const { rows } = await sql<SubscriptionRow>`
    SELECT * FROM salesreport.subscription
     WHERE company_id = ${ctx.companyId} AND id = ${id} AND member_id = ${ctx.userId} FOR UPDATE`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound('订阅不存在或已删除');
  return row;
}

/** Pauses or resumes; what a pause missed is not caught up on. @throws AppError 404 */
export async function setPaused(ctx: Ctx, id: string, isPaused: boolean): Promise<void> {
  const row = await own(ctx, id);
  const next = nextDue(timingOf(row), ctx.clock.zone, ctx.clock.now()).toISOString();
  await sql`UPDATE salesreport.subscription SET is_paused = ${isPaused}, note = NULL, next_due_at = ${next}::timestamptz
             WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  const action = isPaused ? '暂停报表订阅' : '恢复报表订阅';
  await audit(ctx, { action, resource: RESOURCE, resourceId: id, after: { name: row.name } });
}

/** Queues one mail to the caller. @throws AppError 404; 400 where he has no proven address */
export async function sendNow(ctx: Ctx, id: string): Promise<void> {
  const row = await own(ctx, id);
  await requireReaders(ctx, [row.member_id]);
  await queueMails(ctx, id, ctx.clock.now().toISOString(), [row.member_id]);
  await audit(ctx, { action: '立即发送报表', resource: RESOURCE, resourceId: id, after: { name: row.name } });
}

/** @throws AppError 404 */
export async function remove(ctx: Ctx, id: string): Promise<void> {
  const row = await own(ctx, id);
  await sql`DELETE FROM salesreport.subscription WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await audit(ctx, { action: '删除报表订阅', resource: RESOURCE, resourceId: id, before: { name: row.name } });
}
