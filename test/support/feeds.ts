import { adjustOffers } from '#modules/listing/contract/offers.ts';
import { listListings } from '#modules/listing/contract.ts';
import { listFeeds, retryFeed } from '#modules/marketplace/contract/feeds.ts';
import type { Person } from './world.ts';

/** Another price for two offers of a site, drawn by chance, as somebody would enter it; nothing where none is listed yet. */
export async function changePrices(person: Person, marketplaceId: string, random: () => number): Promise<void> {
  const { records } = await person.call(listListings, { body: { pagesize: 100, filter: { state: ['ACTIVE'] } } });
  const priced = records.filter((row) => row.price !== null && row.marketplaceId === marketplaceId).slice(0, 2);
  if (priced.length === 0) return;
  const price = (15 + Math.floor(random() * 1_000) / 100).toFixed(2);
  const changes = priced.map(({ id }) => ({ id, price }));
  await person.call(adjustOffers, { body: { changes, confirmed: true } });
}

/** What a person does about feeds that broke, or were never ended: he sends each of them once more. */
export async function resendFeeds(person: Person, resent: Set<string>): Promise<void> {
  const { records } = await person.call(listFeeds, { body: { filter: { status: ['failed'] } } });
  for (const { id } of records) {
    if (resent.has(id)) continue;
    resent.add(id);
    // Nothing may be left of it to send: then it is refused.
    await person.send(retryFeed, { params: { id } });
  }
}

/** Feeds that are under way, in words. */
export async function openFeeds(person: Person): Promise<string[]> {
  const filter = { status: ['planned', 'uploaded', 'submitting', 'submitted', 'processed'] as const };
  const { records } = await person.call(listFeeds, { body: { filter: { status: [...filter.status] } } });
  return records.map(({ title, status }) => `${title} ${status}`);
}
