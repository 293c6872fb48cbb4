import { afterAll, beforeAll, expect, test } from 'vitest';
import { offerBooks } from '../wire/offers.ts';
import { type ConsentedSeller, consentedSeller, SELLER_NOW } from './seller-support.ts';
import { DAY, type Json, listOf, postJson } from './wire-support.ts';

let seller: ConsentedSeller;
let marketplaceId: string;
/** A product that Amazon ships, and what the seller asked for it at the beginning, minor units. */
let asin: string;
let sku: string;
let base: number;

const account = () => {
  const found = seller.sandbox.business.accounts.find((one) => one.region === 'na');
  if (!found) throw new Error('no account');
  return found;
};

const control = async (rivals: object[]): Promise<Json> => {
  const body = { sellingPartnerId: seller.sellerId, region: 'na', marketplaceId, asin, rivals };
  const reply = await fetch(`${seller.sandbox.url}/control/rivals`, postJson(body));
  return (await reply.json()) as Json;
};

async function offers(): Promise<Json[]> {
  const request = { uri: `/products/pricing/v0/items/${asin}/offers`, method: 'GET' };
  const body = { requests: [{ ...request, MarketplaceId: marketplaceId, ItemCondition: 'New' }] };
  const answer = await seller.good({ method: 'POST', path: '/batches/products/pricing/v0/itemOffers', body });
  const [first = {}] = listOf(answer.responses);
  return listOf(first.body?.payload?.Offers);
}

const winner = async (): Promise<unknown> => (await offers()).find((one) => one.IsBuyBoxWinner)?.SellerId;
const text = (minor: number): string => (minor / 100).toFixed(2);

beforeAll(async () => {
  seller = await consentedSeller();
  marketplaceId = seller.marketplaceIds[0] ?? '';
  const books = offerBooks(seller.sandbox.world, account(), marketplaceId, SELLER_NOW);
  const book = books.find(({ offers: all, listing }) => listing.product.fulfilment === 'AFN' && all.some((o) => o.own));
  if (!book) throw new Error('nothing is on sale');
  ({ asin, sku } = book.listing.product);
  base = book.base;
});
afterAll(() => seller.sandbox.close());

test('the featured offer follows the landed price, with a handicap for merchants and for bad ratings', async () => {
  const own = Number((await offers()).find((one) => one.MyOffer)?.ListingPrice?.Amount) * 100;
  await control([]);
  expect(await winner()).toBe(seller.sellerId);
  const cheaper = { sellerId: 'ARIVAL', price: text(own - 100), fba: true, positive: 96, ratings: 300 };
  await control([cheaper]);
  expect(await winner()).toBe('ARIVAL');
  await control([{ ...cheaper, positive: 80 }]);
  expect(await winner()).toBe(seller.sellerId);
  await control([{ ...cheaper, ratings: 3 }]);
  expect(await winner()).toBe(seller.sellerId);
  await control([{ ...cheaper, price: text(own - 10), fba: false }]);
  expect(await winner()).toBe(seller.sellerId);
  await control([{ ...cheaper, price: text(own - 200), shipping: '3.00' }]);
  expect(await winner()).toBe(seller.sellerId);
});

test('the featured offer reacts when the seller changes his price', async () => {
  const own = Number((await offers()).find((one) => one.MyOffer)?.ListingPrice?.Amount);
  await control([{ sellerId: 'ARIVAL', price: (own - 1).toFixed(2), fba: true }]);
  expect(await winner()).toBe('ARIVAL');
  const { sandbox } = seller;
  sandbox.business.setOffer(account(), marketplaceId, sku, { at: SELLER_NOW, price: (own - 1.05).toFixed(2) });
  expect(await winner()).toBe(seller.sellerId);
});

test('nothing is featured that costs far more than usual', async () => {
  const { sandbox } = seller;
  await control([]);
  sandbox.business.setOffer(account(), marketplaceId, sku, { at: SELLER_NOW, price: text(base * 2) });
  expect(await winner()).toBeUndefined();
});

test('rivals of the seed move over time, and another world finds the same', async () => {
  const asked = async (at: number) => {
    const other = await consentedSeller();
    const books = [...Array(14).keys()].map((day) =>
      offerBooks(other.sandbox.world, account(), marketplaceId, at - day * DAY).flatMap(({ offers: all }) =>
        all.filter((one) => !one.own).map(({ sellerId, price }) => `${sellerId} ${price}`),
      ),
    );
    await other.sandbox.close();
    return books;
  };
  const first = await asked(SELLER_NOW);
  expect(await asked(SELLER_NOW)).toEqual(first);
  expect(first[0]?.length).toBeGreaterThan(2);
  expect(new Set(first.map((one) => one.join()))).not.toHaveProperty('size', 1);
});
