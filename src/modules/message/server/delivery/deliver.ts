import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { deliver as handOver, isSetUp } from '#kit/server/messaging/deliver.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { addressesOf } from '#modules/identity/server/index.ts';
import { OUTER_CHANNELS, type OuterChannel } from '../../contract/deliveries.ts';
import { DELIVER, queueWays, targetOf } from './plan.ts';
import { outerMessage } from './wording.ts';

export const TRIES = 3;
/** The first pause is five times the product's own for retries (10 s), later ones four times the one before. */
const PAUSE = 5;
const MAX_ERROR = 300;
/** Tried one after the other where the one before has failed for good. */
const NEXT: Partial<Record<OuterChannel, OuterChannel>> = { email: 'sms', sms: 'email' };

interface Payload {
  companyId: string;
  id: string;
}

interface Waiting {
  id: string;
  channel: OuterChannel;
  target: string;
  attempts: number;
  message_id: string;
  user_id: string;
  instead_of: string | null;
  title: string;
  prefix: string | null;
  content: string;
  over: boolean;
  company: string;
}

async function waitingOne(ctx: Ctx, id: string): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    SELECT d.id, d.channel, d.target, d.attempts, d.message_id, d.user_id, d.instead_of, m.title, m.prefix, m.content,
           m.ended_at IS NOT NULL OR coalesce(m.expires_at <= kit.now(), false) AS over, c.name AS company
      FROM message.delivery d
      JOIN message.message m ON m.company_id = d.company_id AND m.id = d.message_id
      JOIN identity.company c ON c.company_id = d.company_id
     WHERE d.company_id = ${ctx.companyId} AND d.id = ${id} AND d.state = 'queued'`.execute(ctx.db);
  return rows[0];
}

function settle(ctx: Ctx, id: string, state: 'sent' | 'outbox' | 'failed' | 'skipped', error: string | null) {
  return ctx.db
    .updateTable('message.delivery')
    .set({
      state,
      error,
      finished_at: sql<string>`kit.instant()`,
      ...(state === 'skipped' ? {} : { attempts: sql<number>`attempts + 1` }),
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}

/** Another channel for a message that one channel has failed to bring; none where it was itself such a way out. */
async function otherWay(ctx: Ctx, row: Waiting): Promise<void> {
  const channel = row.instead_of === null ? NEXT[row.channel] : undefined;
  const [person] = channel ? await addressesOf(ctx, [row.user_id]) : [];
  const target = channel && person && targetOf(channel, person);
  if (!channel || !target) return;
  await queueWays(ctx, row.message_id, [
    { user: row.user_id, userName: person.name, channel, target, insteadOf: row.channel },
  ]);
}

async function failed(ctx: Ctx, row: Waiting, error: unknown): Promise<void> {
  const words = (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR);
  const attempts = row.attempts + 1;
  if (attempts >= TRIES) {
    await settle(ctx, row.id, 'failed', words);
    await otherWay(ctx, row);
    return;
  }
  await ctx.db
    .updateTable('message.delivery')
    .set({ attempts, error: words })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .where('state', '=', 'queued')
    .execute();
  const pause = ctx.runtime.config.retryBaseMs * PAUSE * 4 ** (attempts - 1);
  await enqueue(
    ctx,
    DELIVER,
    { companyId: ctx.companyId, id: row.id },
    { key: `${DELIVER}:${row.id}:${attempts}`, runAt: new Date(ctx.runtime.clock.ms() + pause) },
  );
}

/**
 * Hands one message over to its channel. A refusal is tried three times, then another channel of the same reader; what
 * came of it is in message.delivery. At least once: a process that dies between the mail server's yes and the receipt
 * sends it again.
 */
export async function deliverOne(runtime: Runtime, { companyId, id }: Payload): Promise<void> {
  const principal = systemPrincipal(companyId);
  const row = await inTenant(runtime, principal, async (ctx) => {
    const found = await waitingOne(ctx, id);
    if (!found) return undefined;
    const reachable = (await addressesOf(ctx, [found.user_id])).length > 0;
    if (!found.over && reachable) return found;
    await settle(ctx, id, 'skipped', found.over ? '消息已撤回或过期' : '接收人已停用或离职');
    return undefined;
  });
  if (!row) return;
  const message = outerMessage(row.channel, row.target, {
    title: `${row.prefix ?? ''}${row.title}`,
    content: row.content,
    companyId,
    companyName: row.company,
    publicUrl: runtime.config.publicUrl,
  });
  try {
    await handOver(runtime, message);
  } catch (error) {
    runtime.log.warn({ err: error, channel: row.channel }, 'message not delivered');
    await inTenant(runtime, principal, (ctx) => failed(ctx, row, error));
    return;
  }
  const sent = isSetUp(runtime, row.channel);
  await inTenant(runtime, principal, (ctx) =>
    settle(
      ctx,
      id,
      sent ? 'sent' : 'outbox',
      sent ? null : `未配置${OUTER_CHANNELS[row.channel]}服务，内容保存在平台发件箱`,
    ),
  );
}

export const deliverJob = job<Payload>(DELIVER, deliverOne);
