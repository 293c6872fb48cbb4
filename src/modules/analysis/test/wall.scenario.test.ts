import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { productAds } from '#modules/advertising/contract/lists.ts';
import { listStock } from '#modules/inventory/contract.ts';
import { countListings } from '#modules/listing/contract.ts';
import { listProfit } from '#modules/profit/contract/report.ts';
import { traffic } from '#modules/report/contract/reports.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld, untilSynced } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { connectAds } from '#test/support/truth-ads.ts';
import type { Person } from '#test/support/world.ts';
import { careListings, carePeople, readWeights, saveWeights } from '../contract/care.ts';
import { listingTrend } from '../contract/trend.ts';
import { exportWall, listWall, type WallFilter, type WallRow } from '../contract/wall.ts';
import { profitFrom, refresh } from '../server/refresh.ts';
import { rowsOf } from '../server/relation.ts';

const US = 'ATVPDKIKX0DER';
let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let rows: WallRow[];
let worker: Awaited<ReturnType<MarketplaceWorld['work']>>;

const wall = (filter: WallFilter, more: object = {}) =>
  owner.call(listWall, { body: { pagesize: 100, filter, ...more } });
const weekOf = (to: string | null) => {
  if (to === null) throw new Error('no figures at all');
  return { from: new Date(Date.parse(to) - 6 * 86_400_000).toISOString().slice(0, 10), to };
};
const refreshAll = () => world.as(owner, (ctx) => refresh(ctx, { accountId }));

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  worker = await world.work();
  const store = await connectStore(owner);
  ({ accountId } = store);
  await connectAds(owner, store.storeId, 'A1SANDBOX0001');
  await untilSynced(owner, accountId);
});
afterAll(() => world.close());

