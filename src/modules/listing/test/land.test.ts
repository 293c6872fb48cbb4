import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { countListings, listingDetail, listListings } from '../contract.ts';
import type { ListingFact, SnapshotOf } from '../server/fact.ts';
import { productInfo, productKey } from '../server/index.ts';
import { landListings } from '../server/land.ts';
import { listingLoader } from '../server/loader.ts';
import { CA, fact, issue, listingsFile, makeAccount, source, US } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const shop = (): Promise<AccountRef> => makeAccount(world, owner, `店铺 ${randomUUID().slice(0, 8)}`);

function land(account: AccountRef, asOf: string, facts: readonly ListingFact[], part: Partial<SnapshotOf> = {}) {
  const of = { accountId: account.id, marketplaceId: US, asOf, source: 'api' as const, full: true, ...part };
  return world.as(owner, (ctx) => landListings(ctx, of, [facts]));
}

const listOf = (account: AccountRef, filter: object = {}) =>
  owner.call(listListings, {
    body: { pagesize: 100, sort: 'product', order: 'asc', filter: { ...sites(account), ...filter } },
  });
const sites = (account: AccountRef) => ({ sites: [`${US}-${account.id}`, `${CA}-${account.id}`] });

async function detailOf(account: AccountRef, sku: string) {
  const { records } = await listOf(account, { skus: [sku] });
  return owner.call(listingDetail, { params: { id: records[0]?.id ?? '' } });
}

/** Row versions of an account: they change with every write, even one that changes nothing. */
async function versions(account: AccountRef) {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ seller_sku: string; xmin: string }>`
      SELECT seller_sku, xmin::text FROM listing.listing
       WHERE company_id = ${ctx.companyId} AND account_id = ${account.id} ORDER BY 1`.execute(ctx.db);
    return rows;
  });
}

