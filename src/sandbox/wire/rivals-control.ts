import type { SimAccount } from '../business/types.ts';
import { minorOf, offerBooks } from './offers.ts';
import type { Rival } from './rivals.ts';
import type { World } from './world.ts';

type Fields = Record<string, unknown>;

function rivalOf(raw: unknown, currency: string): Rival {
  const { sellerId, price, shipping = '0', fba = true, positive = 95, ratings = 500 } = (raw ?? {}) as Fields;
  if (typeof sellerId !== 'string' || sellerId === '') throw new Error('sellerId: a text is expected.');
  const amount = (name: string, value: unknown): number => {
    const minor = minorOf(String(value), currency);
    if (!Number.isFinite(minor) || minor < 0) throw new Error(`${name}: an amount is expected.`);
    return minor;
  };
  return {
    sellerId,
    price: amount('price', price),
    shipping: amount('shipping', shipping),
    fba: fba === true,
    positive: Number(positive),
    ratings: Number(ratings),
  };
}

/** All offers of a product of the seller's at this moment, amounts in minor units. Throws for one that he does not sell. */
export function rivalsView(world: World, account: SimAccount, fields: Fields): object {
  const { marketplaceId, asin } = fields;
  const books = account.marketplaceIds.includes(String(marketplaceId))
    ? offerBooks(world, account, String(marketplaceId), world.now())
    : [];
  const book = books.find(({ listing }) => listing.product.asin === asin);
  if (!book) throw new Error('The seller does not offer this product there.');
  return { sku: book.listing.product.sku, base: book.base, offers: book.offers };
}

/** From now on these sellers offer a product beside the account, and no others: `rivals`, prices as decimal texts. */
export function rivalsControl(world: World, account: SimAccount, fields: Fields): object {
  rivalsView(world, account, fields);
  const subject = { marketplaceId: String(fields.marketplaceId), asin: String(fields.asin) };
  const { currency } = world.marketplace(subject.marketplaceId);
  if (!Array.isArray(fields.rivals)) throw new Error('rivals: a list is expected.');
  const rivals = fields.rivals.map((one) => rivalOf(one, currency));
  world.command({ type: 'rivals', ...subject, at: world.now(), rivals });
  return rivalsView(world, account, fields);
}
