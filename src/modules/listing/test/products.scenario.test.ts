import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { countListings, exportListings, listingDetail, listListings } from '../contract.ts';
import { US } from './support.ts';

let world: MarketplaceWorld;
let owner: Person;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  await world.work();
  const { accountId } = await connectStore(owner);
  await untilSynced(owner, accountId);
}, 120_000);
afterAll(() => world.close());

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
        `${one.marketplaceId} ${one.product.sku} ${Number(one.price)} ${one.status} ${one.quantity ?? '-'} ${one.issues.length}`,
    )
    .sort();
}

describe('a seller who has just connected a store', () => {
  it('sees every listing with its price and state', async () => {
    const { records, asOf } = await owner.call(listListings, { body: { pagesize: 100, filter: {} } });
    const shown = records.map(
      (row) =>
        `${row.marketplaceId} ${row.sellerSku} ${Number(row.price)} ${row.state} ${row.quantity ?? '-'} ${row.issueCount}`,
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
