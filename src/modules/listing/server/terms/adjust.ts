import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { lowestOf, type TermsKind } from '../../contract/terms.ts';
import { type AskedPrice, askBelowFloor } from '../requests/ask.ts';
import { partOf } from './known.ts';
import { type Checked, checkedTerms, kindTitle, planTerms, type TermsWish } from './plan.ts';

function pricesOf(kind: TermsKind, checked: readonly Checked[]): AskedPrice[] {
  return checked.flatMap(({ wish, listing, known }, index) => {
    const price = lowestOf(wish.terms);
    const old = partOf(known, kind);
    if (price === null) return [];
    return [
      {
        listingId: listing.id,
        accountId: listing.account_id,
        marketplaceId: listing.marketplace_id,
        sellerSku: listing.seller_sku,
        kind,
        currency: listing.currency,
        oldValue: lowestOf(old),
        price,
        oldTerms: old,
        newTerms: wish.terms,
        field: `changes.${index}.terms`,
        title: kindTitle(kind),
      },
    ];
  });
}

/**
 * Changes one part of many offers, each by a call of its own; what is below the floor waits for approval, or is refused.
 * @throws as checkedTerms and askBelowFloor
 */
export async function adjustTerms(
  ctx: Ctx,
  { kind, changes, reason }: { kind: TermsKind; changes: readonly TermsWish[]; reason: string },
): Promise<{ changes: number; requests: number }> {
  const checked = await checkedTerms(ctx, kind, changes);
  const asked = await askBelowFloor(ctx, pricesOf(kind, checked), reason);
  const rest = checked.filter(({ listing }) => !asked.has(listing.id));
  const count = await planTerms(ctx, kind, rest, reason);
  await audit(ctx, {
    action: `设置${kindTitle(kind)}`,
    resource: 'listing.offerChange',
    before: Object.fromEntries(checked.map(({ listing, known }) => [listing.seller_sku, partOf(known, kind)])),
    after: Object.fromEntries(checked.map(({ listing, wish }) => [listing.seller_sku, wish.terms])),
  });
  return { changes: count, requests: asked.size };
}
