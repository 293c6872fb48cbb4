import { expect, vi } from 'vitest';
import { type ListingRow, listListings } from '#modules/listing/contract.ts';
import { feedDetail, listFeeds } from '#modules/marketplace/contract/feeds.ts';
import { connectStore, type MarketplaceWorld } from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import type { Person } from '../support/world.ts';

export const US = 'ATVPDKIKX0DER';

/** Connects a store and waits for its listings alone: active ones of the United States that have a price. */
export async function listingsForSale(owner: Person): Promise<ListingRow[]> {
  await connectStore(owner);
  return vi.waitFor(
    async () => {
      const { records } = await owner.call(listListings, { body: { pagesize: 100, filter: { state: ['ACTIVE'] } } });
      const found = records.filter(({ price, marketplaceId }) => price !== null && marketplaceId === US);
      expect(found.length).toBeGreaterThan(3);
      return found;
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
}

/** All feeds of the company, the oldest first. */
export async function feedsOf(owner: Person) {
  const { records } = await owner.call(listFeeds, { body: { pagesize: 100, filter: {} } });
  return records.reverse();
}

/** One feed with its messages. */
export const detailOf = (owner: Person, id: string) => owner.call(feedDetail, { params: { id } });

/** What the marketplace was handed in, the oldest first: of every feed its messages, each as "SKU price quantity". */
export function handedIn(world: MarketplaceWorld): string[][] {
  const { feeds } = world.sandbox.world;
  return feeds
    .all()
    .reverse()
    .map(({ inputDocumentId }) => {
      const { messages } = JSON.parse(feeds.document(inputDocumentId)?.content ?? '{}') as { messages: Sent[] };
      return messages.map(({ sku, patches }) => [sku, ...patches.map(wished)].join(' '));
    });
}

interface Sent {
  sku: string;
  patches: { path: string; value: [{ our_price?: [{ schedule: [{ value_with_tax: number }] }]; quantity?: number }] }[];
}

function wished({ value: [value] }: Sent['patches'][number]): string {
  const price = value.our_price?.[0].schedule[0].value_with_tax;
  return price === undefined ? `×${value.quantity}` : price.toFixed(2);
}

/** What an offer is at the marketplace itself. */
export function offerThere(world: MarketplaceWorld, sku: string): { price: string; quantity: number | undefined } {
  const account = world.sandbox.business.accounts.find(
    ({ sellingPartnerId, region }) => sellingPartnerId === 'A1SANDBOX0001' && region === 'na',
  );
  const listing =
    account &&
    world.sandbox.business.listings(account, US, world.sandbox.clock.now()).find(({ product }) => product.sku === sku);
  if (!listing) throw new Error(`the marketplace does not know ${sku}`);
  return { price: Number(listing.price).toFixed(2), quantity: listing.quantity ?? undefined };
}
