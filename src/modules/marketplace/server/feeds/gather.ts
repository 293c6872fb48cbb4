import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueueFeed, MOST_MESSAGES } from './job.ts';
import type { FeedWish } from './plan.ts';

/** A feed waits for this share of the pause for what is wished for in the same breath; so long it can be called back, too. */
const BREATH = 1 / 20;
const TRIES = 5;

/** Where messages went: the feed, and the number that the first of them has in it. */
export interface Place {
  feedId: string;
  first: number;
}

/** Adds to the feed that still takes in. Its row stays locked, so it is not released before the messages are in it. */
async function join(ctx: Ctx, wish: FeedWish): Promise<Place | undefined> {
  const { accountId, marketplaceId, feedType, origin, title, urgent = false } = wish;
  const count = wish.messages.length;
  const { rows } = await sql<Place>`
    UPDATE marketplace.feed
       SET messages = messages + ${count}, urgent = urgent OR ${urgent},
           title = CASE WHEN ${title} = ANY (string_to_array(title, '、')) THEN title ELSE title || '、' || ${title} END,
           created_by_name = CASE WHEN ${ctx.userName} = ANY (string_to_array(created_by_name, '、')) THEN created_by_name
                                  ELSE left(created_by_name || '、' || ${ctx.userName}, 200) END,
           next_at = CASE WHEN ${urgent} THEN kit.now() ELSE next_at END
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND feed_type = ${feedType} AND origin = ${origin} AND gathering AND messages + ${count}::int <= ${MOST_MESSAGES}
    RETURNING id AS "feedId", messages - ${count}::int + 1 AS first`.execute(ctx.db);
  const [place] = rows;
  if (place && urgent) await enqueueFeed(ctx, place.feedId);
  return place;
}

/** A feed that has no room for these takes in nothing more. */
async function closeFull(ctx: Ctx, { accountId, marketplaceId, feedType, origin, messages }: FeedWish): Promise<void> {
  await ctx.db
    .updateTable('marketplace.feed')
    .set({ gathering: false })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('marketplace_id', '=', marketplaceId)
    .where('feed_type', '=', feedType)
    .where('origin', '=', origin)
    .where('gathering', '=', true)
    .where('messages', '>', MOST_MESSAGES - messages.length)
    .execute();
}

/** A new feed; undefined where another transaction has begun one that takes in, too. */
async function begin(ctx: Ctx, wish: FeedWish): Promise<Place | undefined> {
  const { accountId, marketplaceId, feedType, origin, title, messages, retryOf, urgent = false, alone = false } = wish;
  const pause = ctx.runtime.config.feedPauseSec;
  // What is sent once more keeps its own numbers and says which feed it repeats.
  const gathering = retryOf === undefined && !alone;
  const breath = gathering && !urgent ? pause * BREATH : 0;
  const { rows } = await sql<{ id: string; wait: number }>`
    INSERT INTO marketplace.feed
      (company_id, account_id, marketplace_id, feed_type, origin, title, messages, retry_of, gathering, urgent, created_by,
       created_by_name, next_at)
    VALUES (${ctx.companyId}, ${accountId}, ${marketplaceId}, ${feedType}, ${origin}, ${title}, ${messages.length},
            ${retryOf ?? null}, ${gathering}, ${urgent}, ${ctx.userId}, ${ctx.userName},
            CASE WHEN ${urgent} THEN kit.now()
                 ELSE greatest(kit.now() + make_interval(secs => ${breath}),
                               (SELECT max(submitted_at) + make_interval(secs => ${pause}) FROM marketplace.feed
                                 WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
                                   AND feed_type = ${feedType} AND marketplace_id = ${marketplaceId}
                                   AND submitted_at > kit.now() - make_interval(secs => ${pause}))) END)
    ON CONFLICT (company_id, account_id, marketplace_id, feed_type, origin) WHERE gathering DO NOTHING
    RETURNING id, (extract(epoch FROM next_at - kit.now()) * 1000)::float8 AS wait`.execute(ctx.db);
  const [row] = rows;
  if (!row) return undefined;
  await enqueueFeed(ctx, row.id, row.wait > 0 ? new Date(ctx.runtime.clock.ms() + row.wait) : undefined);
  return { feedId: row.id, first: 1 };
}

/** Finds room for the messages of a wish: in the feed of the site that still takes in, or in a new one. */
export async function placeFor(ctx: Ctx, wish: FeedWish): Promise<Place> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const joined = wish.retryOf === undefined && !wish.alone ? await join(ctx, wish) : undefined;
    if (joined) return joined;
    await closeFull(ctx, wish);
    const begun = await begin(ctx, wish);
    if (begun) return begun;
  }
  throw new Error('no feed takes the messages in');
}
