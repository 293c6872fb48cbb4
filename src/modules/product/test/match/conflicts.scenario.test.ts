import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { countMatches, deleteMatches, exportMatches, listMatches, saveMatches } from '../../contract/match.ts';
import { autoMatch, previewMatch, saveRule } from '../../contract/match-rules.ts';
import { inheritMatches, previewInherit } from '../../contract/match-suggest.ts';
import { saveCost } from '../../contract.ts';
import { finished } from '../support.ts';
import { account, offers, SITES } from './support.ts';

let world: World;
let house: House;
let shop: string;

const at = (site: keyof typeof SITES, msku: string) => ({ accountId: shop, marketplaceId: SITES[site], msku });
const pair = (site: keyof typeof SITES, msku: string, sku: string, qty = 1) =>
  house.owner.call(saveMatches, {
    body: { listings: [at(site, msku)], parts: [{ productId: productOf(house, sku), qty }] },
  });
const rows = async (filter: object) =>
  (await house.owner.call(listMatches, { body: { filter, pagesize: 100 } })).records.map((row) => [
    row.store.country,
    row.msku,
    row.state,
    row.partsText,
  ]);

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A', 'B']);
  await world.work();
  shop = await account(world, house.owner, '环球店');
  await offers(world, house.owner, shop, [
    { site: 'US', msku: 'M-1', asin: 'B01', fnsku: 'X1' },
    { site: 'CA', msku: 'M-1', asin: 'B01', fnsku: 'X1' },
    { site: 'UK', msku: 'M-1', asin: 'B09' },
    { site: 'DE', msku: 'OTHER', asin: 'B01', fnsku: 'X1' },
    { site: 'US', msku: 'A-US' },
    { site: 'DE', msku: 'B-US' },
    { site: 'US', msku: 'B#red' },
    { site: 'US', msku: 'kd.B.2026' },
  ]);
});
afterAll(() => world.close());

describe('conflicts', () => {
  it('are one MSKU that stands for different things on two sites, or one FNSKU that does', async () => {
    await pair('US', 'M-1', 'A');
    expect((await house.owner.call(countMatches, { body: {} })).conflict).toBe(0);
    await pair('CA', 'M-1', 'A', 2);
    expect(await rows({ state: 'conflict' })).toEqual([
      ['US', 'M-1', 'conflict', 'A×1'],
      ['CA', 'M-1', 'conflict', 'A×2'],
    ]);
    await pair('CA', 'M-1', 'A');
    expect((await house.owner.call(countMatches, { body: {} })).conflict).toBe(0);
    await pair('DE', 'OTHER', 'B');
    const found = (await house.owner.call(listMatches, { body: { filter: { state: 'conflict' } } })).records;
    expect(found.map((row) => row.conflict)).toEqual(['fnsku', 'fnsku', 'fnsku']);
    const [de] = (await house.owner.call(listMatches, { body: { filter: { mskus: ['OTHER'] } } })).records;
    await house.owner.call(deleteMatches, { body: { matchIds: [de?.matchId ?? ''] } });
    expect((await house.owner.call(countMatches, { body: {} })).conflict).toBe(0);
  });
});

