import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { memberLeft, membersWith } from '#modules/identity/server/index.ts';
import { SEND } from '../../contract/subscriptions.ts';
import { nextDue } from './due.ts';
import { type SubscriptionRow, timingOf } from './row.ts';

const DUE = 'salesreport.due';
export const DELIVER = 'salesreport.deliver';
const BATCH = 500;
const KEPT_DAYS = 90;

interface Due {
  companyId: string;
  id: string;
  dueAt: string;
}

/** Queues mails of a subscription for a due time, in the caller's transaction; one that is known is not queued again. */
export async function queueMails(ctx: Ctx, id: string, dueAt: string, readers: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO salesreport.delivery (company_id, subscription_id, due_at, member_id)
    SELECT ${ctx.companyId}::uuid, ${id}::uuid, ${dueAt}::timestamptz, r FROM unnest(${[...readers]}::uuid[]) AS r
    ON CONFLICT DO NOTHING RETURNING id`.execute(ctx.db);
  for (const row of rows) {
    await enqueue(ctx, DELIVER, { companyId: ctx.companyId, id: row.id }, { key: `${DELIVER}:${row.id}` });
  }
}

async function pause(ctx: Ctx, id: string, note: string): Promise<void> {
  await sql`UPDATE salesreport.subscription SET is_paused = true, note = ${note}
             WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
}

/** One due time of one subscription: its mails, and when it is due next. A second call of the same time finds nothing to do. */
export const dueJob = job<Due>(DUE, (runtime, { companyId, id, dueAt }) =>
  inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const { rows } = await sql<SubscriptionRow>`
      SELECT * FROM salesreport.subscription
       WHERE company_id = ${companyId} AND id = ${id} AND next_due_at = ${dueAt}::timestamptz AND NOT is_paused
         FOR UPDATE`.execute(ctx.db);
    const [row] = rows;
    if (!row) return;
    // Those who left or were disabled hold no right any more.
    if (!(await membersWith(ctx, SEND)).includes(row.member_id)) {
      return pause(ctx, id, '创建人已离开公司或没有发送报表的权限，已自动暂停');
    }
    await queueMails(ctx, id, dueAt, row.recipients);
    const next = nextDue(timingOf(row), ctx.clock.zone, ctx.clock.now()).toISOString();
    await sql`UPDATE salesreport.subscription SET next_due_at = ${next}::timestamptz
               WHERE company_id = ${companyId} AND id = ${id}`.execute(ctx.db);
    await sql`DELETE FROM salesreport.delivery
               WHERE company_id = ${companyId} AND subscription_id = ${id}
                 AND due_at < kit.now() - make_interval(days => ${KEPT_DAYS}::int)`.execute(ctx.db);
  }),
);

/** Queues whatever is due, each time once, however many processes look. What was missed is sent once, late. */
export function tickMails(runtime: Runtime): Promise<void> {
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<Due>`
      SELECT s.company_id AS "companyId", s.id, s.next_due_at AS "dueAt" FROM salesreport.subscription AS s
       WHERE NOT s.is_paused AND s.next_due_at <= ${runtime.clock.now().toISOString()}::timestamptz
         AND EXISTS (SELECT FROM identity.company AS c WHERE c.company_id = s.company_id AND c.status = 'active')
       ORDER BY s.next_due_at LIMIT ${BATCH}`.execute(db);
    for (const due of rows) await enqueue({ db }, DUE, due, { key: `${DUE}:${due.id}:${due.dueAt}` });
  });
}

export const mailTick = job('salesreport.tick', tickMails);

/** Whoever left sends nothing any more; as a recipient he is passed over. */
export const onMemberLeft = on(memberLeft, async (ctx, { memberId }) => {
  await sql`UPDATE salesreport.subscription SET is_paused = true, note = '创建人已离开公司，已自动暂停'
             WHERE company_id = ${ctx.companyId} AND member_id = ${memberId} AND NOT is_paused`.execute(ctx.db);
});
