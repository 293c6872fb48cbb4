import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import type { Person } from '#test/support/world.ts';
import { countStock, exportStock, listStock, stockSummary, stockTimeline } from '../contract.ts';
import { stockOf } from '../server/query.ts';
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

/** The stock as the marketplace itself keeps it. */
function truth() {
  const account = world.sandbox.business.accounts.find(
    (one) => one.sellingPartnerId === 'A1SANDBOX0001' && one.region === 'na',
  );
  if (!account) throw new Error('the sandbox has no such seller');
  return account.marketplaceIds
    .flatMap((id) => world.sandbox.business.stock(account, id, world.sandbox.clock.now()))
    .filter((one) => one.product.fulfilment === 'AFN');
}

describe('a seller who has just connected a store', () => {
  it('sees the stock of every SKU, piece by piece', async () => {
    const { records, totals, asOf } = await owner.call(listStock, { body: { pagesize: 100, filter: {} } });
    const shown = records.map((row) =>
      [
        row.marketplaceId,
        row.sellerSku,
        row.fulfillable,
        row.unsellable,
        row.reservedCustomer,
        row.reservedTransfer,
        row.reservedProcessing,
        row.researching,
        row.inboundWorking,
        row.inboundShipped,
        row.inboundReceiving,
      ].join(' '),
    );
    const kept = truth().map((one) =>
      [
        one.marketplaceId,
        one.product.sku,
        one.fulfillable,
        one.unsellable,
        one.reservedCustomerOrders,
        one.reservedTransfers,
        one.reservedProcessing,
        one.researching,
        one.inboundWorking,
        one.inboundShipped,
        one.inboundReceiving,
      ].join(' '),
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.sort()).toEqual(kept.sort());
    expect(totals?.fulfillable).toBe(truth().reduce((sum, one) => sum + one.fulfillable, 0));
    expect(records.every((row) => row.total === row.statedTotal)).toBe(true);
    expect(records.every((row) => row.product.name !== '' && row.product.image)).toBe(true);
    expect(Date.parse(asOf ?? '')).toBe(world.sandbox.clock.now());
  });

  it('opens every sum: sites lead to their rows', async () => {
    const summary = await owner.call(stockSummary, { body: { filter: {} } });
    for (const site of summary.sites) {
      const { totals, total } = await owner.call(listStock, { body: { filter: { sites: [site.site] } } });
      expect(total).toBe(site.skus);
      expect(totals).toMatchObject({ fulfillable: site.fulfillable, inbound: site.inbound, total: site.total });
    }
    const counts = await owner.call(countStock, { body: { filter: {} } });
    expect(counts.all).toBe(summary.skus);
  });

  it('follows one SKU over the days', async () => {
    const row = (await owner.call(listStock, { body: { filter: {} } })).records[0];
    const { days, row: same } = await owner.call(stockTimeline, { query: { id: row?.id ?? '' } });
    expect(same.sellerSku).toBe(row?.sellerSku);
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toMatchObject({ fulfillable: row?.fulfillable, total: row?.total });
    expect(days.at(-2)?.total).toBeNull();
    const wide = await owner.send(stockTimeline, {
      query: { id: row?.id ?? '', from: '2020-01-01', to: '2026-01-01' },
    });
    expect(wide.msg).toBe('日期范围不能超过 400 天');
  });

  it('finds by word, SKU list and stock; exports what it shows', async () => {
    const row = (await owner.call(listStock, { body: { filter: {} } })).records[0];
    const word = row?.product.name.slice(0, 6).toUpperCase() ?? '';
    const found = await owner.call(listStock, { body: { pagesize: 100, filter: { keyword: word } } });
    expect(found.records.map((one) => one.id)).toContain(row?.id);
    const { total } = await owner.call(listStock, { body: { filter: { skus: [row?.sellerSku ?? ''] } } });
    const file = await owner.send(exportStock, {
      body: { format: 'csv', columns: ['product', 'fulfillable', 'total'], filter: { skus: [row?.sellerSku ?? ''] } },
    });
    const lines = file.raw.toString('utf8').replace('\uFEFF', '').trim().split('\r\n');
    expect(lines[0]).toBe('商品,可售,合计');
    expect(lines).toHaveLength(total + 1);
  });

  it('finds the same rows by a word that is known to be common', async () => {
    const row = (await owner.call(listStock, { body: { filter: {} } })).records[0];
    const ids = (keyword: string, common: boolean) =>
      world.as(owner, (ctx) => stockOf(ctx, { keyword }, common).select('s.id').orderBy('s.id').execute());
    const words = [row?.product.name.slice(0, 6), row?.sellerSku, 'a', '%', '_', ''].map((word) => word ?? '');
    for (const word of words) expect(await ids(word, true), word).toEqual(await ids(word, false));
    expect((await ids('a', true)).length).toBeGreaterThan(1);
    expect(await ids('%', true)).toEqual([]);
  });

  it('shows it to nobody without the right, nor to another company', async () => {
    const row = (await owner.call(listStock, { body: { filter: {} } })).records[0];
    const id = row?.id ?? '';
    const blind = await world.member(owner, ['amz:listing:view']);
    expect((await blind.send(listStock, { body: { filter: {} } })).status).toBe(403);
    expect((await blind.send(stockSummary, { body: { filter: {} } })).status).toBe(403);
    expect((await blind.send(stockTimeline, { query: { id } })).status).toBe(403);
    const viewer = await world.member(owner, ['amz:inventory:view']);
    expect((await viewer.call(stockTimeline, { query: { id } })).row.id).toBe(id);
    expect((await viewer.send(exportStock, { body: { filter: {} } })).status).toBe(403);
    const stranger = await world.owner('别家');
    expect((await stranger.call(listStock, { body: { filter: { sites: [`${US}-${row?.accountId}`] } } })).total).toBe(
      0,
    );
    expect((await stranger.call(stockSummary, { body: { filter: {} } })).sites).toEqual([]);
    expect((await stranger.send(stockTimeline, { query: { id } })).status).toBe(404);
  });
});
