import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { event } from '#kit/server/events.ts';
import { type Place, placeFor } from './gather.ts';
import { MOST_MESSAGES } from './job.ts';

/** One message as its origin wishes it; `body` is sent with the number of the message beside it. */
export interface MessageWish {
  sku: string;
  body: object;
  /** Words for people. */
  before: string;
  after: string;
}

export interface FeedWish {
  accountId: string;
  marketplaceId: string;
  /** JSON_LISTINGS_FEED, or the type of a kind that a module offers (`feedKinds`). */
  feedType: string;
  /** Who hears of the results. */
  origin: string;
  title: string;
  messages: readonly MessageWish[];
  /** Does not wait until the pause since the last feed of the site is over, and takes along what waits for that. */
  urgent?: boolean;
  /** Goes as a feed of its own and takes in nothing else. */
  alone?: boolean;
  retryOf?: string;
}

export interface MessageResult {
  messageId: number;
  state: 'dropped' | 'accepted' | 'refused' | 'unknown';
  problem: string | null;
}

/** A feed is over: what became of each of its messages. Nothing was sent where it was called back before that. */
export const feedEnded = event<{
  feedId: string;
  origin: string;
  accountId: string;
  marketplaceId: string;
  sent: boolean;
  results: readonly MessageResult[];
}>('marketplace.feedEnded');

/**
 * A feed is about to be released, in the transaction that does it: the last moment at which its origin may take messages
 * out of it (`dropMessages`).
 */
export const feedReleasing = event<{ feedId: string; origin: string; accountId: string; marketplaceId: string }>(
  'marketplace.feedReleasing',
);

/** Messages go out once more in another feed: numbers in the old one and in the new one. */
export const feedRetried = event<{
  origin: string;
  from: string;
  to: string;
  messages: readonly { old: number; now: number }[];
}>('marketplace.feedRetried');

/**
 * Plans messages in the caller's transaction. They go with what else is wished for at their site within the pause; numbers
 * follow each other in their order.
 */
export async function planFeed(ctx: Ctx, wish: FeedWish): Promise<Place> {
  const { accountId, marketplaceId, title, messages } = wish;
  if (messages.length === 0 || messages.length > MOST_MESSAGES)
    throw new Error(`a feed of ${messages.length} messages`);
  const place = await placeFor(ctx, wish);
  const { feedId, first } = place;
  await sql`
    INSERT INTO marketplace.feed_message (company_id, account_id, feed_id, message_id, sku, body, before, after)
    SELECT ${ctx.companyId}, ${accountId}, ${feedId}, n + ${first}::int - 1, m ->> 'sku', m -> 'body', m ->> 'before',
           m ->> 'after'
      FROM jsonb_array_elements(${JSON.stringify(messages)}::jsonb) WITH ORDINALITY AS t(m, n)`.execute(ctx.db);
  await audit(ctx, {
    action: `提交${title}`,
    resource: 'marketplace.feed',
    resourceId: feedId,
    after: { messages: messages.length, marketplaceId },
  });
  return place;
}

/**
 * Takes messages out of feeds that have not been released yet, because something newer takes their place; what has been
 * sent stays sent. Returns those that went, each as "feed message".
 */
export async function dropMessages(
  ctx: Ctx,
  messages: readonly { feedId: string; messageId: number }[],
): Promise<string[]> {
  if (messages.length === 0) return [];
  const { rows } = await sql<{ key: string }>`
    WITH f AS MATERIALIZED (
      SELECT id FROM marketplace.feed
       WHERE company_id = ${ctx.companyId} AND status = 'planned' AND released_at IS NULL
         AND id = ANY (${[...new Set(messages.map(({ feedId }) => feedId))]}::uuid[]) ORDER BY id FOR UPDATE
    )
    UPDATE marketplace.feed_message AS m SET state = 'dropped'
      FROM jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) AS d("feedId" uuid, "messageId" int), f
     WHERE m.company_id = ${ctx.companyId} AND m.feed_id = d."feedId" AND m.message_id = d."messageId"
       AND f.id = m.feed_id AND m.state = 'waiting'
    RETURNING m.feed_id || ' ' || m.message_id AS key`.execute(ctx.db);
  return rows.map(({ key }) => key);
}
