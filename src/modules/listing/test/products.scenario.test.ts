import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { feedDetail, feedDocument, listFeeds } from '#modules/marketplace/contract/feeds.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import type { Person } from '#test/support/world.ts';
import {
  adjustOffers,
  BIG_CHANGE,
  cancelOffers,
  countOfferChanges,
  listOfferChanges,
  revertOffers,
} from '../contract/offers.ts';
import { countListings, exportListings, type ListingRow, listingDetail, listListings } from '../contract.ts';
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

/** The states that the changes of offers are in, once there are so many. */
async function statesOf(count: number): Promise<string[]> {
  const { records } = await owner.call(listOfferChanges, { body: { filter: {} } });
  return records.length === count ? [...new Set(records.map(({ status }) => status))] : [];
}

/** What the marketplace itself says is listed. */
function truth() {
  const account = world.sandbox.business.accounts.find(
    (one) => one.sellingPartnerId === 'A1SANDBOX0001' && one.region === 'na',
  );
  if (!account) throw new Error('the sandbox has no such seller');
  return account.marketplaceIds
    .flatMap((id) => world.sandbox.business.listings(account, id, world.sandbox.clock.now()))
    .map(
      (one) =>
        `${one.marketplaceId} ${one.product.sku} ${one.price && plainDecimal(one.price)} ${one.status} ${one.quantity ?? '-'} ${one.issues.length}`,
    )
    .sort();
}

