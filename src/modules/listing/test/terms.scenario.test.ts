import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import { listOfferChanges, type OfferChange, revertOffers } from '../contract/offers.ts';
import { adjustTerms, type Terms, type TermsKind } from '../contract/terms.ts';
import { type ListingRow, listListings } from '../contract.ts';
import { US } from './support.ts';

let world: MarketplaceWorld;
let owner: Person;
beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  const { accountId } = await connectStore(owner);
  await untilSynced(owner, accountId);
});
afterAll(() => world.close());

const rows = async (skus: string[] = []): Promise<ListingRow[]> =>
  (await owner.call(listListings, { body: { pagesize: 100, filter: { state: ['ACTIVE'], skus } } })).records;

/** The first listing of the United States with an offer to businesses. */
async function businessListing(): Promise<ListingRow> {
  const row = (await rows()).find((one) => one.marketplaceId === US && one.b2b !== null && one.price !== null);
  if (!row) throw new Error('the seller sells nothing to businesses');
  return row;
}

async function again({ id, sellerSku }: ListingRow): Promise<ListingRow> {
  const row = (await rows([sellerSku])).find((one) => one.id === id);
  if (!row) throw new Error('the listing is gone');
  return row;
}

const share = ({ price }: ListingRow, of: string) => new Decimal(price ?? 0).times(of).toFixed(2);
const wish = (row: ListingRow, kind: TermsKind, terms: Terms | null) =>
  owner.send(adjustTerms, { body: { kind, changes: [{ id: row.id, seen: row[kind], terms }] } });

async function newest(row: ListingRow): Promise<OfferChange> {
  const { records } = await owner.call(listOfferChanges, { body: { filter: { listingId: row.id } } });
  if (!records[0]) throw new Error('nothing was changed');
  return records[0];
}
const untilStatus = (row: ListingRow, status: string): Promise<OfferChange> =>
  vi.waitFor(
    async () => {
      const change = await newest(row);
      expect(change.status, change.problem ?? '').toBe(status);
      return change;
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );

/** What Amazon itself has of the offers of a listing: by buyers, the attributes as they are. */
async function offersAt({ sellerSku }: ListingRow, change?: (all: Record<string, unknown>[]) => object[]) {
  const post = async (attributes: object) => {
    const response = await fetch(`${world.sandbox.url}/control/listing`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        sellingPartnerId: 'A1SANDBOX0001',
        region: 'na',
        marketplaceId: US,
        sku: sellerSku,
        action: 'change',
        attributes,
      }),
    });
    expect(response.status).toBe(200);
    const body = (await response.json()) as { attributes: { purchasable_offer: Record<string, unknown>[] } };
    return body.attributes.purchasable_offer;
  };
  const now = await post({});
  const all = change ? await post({ purchasable_offer: change(now) }) : now;
  return Object.fromEntries(all.map((one) => [String(one.audience ?? 'ALL'), one]));
}

const day = (offset: number) => new Date(world.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);

