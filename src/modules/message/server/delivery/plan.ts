import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { type Addresses, addressesOf, channelsOf } from '#modules/identity/server/index.ts';
import type { OuterChannel } from '../../contract/deliveries.ts';

export const DELIVER = 'message.deliver';

/** Where a channel finds somebody; undefined where it does not. */
export function targetOf(channel: OuterChannel, person: Addresses): string | undefined {
  if (channel === 'email') return person.email ?? undefined;
  if (channel === 'sms') return person.phone ?? undefined;
  return person.account;
}

export interface Way {
  user: string;
  userName: string;
  channel: OuterChannel;
  target: string;
  insteadOf?: OuterChannel;
}

/** Queues ways of a message in the caller's transaction; one that is known is not queued again. */
export async function queueWays(ctx: Ctx, messageId: string, ways: readonly Way[]): Promise<void> {
  if (ways.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    INSERT INTO message.delivery (company_id, message_id, user_id, user_name, channel, target, instead_of)
    SELECT ${ctx.companyId}::uuid, ${messageId}::uuid, w.user_id, w.user_name, w.channel, w.target, w.instead_of
      FROM unnest(${ways.map((way) => way.user)}::uuid[], ${ways.map((way) => way.userName)}::text[],
                  ${ways.map((way) => way.channel)}::text[], ${ways.map((way) => way.target)}::text[],
                  ${ways.map((way) => way.insteadOf ?? null)}::text[])
           AS w (user_id, user_name, channel, target, instead_of)
    ON CONFLICT DO NOTHING RETURNING id`.execute(ctx.db);
  for (const { id } of rows) {
    await enqueue(ctx, DELIVER, { companyId: ctx.companyId, id }, { key: `${DELIVER}:${id}`, maxAttempts: 25 });
  }
}

/**
 * Sends a message to those of its readers who want to hear of its event outside the product, by the channels that they
 * chose and that find them; after the caller's transaction commits.
 */
export async function sendOut(ctx: Ctx, messageId: string, event: string, readers: readonly string[]): Promise<void> {
  const chosen = await channelsOf(ctx, readers, event);
  const outside = [...chosen].filter(([, channels]) => channels.some((channel) => channel !== 'site'));
  if (outside.length === 0) return;
  const people = await addressesOf(
    ctx,
    outside.map(([user]) => user),
  );
  const ways = people.flatMap((person) =>
    (chosen.get(person.id) ?? []).flatMap((channel): Way[] => {
      const target = channel === 'site' ? undefined : targetOf(channel, person);
      return channel === 'site' || target === undefined
        ? []
        : [{ user: person.id, userName: person.name, channel, target }];
    }),
  );
  await queueWays(ctx, messageId, ways);
}