describe('landing snapshots', () => {
  it('writes a snapshot once: the same again touches no row', async () => {
    const account = await shop();
    const facts = [fact('A'), fact('B / 2 #%\t\\N', { issues: [issue({ message: '缺少\n图片' })] })];
    expect(await land(account, '2026-03-01T00:00:00Z', facts)).toEqual({
      rowsIn: 2,
      inserted: 2,
      updated: 0,
      unchanged: 0,
    });
    const before = await versions(account);
    expect(await land(account, '2026-03-01T01:00:00Z', facts)).toEqual({
      rowsIn: 2,
      inserted: 0,
      updated: 0,
      unchanged: 2,
    });
    expect(await versions(account)).toEqual(before);
    const { issues } = await detailOf(account, 'B / 2 #%\t\\N');
    expect(issues).toMatchObject([{ code: '1', message: '缺少\n图片', severity: 'ERROR' }]);
  });

  it('marks what a full snapshot lacks as gone, and takes it back when it returns', async () => {
    const account = await shop();
    await land(account, '2026-03-01T00:00:00Z', [fact('A'), fact('B')]);
    await land(account, '2026-03-02T00:00:00Z', [fact('A')], { full: false });
    expect((await listOf(account)).records.map((row) => row.state)).toEqual(['ACTIVE', 'ACTIVE']);
    await land(account, '2026-03-03T00:00:00Z', [fact('A')]);
    expect((await listOf(account)).records.map((row) => row.state)).toEqual(['ACTIVE', 'GONE']);
    expect((await detailOf(account, 'B')).goneAt).toBe('2026-03-03T00:00:00.000Z');
    await land(account, '2026-03-04T00:00:00Z', [fact('A'), fact('B')]);
    expect((await listOf(account)).records.map((row) => row.state)).toEqual(['ACTIVE', 'ACTIVE']);
  });

  it('leaves a late older snapshot alone', async () => {
    const account = await shop();
    await land(account, '2026-03-05T00:00:00Z', [fact('A', { price: '25' })]);
    const late = await land(account, '2026-03-04T00:00:00Z', [fact('A', { price: '9' }), fact('Z')]);
    expect(late).toEqual({ rowsIn: 2, inserted: 0, updated: 0, unchanged: 2 });
    const { records } = await listOf(account);
    expect(records.map((row) => [row.sellerSku, row.price])).toEqual([['A', '25.0000']]);
  });

  it('logs every change of price, newest first', async () => {
    const account = await shop();
    for (const [day, price] of [
      ['01', '10'],
      ['02', '12.5'],
      ['03', '12.50'],
      ['04', null],
    ] as const) {
      await land(account, `2026-03-${day}T00:00:00Z`, [fact('A', { price })]);
    }
    const { prices } = await detailOf(account, 'A');
    expect(prices.map(({ oldPrice, newPrice, seenAt }) => [oldPrice, newPrice, seenAt.slice(0, 10)])).toEqual([
      ['12.5000', null, '2026-03-04'],
      ['10.0000', '12.5000', '2026-03-02'],
    ]);
  });

  it('ends, after any deliveries in any order, where the newest snapshot stands', async () => {
    const snapshot = fc.record({
      hour: fc.integer({ min: 0, max: 23 }),
      skus: fc.uniqueArray(
        fc.record({ sku: fc.constantFrom('A', 'B', 'C'), price: fc.constantFrom('1', '2.5', null) }),
        { selector: (one) => one.sku },
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(snapshot, { minLength: 1, maxLength: 5, selector: (s) => s.hour }),
        async (all) => {
          const account = await shop();
          for (const { hour, skus } of all) {
            const facts = skus.map(({ sku, price }) => fact(sku, { price }));
            await land(account, new Date(Date.UTC(2026, 2, 1, hour)).toISOString(), facts);
          }
          const newest = all.toSorted((a, b) => b.hour - a.hour)[0];
          const live = (await listOf(account)).records.filter((row) => row.state !== 'GONE');
          const wanted = (newest?.skus ?? []).toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
          expect(live.map((row) => [row.sellerSku, row.price && plainDecimal(row.price)])).toEqual(
            wanted.map(({ sku, price }) => [sku, price && plainDecimal(price)]),
          );
          const counts = await owner.call(countListings, { body: { filter: sites(account) } });
          const { all: sum, ...parts } = counts;
          expect(sum).toBe((await listOf(account)).total);
          expect(sum).toBe(Object.values(parts).reduce((total, n) => total + n, 0));
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('report files', () => {
  const load = (text: string, account: AccountRef, part = {}) =>
    world.as(owner, (ctx) => listingLoader.load(ctx, source(account, text, part)));

  it('adds what the file knows and keeps what only the API knows', async () => {
    const account = await shop();
    await land(account, '2026-03-01T00:00:00Z', [
      fact('A', { title: '蓝色台灯', issues: [issue({ code: '9', message: 'x', severity: 'WARNING' })] }),
    ]);
    const file = listingsFile([
      { sku: 'A', title: '?????', price: '21.00', status: 'Inactive' },
      { sku: 'M', title: 'Own stock', channel: 'DEFAULT', quantity: '7' },
    ]);
    expect(await load(file, account)).toMatchObject({ rowsIn: 2, inserted: 1, updated: 1, unchanged: 0 });
    const a = await detailOf(account, 'A');
    expect(a).toMatchObject({
      title: '蓝色台灯',
      price: '21.0000',
      state: 'INACTIVE',
      fnsku: 'X000000001',
      issueCount: 1,
    });
    const m = await detailOf(account, 'M');
    expect(m).toMatchObject({
      fulfilledBy: 'MERCHANT',
      quantity: 7,
      currency: 'USD',
      source: 'report',
      title: 'Own stock',
    });
  });

  it('changes nothing when the same file comes twice, even after newer news', async () => {
    const account = await shop();
    const file = listingsFile([{ sku: 'A', price: '10' }]);
    await load(file, account);
    expect(await load(file, account)).toMatchObject({ rowsIn: 1, inserted: 0, updated: 0, unchanged: 1 });
    await land(account, new Date(worldClock().ms() + 60_000).toISOString(), [fact('A', { price: '30' })]);
    await load(file, account);
    expect((await detailOf(account, 'A')).price).toBe('30.0000');
  });

  it('sets a line aside that cannot be read, and then takes nothing for gone', async () => {
    const account = await shop();
    await land(account, '2026-03-01T00:00:00Z', [fact('B'), fact('C')]);
    const counts = await load(listingsFile([{ sku: 'A' }, { sku: 'B', price: 'abc' }]), account);
    expect(counts).toMatchObject({ inserted: 1, quarantined: 1, refused: [{ lineNo: 3 }] });
    expect((await listOf(account)).total).toBe(3);
  });

  it('refuses a file full of bad lines, and one for no single site', async () => {
    const account = await shop();
    const broken = listingsFile(Array.from({ length: 30 }, (_, n) => ({ sku: `B${n}`, price: 'abc' })));
    await expect(load(broken, account)).rejects.toThrow(/30 行无法读取/);
    expect((await listOf(account)).total).toBe(0);
    await expect(load(listingsFile([{ sku: 'A' }]), account, { marketplaceIds: [US, CA] })).rejects.toThrow(
      '请选择站点',
    );
  });

  it('says before the load what is in the file', async () => {
    const account = await shop();
    const file = listingsFile([{ sku: 'A' }, { sku: 'A' }, { sku: 'B', status: 'Inactive' }]);
    const check = await listingLoader.check(source(account, file));
    expect(check).toMatchObject({ rows: 3, summary: '美国 · 2 个商品 · 在售 2' });
    expect(check.warnings).toContain('1 行的 SKU 重复，以最后一行为准');
    expect((await listOf(account)).total).toBe(0);
  });
});

it('names products for the lists of other modules, and only those of the company', async () => {
  const account = await shop();
  await land(account, '2026-03-01T00:00:00Z', [fact('A', { title: '蓝色台灯' })]);
  const key = { accountId: account.id, marketplaceId: US, sellerSku: 'A' };
  const found = await world.as(owner, (ctx) => productInfo(ctx, [key, { ...key, sellerSku: 'nobody' }]));
  expect([...found]).toEqual([
    [productKey(key), { name: '蓝色台灯', code: 'A', image: 'https://images.example.com/1.jpg', extra: 'B000000001' }],
  ]);
  const stranger = await world.owner('别家');
  expect((await world.as(stranger, (ctx) => productInfo(ctx, [key]))).size).toBe(0);
});
