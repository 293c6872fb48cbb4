import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit, on } from '#kit/server/events.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { dropMessages, feedReleasing } from '#modules/marketplace/server/index.ts';
import { ORIGIN } from './adjust.ts';
import { underFloor } from './floors.ts';
import { frozenUntil } from './frozen.ts';
import { offerSettled } from './settled.ts';

/** A price of a rule's that is about to leave; decimal text in the currency of the listing. */
export interface LeavingPrice {
  id: string;
  listingId: string;
  price: string;
  currency: string;
}

/** Who may hold back prices of rules at the last moment: answers why, by the id of the change. */
export interface PriceGuard {
  unfit: (ctx: Ctx, leaving: readonly LeavingPrice[]) => Promise<ReadonlyMap<string, string>>;
}

export const priceGuards = extensionPoint<PriceGuard>('listing.priceGuards');

interface Leaving extends LeavingPrice {
  feedId: string;
  messageId: number;
  source: string;
  agreedFloor: string | null;
}

/** Prices in a feed, their listings locked before them: in the order in which whoever wishes for one locks. */
async function leavingOf(ctx: Ctx, feedId: string): Promise<Leaving[]> {
  const mine = sql`c.company_id = ${ctx.companyId} AND c.feed_id = ${feedId} AND c.kind = 'price' AND c.status = 'queued'`;
  await sql`
    SELECT id FROM listing.listing WHERE company_id = ${ctx.companyId}
       AND id IN (SELECT c.listing_id FROM listing.offer_change AS c WHERE ${mine}) ORDER BY id FOR UPDATE`.execute(
    ctx.db,
  );
  const { rows } = await sql<Leaving>`
    SELECT c.id, c.listing_id AS "listingId", c.new_value AS price, c.currency, c.feed_id AS "feedId",
           c.message_id AS "messageId", c.source, c.agreed_floor AS "agreedFloor"
      FROM listing.offer_change AS c WHERE ${mine} ORDER BY c.id FOR UPDATE`.execute(ctx.db);
  return rows;
}

async function withdraw(ctx: Ctx, { id, feedId, messageId }: Leaving, why: string): Promise<void> {
  const dropped = await dropMessages(ctx, [{ feedId, messageId }]);
  if (dropped.length === 0) return;
  await ctx.db
    .updateTable('listing.offer_change')
    .set({ status: 'cancelled', problem: why })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await emit(ctx, offerSettled, { ids: [id], status: 'cancelled' });
}

/** Prices that people set: the floor may have risen above them, or above what somebody agreed to, while they waited. */
async function tooLow(ctx: Ctx, leaving: readonly Leaving[]): Promise<void> {
  for (const one of await underFloor(ctx, leaving)) {
    await withdraw(ctx, one, `发送前撤下：价格低于保本价 ${one.floor}，需主管审批`);
  }
}

/** Right before a feed goes: prices are looked at once more, for costs and locks change while they wait. */
export const onFeedReleasing = on(feedReleasing, async (ctx, { feedId, origin }) => {
  if (origin !== ORIGIN) return;
  const all = await leavingOf(ctx, feedId);
  await tooLow(
    ctx,
    all.filter(({ source }) => source !== 'rule'),
  );
  const leaving = all.filter(({ source }) => source === 'rule');
  if (leaving.length === 0) return;
  const frozen = await frozenUntil(
    ctx,
    leaving.map((one) => one.listingId),
  );
  const unfit = new Map<string, string>();
  for (const guard of extensionsOf(ctx.runtime.modules, priceGuards)) {
    for (const [id, why] of await guard.unfit(ctx, leaving)) unfit.set(id, why);
  }
  for (const one of leaving) {
    const words = frozen.get(one.listingId);
    const why = words === undefined ? unfit.get(one.id) : `发送前撤下：调价已冻结至 ${words}`;
    if (why !== undefined) await withdraw(ctx, one, why);
  }
});
