import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit, on } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { dropMessages, feedEnded, feedRetried, wakeStream } from '#modules/marketplace/server/index.ts';
import type { SnapshotOf } from '../fact.ts';
import { ORIGIN } from './adjust.ts';
import { remindOfUnconfirmed } from './remind.ts';
import { offerSettled } from './settled.ts';

/** Pauses before the listings are read again after a feed, minutes; after the last one a value that is not there failed. */
const READ_BACK_MIN = [2, 3, 5, 10, 20, 20];
/** The first pause between two tries of a call is 2 s where nothing else is set: minutes shrink with it in tests. */
const USUAL_BASE_MS = 2_000;

interface Place {
  accountId: string;
  marketplaceId: string;
}

interface ReadBack extends Place {
  companyId: string;
  round: number;
}

/** Prices and quantities once went as feeds of their own. */
const OURS = [ORIGIN, 'listing.price', 'listing.quantity'];

/** Reads the listings of a site once more, and again after a pause. */
export async function readAgain(ctx: Ctx, place: Place, round: number): Promise<void> {
  await wakeStream(ctx, { ...place, stream: 'listings' });
  const minutes = READ_BACK_MIN[round] ?? 0;
  const payload: ReadBack = { companyId: ctx.companyId, ...place, round: round + 1 };
  const runAt = new Date(
    ctx.runtime.clock.ms() + minutes * 60_000 * Math.min(1, ctx.runtime.config.retryBaseMs / USUAL_BASE_MS),
  );
  await enqueue(ctx, 'listing.readBack', payload, { key: `readBack:${place.accountId}:${place.marketplaceId}`, runAt });
}

/** What became of the messages becomes what became of the changes; what was taken is read back. */
export const onFeedEnded = on(feedEnded, async (ctx, { feedId, origin, accountId, marketplaceId, sent, results }) => {
  if (!OURS.includes(origin)) return;
  const { rows } = await sql<{ id: string; status: string }>`
    UPDATE listing.offer_change AS c
       SET status = CASE r.state WHEN 'refused' THEN 'refused' WHEN 'dropped' THEN 'cancelled' ELSE 'accepted' END,
           problem = r.problem, accepted_at = CASE WHEN r.state IN ('accepted', 'unknown') THEN kit.now() END
      FROM jsonb_to_recordset(${JSON.stringify(results)}::jsonb) AS r("messageId" int, state text, problem text)
     WHERE c.company_id = ${ctx.companyId} AND c.feed_id = ${feedId} AND c.message_id = r."messageId"
       AND c.status = 'queued'
    RETURNING c.id, c.status`.execute(ctx.db);
  const gone = rows.filter(({ status }) => status === 'refused' || status === 'cancelled');
  for (const { id, status } of gone) await emit(ctx, offerSettled, { ids: [id], status });
  if (sent) await readAgain(ctx, { accountId, marketplaceId }, 0);
});

/**
 * Changes whose messages go out once more wait again. Where something newer has taken their place, or they hold already,
 * the message is taken out of the new feed: an old price must not come after a newer one.
 */
export const onFeedRetried = on(feedRetried, async (ctx, { origin, from, to, messages }) => {
  if (!OURS.includes(origin)) return;
  const { rows } = await sql<{ messageId: number }>`
    UPDATE listing.offer_change AS c
       SET status = 'queued', problem = NULL, accepted_at = NULL, feed_id = ${to}, message_id = m.now
      FROM jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) AS m(old int, now int)
     WHERE c.company_id = ${ctx.companyId} AND c.feed_id = ${from} AND c.message_id = m.old
       AND c.status IN ('refused', 'cancelled', 'unconfirmed', 'accepted')
       AND NOT EXISTS (SELECT FROM listing.offer_change AS o
                        WHERE o.company_id = c.company_id AND o.listing_id = c.listing_id AND o.kind = c.kind
                          AND o.created_at > c.created_at)
    RETURNING message_id AS "messageId"`.execute(ctx.db);
  const waiting = new Set(rows.map(({ messageId }) => messageId));
  const stale = messages.filter(({ now }) => !waiting.has(now)).map(({ now }) => ({ feedId: to, messageId: now }));
  await dropMessages(ctx, stale);
});

/** What the marketplace shows confirms the changes that wished for it. */
export async function confirmOffers(ctx: Ctx, of: Pick<SnapshotOf, 'accountId' | 'marketplaceId'>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    UPDATE listing.offer_change AS c SET status = 'confirmed', confirmed_at = kit.now(), problem = NULL
      FROM listing.listing AS l
     WHERE c.company_id = ${ctx.companyId} AND c.account_id = ${of.accountId} AND c.marketplace_id = ${of.marketplaceId}
       AND c.status IN ('accepted', 'unconfirmed') AND l.company_id = c.company_id AND l.id = c.listing_id
       AND CASE c.kind WHEN 'price' THEN c.new_value = l.price
                       WHEN 'quantity' THEN c.new_value = l.quantity
                       WHEN 'sale' THEN c.new_terms IS NOT DISTINCT FROM l.sale
                       WHEN 'b2b' THEN c.new_terms IS NOT DISTINCT FROM l.b2b
                       ELSE c.new_terms IS NOT DISTINCT FROM l.tiers END
    RETURNING c.id`.execute(ctx.db);
  if (rows.length > 0) await emit(ctx, offerSettled, { ids: rows.map(({ id }) => id), status: 'confirmed' });
}

/**
 * Reads the listings of a site again until every accepted change shows, six times within an hour; what does not show by
 * then did not take effect, and those who may change prices are told.
 */
export const readBackJob = job<ReadBack>('listing.readBack', async (runtime, { companyId, round, ...place }) => {
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const { rows } = await sql<{ id: string; late: boolean }>`
      SELECT id, accepted_at < kit.now() - make_interval(secs => ${lateSec(runtime.config.retryBaseMs)}) AS late
        FROM listing.offer_change
       WHERE company_id = ${companyId} AND account_id = ${place.accountId} AND marketplace_id = ${place.marketplaceId}
         AND status = 'accepted'`.execute(ctx.db);
    if (rows.length === 0) return;
    if (rows.some(({ late }) => !late)) return readAgain(ctx, place, Math.min(round, READ_BACK_MIN.length - 1));
    await ctx.db
      .updateTable('listing.offer_change')
      .set({ status: 'unconfirmed', problem: '亚马逊已受理但没有生效，请在卖家后台核实' })
      .where('company_id', '=', companyId)
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    await emit(ctx, offerSettled, { ids: rows.map(({ id }) => id), status: 'unconfirmed' });
    await remindOfUnconfirmed(ctx, place, rows.length);
  });
});

function lateSec(retryBaseMs: number): number {
  return 3_540 * Math.min(1, retryBaseMs / USUAL_BASE_MS);
}