describe('inheritance', () => {
  it('goes to the same MSKU or ASIN of other sites, shown before, and changes nothing that stands for something else', async () => {
    await pair('UK', 'M-1', 'B');
    const ask = (body: object) => ({
      body: { listings: [at('US', 'M-1')], by: ['asin', 'msku'] as ('asin' | 'msku')[], ...body },
    });
    const plan = await house.owner.call(previewInherit, ask({}));
    expect(plan).toMatchObject({ paired: 1, different: 1 });
    expect(plan.sample.map((one) => [one.country, one.msku, one.partsText])).toEqual([['DE', 'OTHER', 'A×1']]);
    expect((await rows({ mskus: ['OTHER'] }))[0]?.[2]).toBe('unmatched');
    expect(await house.owner.call(inheritMatches, ask({}))).toMatchObject({ paired: 1 });
    const [de] = (await house.owner.call(listMatches, { body: { filter: { mskus: ['OTHER'] } } })).records;
    expect(de).toMatchObject({ state: 'matched', way: 'inherit', partsText: 'A×1' });
    expect(await house.owner.call(inheritMatches, ask({}))).toMatchObject({ paired: 0, different: 1 });
  });

  it('settles a conflict from today on where it is told to replace', async () => {
    expect((await rows({ state: 'conflict' })).length).toBeGreaterThan(0);
    const body = { listings: [at('US', 'M-1')], by: ['msku' as const], replace: true };
    expect(await house.owner.call(inheritMatches, { body })).toMatchObject({ paired: 1, different: 0 });
    expect(await rows({ state: 'conflict' })).toEqual([]);
    expect((await rows({ mskus: ['M-1'] })).map((row) => row[3])).toEqual(['A×1', 'A×1', 'A×1']);
  });

  it('takes nobody else’s listings', async () => {
    const outsider = await world.owner('别的公司');
    const theft = await outsider.send(inheritMatches, { body: { listings: [at('US', 'M-1')], by: ['msku'] } });
    expect(theft.code).toBe(404);
    const open = await house.owner.send(inheritMatches, { body: { listings: [at('US', 'A-US')], by: ['msku'] } });
    expect(open.msg).toBe('A-US 还没有配对，不能继承');
  });
});

describe('rules', () => {
  it('take off the country of the site alone, stop at a separator and read wildcards', async () => {
    const rule = (body: object) => house.owner.call(saveRule, { body: body as never });
    await rule({ name: '国家', way: 'country', sort: 1, qty: 1 });
    await rule({ name: '截取', way: 'head', pattern: '#', sort: 2, qty: 2 });
    await rule({ name: '通配', way: 'wildcard', pattern: 'kd.{SKU}.*', sort: 3 });
    const plan = await house.owner.call(previewMatch, { body: {} });
    expect(plan.sample.map((one) => [one.msku, one.sku, one.rule])).toEqual([
      ['A-US', 'A', '国家'],
      ['B#red', 'B', '截取'],
      ['kd.B.2026', 'B', '通配'],
    ]);
    expect(await finished(house.owner, autoMatch)).toBe('共配对 3 个商品：国家 1，截取 1，通配 1');
    expect((await rows({ mskus: ['B#red', 'B-US'] })).map((row) => row.slice(1))).toEqual([
      ['B#red', 'matched', 'B×2'],
      ['B-US', 'unmatched', ''],
    ]);
    const wrong = await house.owner.send(saveRule, { body: { name: 'x', way: 'wildcard', pattern: 'kd.*' } });
    expect(wrong.msg).toBe('通配符须含且只含一个 {SKU}');
  });
});

describe('a row of the list', () => {
  it('shows stock here and at Amazon, cost and weight of one of the listing', async () => {
    await stocked(world, house, 'B', 7, '1');
    await house.owner.call(saveCost, { body: { sku: 'B', unitCost: '3.5' } });
    await world.as(house.owner, async ({ db, companyId }) => {
      await sql`INSERT INTO product.dimension (company_id, product_id, role, weight) VALUES (${companyId}, ${productOf(house, 'B')}, 'packed', 0.25)`.execute(
        db,
      );
      await sql`
        INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, unsellable, source, as_of)
        VALUES (${companyId}, ${shop}, ${SITES.US}, 'B#red', 'New', 4, 1, 'api', kit.now())`.execute(db);
    });
    const [row] = (await house.owner.call(listMatches, { body: { filter: { mskus: ['B#red'] } } })).records;
    expect(row).toMatchObject({ fba: 5, units: 2, local: 3, unitCost: '7', weight: '0.5' });
    const reader = await world.member(house.owner, ['erp:product:view']);
    const [seen] = (await reader.call(listMatches, { body: { filter: { mskus: ['B#red'] } } })).records;
    expect(seen).not.toHaveProperty('unitCost');
    const file = await house.owner.send(exportMatches, { body: { format: 'csv', filter: { mskus: ['B#red'] } } });
    expect(file.raw.toString('utf8')).toMatch(/B#red.*,5,.*B×2,2,3,7/s);
  });
});
