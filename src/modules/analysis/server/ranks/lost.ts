import { Decimal } from '#kit/contract/decimal.ts';
import type { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { type LostSpell, NOBODY } from '../../contract/ranks.ts';

/** What offers were from a moment on. */
interface Book {
  /** ISO instant. */
  asOf: string;
  currency: string;
  offers: readonly MarketOffer[];
}

/** The lowest landed price among our offers; undefined where we have none. */
function ownLanded(offers: readonly MarketOffer[]): string | undefined {
  return offers
    .filter(({ own }) => own)
    .map(({ landed }) => landed)
    .toSorted((a, b) => new Decimal(a).comparedTo(b))[0];
}

/** What a book says of a Buy Box that is lost; undefined where we have it, and where we offer nothing. */
function lostIn({ asOf, currency, offers }: Book): LostSpell | undefined {
  const ownPrice = ownLanded(offers);
  if (ownPrice === undefined || offers.some(({ own, featured }) => own && featured)) return undefined;
  const featured = offers.find((offer) => offer.featured);
  return {
    from: asOf,
    to: null,
    holder: featured?.sellerId ?? NOBODY,
    featuredPrice: featured?.landed ?? null,
    ownPrice,
    currency,
  };
}

/**
 * The times in which a Buy Box was lost, of books oldest first: each ends with the book in which we have it again, offer nothing any
 * more, or somebody else has it; the last goes on where none came. Newest first.
 */
export function lostSpells(books: readonly Book[]): LostSpell[] {
  const spells: LostSpell[] = [];
  let open: LostSpell | undefined;
  for (const book of books) {
    const now = lostIn(book);
    if (open && now && open.holder === now.holder) continue;
    if (open) open.to = book.asOf;
    if (now) spells.push(now);
    open = now;
  }
  return spells.reverse();
}
