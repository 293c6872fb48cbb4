import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { onDays } from '#kit/server/list/days.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { inTenant } from '#kit/server/runtime.ts';
import {
  NOTIFICATION_TYPES,
  type NoticeFilter,
  NoticeRow,
  type QueueState,
  type Subscription,
} from '../../contract/notifications.ts';
import { LIVE_STATUSES, storeNames } from '../auth/accounts.ts';
import { queueOf, waitingMessages } from './queue.ts';
import { dealWith } from './receive.ts';

interface Row {
  notification_id: string;
  account_id: string;
  type: string;
  event_at: string;
  received_at: string;
  state: NoticeRow['state'];
  deliveries: number;
  subject: string;
  outcome: string | null;
}

/** What came, newest first. */
export async function noticePage(ctx: Ctx, request: PageRequest<NoticeFilter>): Promise<PageOf<NoticeRow>> {
  const { received, authid, type, state, subject } = request.filter;
  const stores = await storeNames(ctx);
  let query = ctx.db.selectFrom('marketplace.notification as n').where('n.company_id', '=', ctx.companyId);
  if (authid?.length) query = query.where('n.account_id', 'in', authid);
  if (type?.length) query = query.where('n.type', 'in', type);
  if (state?.length) query = query.where('n.state', 'in', state);
  if (subject) query = query.where('n.subject', '=', subject);
  if (received) query = query.where(onDays('n.received_at', received));
  return page<Row, NoticeRow>(ctx, request, {
    row: NoticeRow,
    query: listQuery(
      query.select([
        'n.notification_id',
        'n.account_id',
        'n.type',
        'n.event_at',
        'n.received_at',
        'n.state',
        'n.deliveries',
        'n.subject',
        'n.outcome',
      ]),
    ),
    sort: { receivedAt: 'n.received_at', eventAt: 'n.event_at', type: 'n.type', deliveries: 'n.deliveries' },
    order: [['n.received_at', 'desc']],
    key: 'n.notification_id',
    map: (row) => ({
      id: row.notification_id,
      receivedAt: row.received_at,
      store: stores.get(row.account_id) ?? '',
      type: row.type,
      subject: row.subject,
      state: row.state,
      outcome: row.outcome,
      eventAt: row.event_at,
      deliveries: row.deliveries,
    }),
  });
}

/** Every live account with every kind of event: whether it is subscribed to, and what came of it. */
export async function subscriptionList(ctx: Ctx): Promise<Subscription[]> {
  const types = Object.keys(NOTIFICATION_TYPES);
  const stores = await storeNames(ctx);
  const { rows } = await sql<{
    account_id: string;
    region: Subscription['region'];
    type: Subscription['type'];
    since: string | null;
    last: string | null;
    day: number;
    failed: number;
  }>`
    SELECT a.id AS account_id, a.region, t.type, s.created_at AS since, n.last, coalesce(n.day, 0) AS day,
           coalesce(n.failed, 0) AS failed
      FROM marketplace.seller_account AS a CROSS JOIN unnest(${types}::text[]) AS t(type)
      LEFT JOIN marketplace.subscription AS s
        ON s.company_id = a.company_id AND s.account_id = a.id AND s.type = t.type
      LEFT JOIN (SELECT account_id, type, max(received_at) AS last,
                        (count(*) FILTER (WHERE received_at > kit.now() - interval '1 day'))::int AS day,
                        (count(*) FILTER (WHERE state = 'failed'))::int AS failed
                   FROM marketplace.notification WHERE company_id = ${ctx.companyId} GROUP BY 1, 2) AS n
        ON n.account_id = a.id AND n.type = t.type
     WHERE a.company_id = ${ctx.companyId} AND a.status = ANY (${[...LIVE_STATUSES]}::text[])
     ORDER BY a.created_at, a.id, t.type`.execute(ctx.db);
  return rows.map((row) => ({
    authid: row.account_id,
    store: stores.get(row.account_id) ?? '',
    region: row.region,
    type: row.type,
    subscribedAt: row.since,
    lastAt: row.last,
    dayCount: row.day,
    failed: row.failed,
  }));
}

/** Whether a queue is configured, and how much waits in it. The question to the queue holds no transaction open. */
export async function queueState(open: OpenCtx): Promise<QueueState> {
  const queue = queueOf(open.runtime);
  if (!queue) return { configured: false, waiting: null, problem: null };
  try {
    return { configured: true, waiting: await waitingMessages(queue), problem: null };
  } catch (error) {
    return { configured: true, waiting: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Deals with a notification once more. @throws 404 */
export async function replayNotice(open: OpenCtx, id: string): Promise<void> {
  const companyId = await inTenant(open.runtime, open.principal, async (ctx) => {
    const found = await ctx.db
      .selectFrom('marketplace.notification')
      .select('notification_id')
      .where('company_id', '=', ctx.companyId)
      .where('notification_id', '=', id)
      .executeTakeFirst();
    if (!found) throw notFound('通知不存在或已过期');
    await audit(ctx, { action: '重新处理通知', resource: 'marketplace.notification', resourceId: id });
    return ctx.companyId;
  });
  await dealWith(open.runtime, companyId, id);
}
