import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import { feedReleasing } from './plan.ts';
import { type FeedState, step } from './step.ts';

/** What Amazon takes of one account within five minutes, whatever sites the feeds are for. */
const MOST_AT_ONCE = 5;

interface Ahead {
  urgent: boolean;
  messages: number;
  /** Feeds of the same site that are on their way out. */
  leaving: number;
  /** Seconds until the pause of the site is over; 0 and less where it is. */
  site_sec: number;
  /** The same for the account as a whole. */
  account_sec: number;
}

async function aheadOf(ctx: Ctx, row: FeedState): Promise<Ahead | undefined> {
  const { id, account_id, marketplace_id, feed_type } = row;
  const pause = sql`make_interval(secs => ${ctx.runtime.config.feedPauseSec})`;
  const others = sql`company_id = ${ctx.companyId} AND account_id = ${account_id} AND feed_type = ${feed_type}`;
  const { rows } = await sql<Ahead>`
    WITH leaving AS (
      SELECT marketplace_id FROM marketplace.feed
       WHERE ${others} AND status IN ('planned', 'uploaded', 'submitting') AND released_at IS NOT NULL AND id <> ${id}
    ), gone AS (
      SELECT marketplace_id, extract(epoch FROM submitted_at + ${pause} - kit.now())::float8 AS rest
        FROM marketplace.feed WHERE ${others} AND submitted_at > kit.now() - ${pause}
    )
    SELECT f.urgent, f.messages, (SELECT count(*) FROM leaving WHERE marketplace_id = ${marketplace_id})::int AS leaving,
           coalesce((SELECT max(rest) FROM gone WHERE marketplace_id = ${marketplace_id}), 0) AS site_sec,
           coalesce((SELECT rest FROM gone ORDER BY rest DESC
                     OFFSET greatest(${MOST_AT_ONCE - 1} - (SELECT count(*) FROM leaving), 0) LIMIT 1), 0) AS account_sec
      FROM marketplace.feed AS f
     WHERE company_id = ${ctx.companyId} AND id = ${id} AND status = 'planned' AND released_at IS NULL
       FOR UPDATE OF f`.execute(ctx.db);
  return rows[0];
}

/**
 * Tells the origin that a feed is about to go. It locks rows of its own before those of the feed, as whoever wishes for a
 * change does. Returns how many messages the feed had before; undefined where it is not waiting any more.
 */
async function announce(ctx: Ctx, { id, account_id, marketplace_id }: FeedState): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.feed')
    .select(['origin', 'messages'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('status', '=', 'planned')
    .where('released_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { origin, messages } = row;
  await emit(ctx, feedReleasing, { feedId: id, origin, accountId: account_id, marketplaceId: marketplace_id });
  return messages;
}

/**
 * Lets a feed go if nothing is before it: of a site one after the other, so that changes arrive in the order of their
 * wishes, and one within the pause unless it is urgent. From then on it takes in nothing more and loses nothing. A feed
 * that has to wait is looked at again when it may go. Returns whether it went.
 */
export async function release(ctx: Ctx, row: FeedState): Promise<boolean> {
  const announced = await announce(ctx, row);
  if (announced === undefined) return false;
  // Two feeds of an account decide one after the other; each sees what the other has decided.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('marketplace.feed ' || ${row.account_id}, 0))`.execute(
    ctx.db,
  );
  const ahead = await aheadOf(ctx, row);
  if (!ahead) return false;
  const waitMs = Math.max(
    // What came in meanwhile has not been told of.
    ahead.leaving > 0 || ahead.messages !== announced ? ctx.runtime.config.retryBaseMs : 0,
    ahead.urgent ? 0 : ahead.site_sec * 1000,
    ahead.account_sec * 1000,
  );
  if (waitMs > 0) {
    await step(ctx, row, { error: null }, waitMs);
    return false;
  }
  return step(ctx, row, { gathering: false, released_at: sql`kit.now()`, error: null }, 0);
}
