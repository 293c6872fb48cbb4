import { offerBooks } from '#sandbox/wire/offers.ts';
import type { MarketplaceWorld } from './marketplace.ts';

export const US = 'ATVPDKIKX0DER';
export const SELLER = 'A1SANDBOX0001';

/** An offer of another seller, prices as decimal text. */
export interface SaidRival {
  sellerId: string;
  price: string;
  shipping?: string;
  fba?: boolean;
  positive?: number;
  ratings?: number;
}

/** From now on these and no others offer a product of the seller's beside him. */
export async function setRivals(world: MarketplaceWorld, asin: string, rivals: readonly SaidRival[]): Promise<void> {
  const reply = await fetch(`${world.sandbox.url}/control/rivals`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na', marketplaceId: US, asin, rivals }),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

/** Who is featured for a product just now, by the sandbox's own word. */
export function featuredOf(world: MarketplaceWorld, asin: string): string | undefined {
  const { world: market } = world.sandbox;
  const account = market.account(SELLER, 'na');
  if (!account) throw new Error('no such seller');
  const book = offerBooks(market, account, US, market.now()).find(({ listing }) => listing.product.asin === asin);
  return book?.offers.find((one) => one.featured)?.sellerId;
}