describe('商品分析 of a seller with orders, visits, ads and stock', () => {
  it('has its rows soon after the facts, by itself', async () => {
    const facts = async () => [
      (await owner.call(productAds.list, { body: { filter: {} } })).total > 0,
      (await owner.call(traffic.list, { body: { filter: {} } })).total > 0,
      (await owner.call(listProfit, { body: { filter: { date: { from: '2026-06-01', to: '2026-07-31' } } } })).total >
        0,
    ];
    await expect.poll(facts, { timeout: PATIENCE_MS }).toEqual([true, true, true]);
    await expect.poll(async () => (await wall({ shown: 'all' })).total, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
    // Nothing comes any more: what follows looks at one state of the facts.
    await worker.stop();
  });

  it('has a row for every listing, and making them anew changes nothing', async () => {
    await refreshAll();
    expect(await refreshAll()).toBe(0);
    const counts = await owner.call(countListings, { body: { filter: {} } });
    const found = await wall({ shown: 'all' });
    expect(found.total).toBe(counts.all);
    expect(found.records.some((row) => (row.units30 ?? 0) > 0)).toBe(true);
    rows = found.records;
  });

  it('finds the same rows by a word that is known to be common', async () => {
    const ids = (keyword: string, common: boolean) =>
      world.as(owner, async (ctx) => {
        const found = await sql<{ id: string }>`
          SELECT m.listing_id AS id FROM ${rowsOf(ctx, { keyword, shown: 'all' }, common)} ORDER BY 1`.execute(ctx.db);
        return found.rows.map(({ id }) => id);
      });
    const words = [rows[0]?.product.name.slice(0, 6), rows[0]?.product.code, 'a', '%', '_', ''];
    for (const word of words) expect(await ids(word ?? '', true), word).toEqual(await ids(word ?? '', false));
    expect((await ids('a', true)).length).toBeGreaterThan(1);
    expect(await ids('%', true)).toEqual([]);
  });

  it('rows thrown away come back the same', async () => {
    const text = async () =>
      world.as(owner, async (ctx) => {
        const { rows: all } = await sql<{ row: string }>`
          SELECT (to_jsonb(m) - 'as_of')::text AS row FROM analysis.listing_metric AS m
           WHERE company_id = ${ctx.companyId} ORDER BY marketplace_id, seller_sku`.execute(ctx.db);
        return all.map(({ row }) => row);
      });
    const before = await text();
    await world.as(owner, (ctx) =>
      sql`DELETE FROM analysis.listing_metric WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
    );
    await refreshAll();
    expect(await text()).toEqual(before);
  });

  it('says of stock and sales what the list of stock says', async () => {
    const stock = await owner.call(listStock, { body: { pagesize: 100, filter: { sites: [`${US}-${accountId}`] } } });
    expect(stock.records.length).toBeGreaterThan(0);
    for (const one of stock.records) {
      const row = rows.find((each) => each.sellerSku === one.sellerSku && each.marketplaceId === US);
      expect(row, one.sellerSku).toMatchObject({
        units30: one.units30,
        fulfillable: one.fulfillable,
        inbound: one.inbound,
      });
    }
  });

  it('says of visits what the traffic report adds up to', async () => {
    const seen = rows.filter((row) => row.sessions7 !== null);
    expect(seen.length).toBeGreaterThan(0);
    for (const row of seen.slice(0, 5)) {
      const { totals } = await owner.call(traffic.list, {
        body: {
          filter: {
            dates: weekOf(row.trafficTo),
            sites: [`${row.marketplaceId}-${row.accountId}`],
            skus: [row.sellerSku ?? ''],
          },
        },
      });
      expect(totals).toMatchObject({ sessions: row.sessions7, pageViews: row.pageViews7 });
      const units = Number(totals?.units);
      if (row.sessions7) expect(Number(row.conversion7)).toBeCloseTo(units / row.sessions7, 6);
    }
  });

  it('says of ads what the list of product ads adds up to', async () => {
    const row = rows.find((each) => each.clicks7 !== null);
    if (!row) throw new Error('nothing is advertised');
    const sites = [`${row.marketplaceId}-${row.accountId}`];
    const ads = await owner.call(productAds.list, {
      body: { filter: { sites, dates: weekOf(row.adsTo), products: ['SP', 'SD'] } },
    });
    const { totals } = await wall({ sites, shown: 'all' });
    expect(totals).toMatchObject({ clicks7: ads.totals?.clicks, impressions7: ads.totals?.impressions });
    const money = (of: Record<string, unknown> | undefined, field: string) => new Decimal(String(of?.[field]));
    expect(money(totals, 'adSpend7').toFixed(4)).toBe(money(ads.totals, 'cost').toFixed(4));
    expect(money(totals, 'adSales7').toFixed(4)).toBe(money(ads.totals, 'adSales').toFixed(4));
    const acos = money(totals, 'adSpend7').div(money(totals, 'adSales7'));
    expect(money(totals, 'acos7').minus(acos).abs().lessThan('0.000001')).toBe(true);
  });

  it('says of profit what the report by MSKU says', async () => {
    const row = rows.find((each) => each.profitTo !== null && each.profit30 !== null);
    if (!row) throw new Error('nothing made money');
    const to = row.profitTo ?? '';
    const report = await owner.call(listProfit, {
      body: { filter: { dimension: 'msku', date: { from: profitFrom(to), to }, skus: [row.sellerSku ?? ''] } },
    });
    const same = report.records.find((one) => one.storeKey === `${row.marketplaceId}-${row.accountId}`);
    expect(Number(row.profit30)).toBeCloseTo(Number(same?.profit), 4);
  });

  it('puts listings together by ASIN and by parent without losing a piece', async () => {
    const each = await wall({ shown: 'all' });
    for (const view of ['asin', 'parent'] as const) {
      const groups = await wall({ view, shown: 'all' });
      expect(groups.total).toBeLessThanOrEqual(each.total);
      expect(groups.records.reduce((sum, row) => sum + row.listings, 0)).toBe(each.total);
      expect(groups.totals?.units30).toBe(each.totals?.units30);
      expect(groups.records.reduce((sum, row) => sum + (row.clicks7 ?? 0), 0)).toBe(each.totals?.clicks7);
    }
  });

  it('narrows by figures and flags, orders by any of them, and exports what the filter shows', async () => {
    const sold = await wall({ units30: { from: 1 } }, { sort: 'units30', order: 'desc' });
    const units = sold.records.map((row) => row.units30 ?? 0);
    expect(units).toEqual([...units].sort((a, b) => b - a));
    expect(Math.min(...units)).toBeGreaterThan(0);
    const out = await wall({ cover: ['OUT'] });
    expect(out.records.every((row) => row.sellable === 0)).toBe(true);
    const wasted = await wall({ wasted: true });
    expect(wasted.records.every((row) => row.acos7 === null && Number(row.adSpend7) > 0)).toBe(true);
    for (const sort of listWall.sortable ?? []) {
      for (const view of ['msku', 'parent'] as const) await wall({ view }, { sort, order: 'desc' });
    }
    const skus = sold.records.slice(0, 2).map((row) => row.sellerSku ?? '');
    expect(new Set((await wall({ skus })).records.map((row) => row.sellerSku))).toEqual(new Set(skus));
    const file = await owner.send(exportWall, {
      body: { format: 'csv', columns: ['product', 'units30', 'coverDays'], filter: { units30: { from: 1 } } },
    });
    const lines = file.raw.toString('utf8').replace('\uFEFF', '').trim().split('\r\n');
    expect(lines[0]).toBe('商品,30日销量,可售天数');
    expect(lines).toHaveLength(sold.total + 1);
  });

  it('shows the days of a listing, which add up to its figures, and where they come from', async () => {
    const row = rows.find((each) => (each.units30 ?? 0) > 0);
    const found = await owner.call(listingTrend, { params: { id: row?.id ?? '' }, query: { days: '30' } });
    const whole = found.days.filter(({ day }) => day <= (row?.salesTo ?? ''));
    expect(whole).toHaveLength(30);
    expect(whole.reduce((sum, day) => sum + (day.units ?? 0), 0)).toBe(row?.units30);
    expect(found.sources.find((one) => one.figure === '销量')?.to).toBe(row?.salesTo);
  });

  it('keeps owner, remark and hiding when the figures are made anew', async () => {
    const [first, second] = rows.filter((row) => row.state !== 'GONE');
    if (!first || !second) throw new Error('too few listings');
    const [person] = await owner.call(carePeople, {});
    const set = { ownerId: person?.id ?? null, remark: '主推' };
    await owner.call(careListings, { body: { ids: [first.id, second.id], set } });
    await owner.call(careListings, { body: { ids: [second.id], set: { hidden: true } } });
    expect(await refreshAll()).toBe(0);
    const mine = await wall({ owners: [person?.id ?? ''] });
    expect(mine.records).toMatchObject([{ id: first.id, owner: person?.name, remark: '主推' }]);
    expect((await wall({ shown: 'hidden' })).records.map((row) => row.id)).toEqual([second.id]);
    const wrong = await owner.send(careListings, { body: { ids: [first.id], set: { ownerId: randomUUID() } } });
    expect(wrong.data).toMatchObject({ code: 'B0922' });
    expect((await owner.send(careListings, { body: { ids: [randomUUID()], set: { remark: '' } } })).code).toBe(404);
  });

  it('reckons the average with the weights that the company chose', async () => {
    const now = await owner.call(readWeights, {});
    expect(now).toMatchObject({ weight30: '0.2', weight15: '0.3', weight7: '0.5', version: 0 });
    const wrong = await owner.send(saveWeights, { body: { ...now, weight7: '0.6' } });
    expect(wrong.data).toMatchObject({ code: 'B0920' });
    const saved = { ...now, weight30: '1', weight15: '0', weight7: '0' };
    await owner.call(saveWeights, { body: saved });
    expect((await owner.send(saveWeights, { body: saved })).code).toBe(409);
    await refreshAll();
    const row = (await wall({ units30: { from: 1 }, shown: 'all' })).records.find(
      (one) => one.openedAt !== null && Date.parse(one.openedAt) < world.sandbox.clock.now() - 40 * 86_400_000,
    );
    if (row) expect(row.avgDaily).toBe(new Decimal(row.units30 ?? 0).div(30).toFixed(4));
  });

  it('shows nothing to another company, to whom the store is closed, or without the right', async () => {
    const id = rows[0]?.id ?? '';
    const stranger = await world.owner('别家');
    expect((await stranger.call(listWall, { body: { filter: { shown: 'all' } } })).total).toBe(0);
    expect((await stranger.send(listingTrend, { params: { id }, query: {} })).status).toBe(404);
    expect((await stranger.send(careListings, { body: { ids: [id], set: { remark: 'x' } } })).code).toBe(404);
    const blind = await world.member(owner, ['amz:listing:view']);
    expect((await blind.send(listWall, { body: { filter: {} } })).status).toBe(403);
    const viewer = await world.member(owner, ['amz:analysis:view']);
    const seen = await viewer.call(listWall, { body: { filter: { shown: 'all' } } });
    expect(seen.total).toBe(rows.length);
    expect(seen.records.every((row) => !('profit30' in row) || row.profit30 === undefined)).toBe(true);
    expect((await viewer.send(listWall, { body: { filter: { margin30: { from: 1 } } } })).data).toMatchObject({
      code: 'B0921',
    });
    expect((await viewer.send(listWall, { body: { sort: 'profit30', filter: {} } })).code).toBe(400);
    await world.as(owner, (ctx) =>
      sql`INSERT INTO identity.member_scope (company_id, member_id, dimension, mode)
          VALUES (${ctx.companyId}, ${viewer.userId}, 'store', 'LIST')`.execute(ctx.db),
    );
    await expect
      .poll(async () => (await viewer.call(listWall, { body: { filter: { shown: 'all' } } })).total, {
        timeout: PATIENCE_MS,
      })
      .toBe(0);
  });
});