describe('a seller who has just connected a store', () => {
  it('sees every listing with its price and state', async () => {
    const { records, asOf } = await owner.call(listListings, { body: { pagesize: 100, filter: {} } });
    const shown = records.map(
      (row) =>
        `${row.marketplaceId} ${row.sellerSku} ${row.price && plainDecimal(row.price)} ${row.state} ${row.quantity ?? '-'} ${row.issueCount}`,
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.sort()).toEqual(truth());
    expect(Date.parse(asOf ?? '')).toBe(world.sandbox.clock.now());
    expect(records[0]?.product.image).toMatch(/^http/);
  });

  it('narrows by state, site and word, and the tabs agree with the lists', async () => {
    const counts = await owner.call(countListings, { body: { filter: {} } });
    for (const state of ['ACTIVE', 'INACTIVE', 'INCOMPLETE'] as const) {
      const { total } = await owner.call(listListings, { body: { filter: { state: [state] } } });
      expect(total).toBe(counts[state] ?? 0);
    }
    const first = (await owner.call(listListings, { body: { filter: {} } })).records[0];
    const sku = first?.sellerSku ?? '';
    const found = await owner.call(listListings, {
      body: { filter: { keyword: sku.toLowerCase(), sites: [`${first?.marketplaceId}-${first?.accountId}`] } },
    });
    expect(found.records.map((row) => row.id)).toContain(first?.id);
    const literal = await owner.call(listListings, { body: { filter: { keyword: '%_%' } } });
    expect(literal.total).toBe(0);
  });

  it('pages without overlap in any order', async () => {
    for (const sort of [undefined, 'price', 'state', 'openedAt']) {
      const seen = new Set<string>();
      const { total } = await owner.call(listListings, { body: { filter: {} } });
      for (let currentpage = 1; currentpage <= Math.ceil(total / 10); currentpage += 1) {
        const { records } = await owner.call(listListings, { body: { currentpage, pagesize: 10, sort, filter: {} } });
        for (const row of records) seen.add(row.id);
      }
      expect(seen.size).toBe(total);
    }
    const refused = await owner.send(listListings, { body: { sort: 'title; drop table', filter: {} } });
    expect(refused.code).toBe(400);
  });

  it('exports what the filter shows, in the columns asked for', async () => {
    const { total } = await owner.call(listListings, { body: { filter: { state: ['ACTIVE'] } } });
    const file = await owner.send(exportListings, {
      body: { format: 'csv', columns: ['product', 'price', 'state'], filter: { state: ['ACTIVE'] } },
    });
    const lines = file.raw.toString('utf8').replace('\uFEFF', '').trim().split('\r\n');
    expect(lines[0]).toBe('商品,售价,商品状态');
    expect(lines).toHaveLength(total + 1);
    expect(lines[1]).toMatch(/在售$/);
  });

  it('changes prices in bulk, and each listing keeps its old price until the marketplace shows the new one', async () => {
    const { records } = await owner.call(listListings, { body: { pagesize: 100, filter: { state: ['ACTIVE'] } } });
    const [cheap, dear] = records.filter(({ price, marketplaceId }) => price !== null && marketplaceId === US);
    const own = records.find(({ fulfilledBy }) => fulfilledBy === 'MERCHANT');
    const fba = records.find(({ fulfilledBy }) => fulfilledBy === 'AMAZON');
    if (!cheap || !dear || !own || !fba) throw new Error('the seller has no such listings');
    const by = (row: ListingRow, factor: string) => new Decimal(row.price ?? 0).times(factor).toFixed(2);
    const wrong = await owner.send(adjustOffers, { body: { changes: [{ id: fba.id, quantity: 5 }] } });
    expect(wrong.data).toMatchObject({ fields: [{ field: 'changes.0.quantity', title: '新库存' }] });
    const big = await owner.send(adjustOffers, { body: { changes: [{ id: cheap.id, price: by(cheap, '0.5') }] } });
    expect(big.data).toMatchObject({ code: BIG_CHANGE });
    const changes = [
      { id: cheap.id, price: by(cheap, '1.1') },
      { id: dear.id, price: by(dear, '0.9') },
      ...(own.id === cheap.id || own.id === dear.id ? [] : [{ id: own.id, quantity: 7 }]),
    ];
    const done = await owner.call(adjustOffers, { body: { changes, reason: '换季' } });
    expect(done.changes).toBe(changes.length);
    await expect.poll(async () => statesOf(changes.length), { timeout: PATIENCE_MS }).toEqual(['confirmed']);
    const after = await owner.call(listListings, { body: { filter: { skus: [cheap.sellerSku] } } });
    const shown = after.records.find(({ id }) => id === cheap.id);
    expect(shown).toMatchObject({ price: new Decimal(by(cheap, '1.1')).toFixed(4), pendingPrice: null });
    const feeds = await owner.call(listFeeds, { body: { filter: {} } });
    expect(feeds.records.map(({ status, refused }) => [status, refused])).toEqual(feeds.records.map(() => ['done', 0]));
    const feed = await owner.call(feedDetail, { params: { id: feeds.records[0]?.id ?? '' } });
    expect(feed.steps.every((step) => step.done)).toBe(true);
    const sent = await owner.send(feedDocument, { params: { id: feed.id, which: 'sent' } });
    expect(JSON.parse(sent.raw.toString())).toMatchObject({
      header: { version: '2.0' },
      messages: expect.arrayContaining([expect.objectContaining({ messageId: 1 })]),
    });
    const queue = await owner.call(listOfferChanges, { body: { filter: { listingId: cheap.id } } });
    const reverted = await owner.call(revertOffers, { body: { ids: queue.records.map(({ id }) => id) } });
    expect(reverted).toEqual({ changes: 1, feeds: 1, requests: 0 });
    await expect.poll(async () => statesOf(changes.length + 1), { timeout: PATIENCE_MS }).toEqual(['confirmed']);
    const back = await owner.call(listListings, { body: { filter: { skus: [cheap.sellerSku] } } });
    expect(back.records.find(({ id }) => id === cheap.id)?.price).toBe(cheap.price);
    const late = await owner.send(cancelOffers, { body: { ids: queue.records.map(({ id }) => id) } });
    expect(late.code).toBe(409);
    const again = await owner.send(adjustOffers, { body: { changes: [{ id: cheap.id, price: cheap.price ?? '' }] } });
    expect(again.data).toMatchObject({ code: 'B0791' });
    const viewer = await world.member(owner, ['amz:price:view', 'amz:feed:view']);
    expect((await viewer.send(adjustOffers, { body: { changes } })).status).toBe(403);
    expect((await viewer.call(countOfferChanges, { body: { filter: {} } })).all).toBe(changes.length + 1);
  });

  it('shows it to nobody without the right, nor to another company', async () => {
    const [row] = (await owner.call(listListings, { body: { filter: {} } })).records;
    const id = row?.id ?? '';
    const blind = await world.member(owner, ['amz:store:view']);
    expect((await blind.send(listListings, { body: { filter: {} } })).status).toBe(403);
    expect((await blind.send(listingDetail, { params: { id } })).status).toBe(403);
    const viewer = await world.member(owner, ['amz:listing:view']);
    expect((await viewer.call(listingDetail, { params: { id } })).sellerSku).toBe(row?.sellerSku);
    expect((await viewer.send(exportListings, { body: { filter: {} } })).status).toBe(403);
    const stranger = await world.owner('别家');
    expect((await stranger.call(listListings, { body: { filter: {} } })).total).toBe(0);
    expect(
      (await stranger.call(listListings, { body: { filter: { sites: [`${US}-${row?.accountId}`] } } })).total,
    ).toBe(0);
    expect((await stranger.send(listingDetail, { params: { id } })).status).toBe(404);
  });
});
