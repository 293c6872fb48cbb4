import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { listingsOf, planChanges } from './adjust.ts';

/** A listing whose row is locked: nobody changes its price, or plans to, until the transaction is over. */
export interface LockedOffer {
  listingId: string;
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
  asin: string | null;
  /** As the marketplace showed it last; decimal text in `currency`. */
  price: string | null;
  currency: string;
  fulfilledBy: string;
  state: string;
  /** Words until when its price is frozen; null where it is not. */
  frozen: string | null;
  /** What is on its way, if anything is. */
  pending: { price: string; source: string } | null;
}

async function pendingOf(ctx: Ctx, listingId: string): Promise<LockedOffer['pending']> {
  const { rows } = await sql<{ price: string; source: string }>`
    SELECT new_value AS price, source FROM listing.offer_change
     WHERE company_id = ${ctx.companyId} AND listing_id = ${listingId} AND kind = 'price'
       AND status IN ('queued', 'accepted')`.execute(ctx.db);
  return rows[0] ?? null;
}

/** A listing with its row locked until the transaction is over. @throws 404 */
export async function lockOffer(ctx: Ctx, listingId: string): Promise<LockedOffer> {
  const known = (await listingsOf(ctx, [listingId])).get(listingId);
  if (!known) throw new Error('listingsOf answers all it was asked for');
  return {
    listingId,
    accountId: known.account_id,
    marketplaceId: known.marketplace_id,
    sellerSku: known.seller_sku,
    asin: known.asin,
    price: known.price,
    currency: known.currency,
    fulfilledBy: known.fulfilled_by,
    state: known.state,
    frozen: known.frozen,
    pending: await pendingOf(ctx, listingId),
  };
}

/**
 * Puts the price that a rule decided on into the queue, in the transaction in which `lockOffer` locked the listing. Returns
 * the id of the change. @throws as planChanges
 */
export async function sendRulePrice(
  ctx: Ctx,
  { listingId, price, reason }: { listingId: string; price: string; reason: string },
): Promise<string> {
  const { ids } = await planChanges(ctx, [{ id: listingId, price }], { reason, confirmed: true, source: 'rule' });
  const [id] = ids;
  if (id === undefined) throw new Error('a planned change has an id');
  return id;
}

/** What the price of a listing was at an instant (ISO, marketplace time), as far as its changes were seen; else as it is now. */
export async function priceAt(
  ctx: Ctx,
  {
    accountId,
    marketplaceId,
    sellerSku,
    price,
  }: Pick<LockedOffer, 'accountId' | 'marketplaceId' | 'sellerSku' | 'price'>,
  at: string,
): Promise<string | null> {
  const { rows } = await sql<{ old_price: string | null }>`
    SELECT old_price FROM listing.price_change
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND seller_sku = ${sellerSku} AND seen_at >= ${at}::timestamptz
     ORDER BY seen_at LIMIT 1`.execute(ctx.db);
  return rows.length > 0 ? (rows[0]?.old_price ?? null) : price;
}
