import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { enqueueReport } from '../reports/plan.ts';
import { streams } from '../streams.ts';

/** What followed from a notification. */
export interface Outcome {
  state: 'done' | 'idle';
  outcome: string;
}

/** A stream that ran a moment ago has seen the event, or sees it with the others of the next minute. */
const REST_SEC = 60;

interface Told {
  type: string;
  subject: string;
  account_id: string;
}

async function wakeReport(ctx: Ctx, { subject, account_id }: Told): Promise<Outcome> {
  const row = await ctx.db
    .updateTable('marketplace.report_request')
    .set({ next_at: sql`now()` })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account_id)
    .where('report_id', '=', subject)
    .where('status', '=', 'requested')
    .returning(['id', 'priority'])
    .executeTakeFirst();
  if (!row) return { state: 'idle', outcome: '没有在等这份报表' };
  await enqueueReport(ctx, row.id, row.priority);
  return { state: 'done', outcome: '报表立即下载' };
}

async function wakeStreams(ctx: Ctx, { type, account_id }: Told): Promise<Outcome> {
  const woken = extensionsOf(ctx.runtime.modules, streams).filter((def) => def.wokenBy?.includes(type));
  if (woken.length === 0) return { state: 'idle', outcome: '没有数据流等待此类通知' };
  const { rows } = await sql<{ id: string; stream: string; not_before: Date }>`
    UPDATE marketplace.sync_cursor AS c
       SET not_before = least(c.not_before, greatest(now(), c.last_success_at + make_interval(secs => ${REST_SEC})))
     WHERE company_id = ${ctx.companyId} AND account_id = ${account_id} AND state = 'ready'
       AND stream = ANY (${woken.map(({ code }) => code)}::text[])
    RETURNING id, stream, not_before`.execute(ctx.db);
  for (const row of rows) {
    const priority = woken.find(({ code }) => code === row.stream)?.priority ?? 0;
    const payload = { companyId: ctx.companyId, cursorId: row.id };
    const runAt = new Date(row.not_before);
    await enqueue(ctx, 'marketplace.sync', payload, { key: `sync:${row.id}`, priority, runAt });
  }
  if (rows.length === 0) return { state: 'idle', outcome: '数据流已暂停或授权失效' };
  return { state: 'done', outcome: `提前同步${woken.map(({ title }) => title).join('、')}` };
}

/**
 * Makes what a notification is about be read soon. It brings no fact itself: what it says is read from the marketplace,
 * so a message that comes twice, late, in another order or never changes nothing but the time.
 */
export function handleNotification(ctx: Ctx, told: Told): Promise<Outcome> {
  return told.type === 'REPORT_PROCESSING_FINISHED' ? wakeReport(ctx, told) : wakeStreams(ctx, told);
}
