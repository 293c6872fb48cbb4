import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { takeOfApplication } from '../application/notice.ts';
import { LIVE_STATUSES } from '../auth/accounts.ts';
import { handleNotification } from './handle.ts';
import { deleteMessages, type QueueMessage, queueOf, RECEIVE_AT_ONCE, receiveMessages } from './queue.ts';
import { type Notification, readNotification } from './read.ts';
import { noticeReaders } from './readers.ts';

/** One run of the job takes off so many messages at most, and queues itself again. */
const BATCHES = 20;
const KEPT_DAYS = 14;

interface Owner {
  company_id: string;
  account_id: string;
}

/** The account that a notification is about, by its seller or else by its subscription; it works for one company only. */
async function ownersOf(runtime: Runtime, { sellerId, subscriptionId }: Notification): Promise<Owner[]> {
  return inSystem(runtime, async (db) => {
    const about =
      sellerId === undefined
        ? sql`(a.company_id, a.id) IN (SELECT s.company_id, s.account_id FROM marketplace.subscription AS s
                                        WHERE s.subscription_id = ${subscriptionId ?? ''})`
        : sql`a.selling_partner_id = ${sellerId}`;
    const { rows } = await sql<Owner>`
      SELECT a.company_id, a.id AS account_id FROM marketplace.seller_account AS a
       WHERE ${about} AND a.status = ANY (${[...LIVE_STATUSES]}::text[])`.execute(db);
    return rows;
  });
}

/** Writes a notification down; false where it has come before and was dealt with. */
async function keep(ctx: Ctx, told: Notification, accountId: string): Promise<boolean> {
  const isRead = extensionsOf(ctx.runtime.modules, noticeReaders).some(({ type }) => type === told.type);
  const payload = isRead ? JSON.stringify(told.payload) : null;
  const { rows } = await sql<{ state: string }>`
    INSERT INTO marketplace.notification AS n
      (company_id, notification_id, account_id, type, event_at, subject, payload)
    VALUES (${ctx.companyId}, ${told.id}, ${accountId}, ${told.type}, ${told.eventAt}, ${told.subject}, ${payload}::jsonb)
    ON CONFLICT (company_id, notification_id) DO UPDATE SET deliveries = n.deliveries + 1
    RETURNING state`.execute(ctx.db);
  return rows[0]?.state === 'received';
}

async function settle(ctx: Ctx, id: string, state: string, outcome: string): Promise<void> {
  await ctx.db
    .updateTable('marketplace.notification')
    .set({ state, outcome: outcome.slice(0, 500) })
    .where('company_id', '=', ctx.companyId)
    .where('notification_id', '=', id)
    .execute();
}

/** Deals with a notification once more in the caller's transaction; false where there is none. */
export async function dealAgain(ctx: Ctx, id: string): Promise<boolean> {
  const told = await ctx.db
    .selectFrom('marketplace.notification')
    .select(['type', 'subject', 'account_id', 'event_at', 'payload'])
    .where('company_id', '=', ctx.companyId)
    .where('notification_id', '=', id)
    .executeTakeFirst();
  if (!told) return false;
  const { state, outcome } = await handleNotification(ctx, told);
  await settle(ctx, id, state, outcome);
  return true;
}

/** Deals with a notification that is written down; one that cannot be dealt with keeps the reason. */
export async function dealWith(runtime: Runtime, companyId: string, id: string): Promise<void> {
  const principal = systemPrincipal(companyId);
  try {
    await inTenant(runtime, principal, (ctx) => dealAgain(ctx, id));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await inTenant(runtime, principal, (ctx) => settle(ctx, id, 'failed', reason));
  }
}

/** The number first, then what follows, and only then the message goes: a kill in between repeats, and loses nothing. */
async function take(runtime: Runtime, message: QueueMessage): Promise<void> {
  if (await takeOfApplication(runtime, message.body)) return;
  const told = readNotification(message.body);
  if (!told) {
    runtime.log.warn({ message: message.id }, 'no notification');
    return;
  }
  for (const { company_id, account_id } of await ownersOf(runtime, told)) {
    const fresh = await inTenant(runtime, systemPrincipal(company_id), (ctx) => keep(ctx, told, account_id));
    if (fresh) await dealWith(runtime, company_id, told.id);
  }
}

/** Takes what waits in the queue, ten at a time. */
export const receiveJob = job<object>('marketplace.receiveNotifications', async (runtime) => {
  const queue = queueOf(runtime);
  if (!queue) return;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const messages = await receiveMessages(queue);
    for (const message of messages) await take(runtime, message);
    await deleteMessages(queue, messages);
    if (messages.length < RECEIVE_AT_ONCE) return;
  }
  await inSystem(runtime, (db) => enqueue({ db }, receiveJob.name, {}, { key: receiveJob.name }));
});

/** Every night: what is older than two weeks goes. */
export const purgeNotifications = job<object>('marketplace.purgeNotifications', async (runtime) => {
  await inSystem(runtime, (db) =>
    db
      .deleteFrom('marketplace.notification')
      .where('received_at', '<', sql<string>`kit.now() - make_interval(days => ${KEPT_DAYS})`)
      .execute(),
  );
});