it('a sale price, a business price and tiers are refused in Chinese where they cannot be', async () => {
  const row = await businessListing();
  const sale = (price: string, from = day(2), to = day(9)) => wish(row, 'sale', { price, from, to });
  const said = async (answer: Promise<{ data: unknown }>) => JSON.stringify((await answer).data);
  expect(await said(sale(share(row, '1.1')))).toContain('促销价须低于售价');
  expect(await said(sale(share(row, '0.9'), day(9), day(2)))).toContain('结束日期必须晚于开始日期');
  expect(await said(wish(row, 'b2b', { price: share(row, '1.2') }))).toContain('B2B价不能高于售价');
  const tiers = (...list: [number, string][]) =>
    wish(row, 'tiers', { tiers: list.map(([from, of]) => ({ from, price: share(row, of) })) });
  expect(await said(tiers([5, '0.9'], [5, '0.8']))).toContain('第 2 档：起订数量须大于上一档 5');
  expect(await said(tiers([5, '0.8'], [10, '0.85']))).toContain('第 2 档：价格须低于上一档');
  const elsewhere = (await rows()).find((one) => one.marketplaceId !== US && one.b2b === null && one.price !== null);
  if (!elsewhere) throw new Error('the seller sells in one place only');
  expect((await owner.call(listOfferChanges, { body: { filter: {} } })).total).toBe(0);
  // Whether a site sells to businesses nobody but Amazon knows: it is asked, and its answer told.
  expect((await wish(elsewhere, 'b2b', { price: share(elsewhere, '0.9') })).code).toBe(201);
  await vi.waitFor(async () => expect((await newest(elsewhere)).problem).toContain('未开通企业购'), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
  expect((await again(elsewhere)).b2b).toBeNull();
});

it('a change of one part leaves the price, the limits and the other parts as they are, and shows once Amazon shows it', async () => {
  const row = await businessListing();
  const low = [{ schedule: [{ value_with_tax: 1.5 }] }];
  await offersAt(row, (all) =>
    all.map((one) => (one.audience === 'B2B' ? one : { ...one, minimum_seller_allowed_price: low })),
  );
  const sale = { price: share(row, '0.9'), from: day(2), to: day(9) };
  expect((await wish(row, 'sale', sale)).data).toMatchObject({ changes: 1, requests: 0 });
  expect((await again(row)).sale).toBeNull();
  expect((await again(row)).pendingTerms).toEqual(['sale']);
  await untilStatus(row, 'confirmed');
  const tiers = { tiers: [5, 10].map((from) => ({ from, price: share(row, from === 5 ? '0.9' : '0.85') })) };
  await wish(await again(row), 'tiers', tiers);
  const change = await untilStatus(row, 'confirmed');
  expect(change).toMatchObject({ kind: 'tiers', oldTerms: null, feedId: null });
  const after = await again(row);
  expect(after.sale).toMatchObject({ from: sale.from, to: sale.to });
  expect(after.tiers?.tiers?.map(({ from }) => from)).toEqual([5, 10]);
  expect([after.price, after.b2bPrice, after.pendingTerms]).toEqual([row.price, row.b2bPrice, []]);
  const { ALL, B2B } = await offersAt(row);
  expect(ALL).toMatchObject({ minimum_seller_allowed_price: low, our_price: [{ schedule: [{}] }] });
  expect(ALL).toHaveProperty('discounted_price');
  expect(B2B).toHaveProperty('our_price');
  // Undone: the tiers go, and nothing else with them.
  await owner.call(revertOffers, { body: { ids: [change.id] } });
  await vi.waitFor(async () => expect((await again(row)).tiers).toBeNull(), { timeout: PATIENCE_MS, interval: 200 });
  expect(Object.keys((await offersAt(row)).B2B ?? {})).toContain('our_price');
  expect((await again(row)).sale).not.toBeNull();
});

it('what somebody changed in Seller Central is not overwritten: both sides are told, before and after it was read', async () => {
  const row = await businessListing();
  const seen = row.b2b;
  const theirs = share(row, '0.93');
  await offersAt(row, (all) =>
    all.map((one) =>
      one.audience === 'B2B' ? { ...one, our_price: [{ schedule: [{ value_with_tax: Number(theirs) }] }] } : one,
    ),
  );
  const mine = { price: share(row, '0.91') };
  const change = async () =>
    owner.send(adjustTerms, { body: { kind: 'b2b', changes: [{ id: row.id, seen, terms: mine }] } });
  expect((await change()).code).toBe(201);
  expect((await untilStatus(row, 'refused')).problem).toContain(`卖家后台现为 ${theirs}`);
  await vi.waitFor(async () => expect(plainDecimal((await again(row)).b2bPrice ?? '')).toBe(plainDecimal(theirs)), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
  const late = await change();
  expect(late.code).toBe(409);
  expect(late.data).toMatchObject({ clashes: [{ seen, now: { price: new Decimal(theirs).toFixed() }, wished: mine }] });
});
