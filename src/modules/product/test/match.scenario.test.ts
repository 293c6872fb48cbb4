import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { commitTable } from '../contract/imports.ts';
import {
  countMatches,
  deleteMatches,
  exportMatches,
  listMatches,
  matchHistory,
  saveMatches,
} from '../contract/match.ts';
import { autoMatch, previewMatch, saveRule } from '../contract/match-rules.ts';
import { productDetail, saveProduct } from '../contract/material.ts';
import { saveCost } from '../contract.ts';
import { patternProblem, replacementOf } from '../server/match/rule-words.ts';
import { check, finished, product } from './support.ts';

const US = 'ATVPDKIKX0DER';

let world: World;
let owner: Person;
let accountId: string;

/** A store that sells these MSKUs. */
async function shop(person: Person, name: string, mskus: readonly string[]): Promise<string> {
  return world.as(person, async (ctx) => {
    const store = randomUUID();
    const account = randomUUID();
    await sql`INSERT INTO marketplace.store (company_id, id, name) VALUES (${person.companyId}, ${store}, ${name})`.execute(
      ctx.db,
    );
    await sql`
      INSERT INTO marketplace.seller_account (company_id, id, store_id, selling_partner_id, region, application_id, refresh_token_sealed, expires_at)
      VALUES (${person.companyId}, ${account}, ${store}, ${account}, 'na', 'test', '-', kit.now() + interval '1 year')`.execute(
      ctx.db,
    );
    await sql`
      INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, currency, title, status, source, as_of, first_seen_at)
      SELECT ${person.companyId}, ${account}, ${US}, s, 'USD', 'Listing ' || s, 'ACTIVE', 'api', kit.now(), kit.now() FROM unnest(${[...mskus]}::text[]) AS s`.execute(
      ctx.db,
    );
    return account;
  });
}

const ref = (msku: string) => ({ accountId, marketplaceId: US, msku });
const costs = (msku: string) =>
  world.as(owner, async (ctx) => {
    const { rows } = await sql<{ day: string; own: boolean; cost: string | null }>`
      SELECT valid_from AS day, own, unit_cost AS cost FROM product.listing_cost
       WHERE company_id = ${owner.companyId} AND msku = ${msku} ORDER BY valid_from`.execute(ctx.db);
    return rows.map((row) => [row.day, row.own, row.cost]);
  });

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  await world.work();
  accountId = await shop(owner, '北美店', ['CUP-1', 'CUP-1-FBA', 'amz.CUP-2.a', 'SET-1', 'NOTHING', 'PACK3-CUP-2']);
});
afterAll(() => world.close());

describe('what a listing stands for', () => {
  it('is the product of the same name until it is matched, and again afterwards', async () => {
    const cup = await product(owner, 'cup-1');
    const two = await product(owner, 'CUP-2');
    expect(await owner.call(countMatches, { body: {} })).toEqual({
      unmatched: 5,
      conflict: 0,
      implied: 1,
      matched: 0,
      all: 6,
    });
    const [row] = (await owner.call(listMatches, { body: { filter: { mskus: ['CUP-1'] } } })).records;
    expect(row).toMatchObject({
      state: 'implied',
      partsText: 'cup-1×1',
      way: 'implied',
      store: { name: '北美店', country: 'US' },
    });
    const parts = [
      { productId: cup, qty: 2 },
      { productId: two, qty: 1 },
    ];
    await owner.call(saveMatches, { body: { listings: [ref('SET-1'), ref('CUP-1')], parts } });
    const found = await owner.call(listMatches, { body: { filter: { state: 'matched', sku: 'CUP-2' } } });
    expect(found.records.map((one) => [one.msku, one.partsText])).toEqual([
      ['CUP-1', 'CUP-2×1 + cup-1×2'],
      ['SET-1', 'CUP-2×1 + cup-1×2'],
    ]);
    const ids = found.records.flatMap((one) => (one.msku === 'CUP-1' && one.matchId ? [one.matchId] : []));
    expect(await owner.call(deleteMatches, { body: { matchIds: ids } })).toEqual({ removed: 1 });
    expect((await owner.call(listMatches, { body: { filter: { mskus: ['CUP-1'] } } })).records[0]?.state).toBe(
      'implied',
    );
    const detail = await owner.call(productDetail, { params: { id: two } });
    expect(detail.listings.map((one) => [one.msku, one.qty])).toEqual([['SET-1', 1]]);
    const file = await owner.send(exportMatches, { body: { format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('CUP-2×1 + cup-1×2');
  });

  it('changes from a day on; what held before ends the day before', async () => {
    const a = await product(owner, 'TIME-A');
    const b = await product(owner, 'TIME-B');
    const save = (productId: string, validFrom?: string) =>
      owner.call(saveMatches, {
        body: { listings: [ref('NOTHING')], parts: [{ productId, qty: 1 }], ...(validFrom ? { validFrom } : {}) },
      });
    await save(a);
    await save(b, '2026-06-01');
    await save(a, '2026-09-01');
    const history = await owner.call(matchHistory, { body: ref('NOTHING') });
    expect(history.map((one) => [one.validFrom, one.validTo, one.parts[0]?.sku])).toEqual([
      ['2026-09-01', null, 'TIME-A'],
      ['2026-06-01', '2026-08-31', 'TIME-B'],
      ['2000-01-01', '2026-05-31', 'TIME-A'],
    ]);
    await owner.call(saveCost, { body: { sku: 'TIME-A', unitCost: '10' } });
    await owner.call(saveCost, { body: { sku: 'TIME-A', unitCost: '12', validFrom: '2026-10-01' } });
    expect(await costs('NOTHING')).toEqual([
      ['2000-01-01', true, '10.0000'],
      ['2026-06-01', true, null],
      ['2026-09-01', true, '10.0000'],
      ['2026-10-01', true, '12.0000'],
    ]);
    await owner.call(saveMatches, {
      body: {
        listings: [ref('NOTHING')],
        parts: [{ productId: a, qty: 3 }],
        validFrom: '2026-09-01',
        validTo: '2026-12-31',
      },
    });
    expect((await costs('NOTHING')).slice(-3)).toEqual([
      ['2026-09-01', true, '30.0000'],
      ['2026-10-01', true, '36.0000'],
      ['2027-01-01', false, null],
    ]);
  });

  it('never overlaps, whatever is saved in whatever order, also at the same time', async () => {
    const id = await product(owner, 'PROP-1');
    const day = fc
      .integer({ min: 0, max: 60 })
      .map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10));
    const change = fc.record({ from: day, to: fc.option(day, { nil: null }) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        await Promise.all(
          changes.map(({ from, to }) =>
            owner.send(saveMatches, {
              body: {
                listings: [ref('PACK3-CUP-2')],
                parts: [{ productId: id, qty: 1 }],
                validFrom: from,
                validTo: to,
              },
            }),
          ),
        );
        const history = (await owner.call(matchHistory, { body: ref('PACK3-CUP-2') })).toReversed();
        for (const [index, one] of history.entries()) {
          const next = history[index + 1];
          if (next) expect(one.validTo !== null && one.validTo < next.validFrom).toBe(true);
        }
      }),
      { numRuns: 15 },
    );
    const left = (await owner.call(matchHistory, { body: ref('PACK3-CUP-2') })).map((one) => one.id);
    if (left.length > 0) await owner.call(deleteMatches, { body: { matchIds: left } });
  });

  it('goes on when the product is renamed', async () => {
    const cup =
      (await owner.call(listMatches, { body: { filter: { mskus: ['CUP-1'] } } })).records[0]?.parts[0]?.productId ?? '';
    await owner.call(saveCost, { body: { sku: 'cup-1', unitCost: '8' } });
    await owner.call(saveProduct, { body: { id: cup, sku: 'BECHER-1', name: '杯' } });
    const [row] = (await owner.call(listMatches, { body: { filter: { mskus: ['CUP-1'] } } })).records;
    expect(row).toMatchObject({ state: 'matched', way: 'rename', partsText: 'BECHER-1×1' });
    expect(await costs('CUP-1')).toEqual([['2000-01-01', true, '8.0000']]);
    await owner.call(saveProduct, { body: { id: cup, sku: 'cup-1', name: '杯' } });
  });
});

describe('rules', () => {
  it('match what they fit, in their order, and say before what they would do', async () => {
    await owner.call(saveRule, { body: { name: '去FBA', way: 'affix', suffix: '-FBA', sort: 1 } });
    await owner.call(saveRule, {
      body: { name: '亚马逊', way: 'regex', pattern: 'amz\\.(.+)\\.[a-z]', replacement: '$1', sort: 2 },
    });
    await owner.call(saveRule, {
      body: { name: '包装', way: 'regex', pattern: 'PACK\\d+-(.+)', replacement: '$1', sort: 3 },
    });
    const plan = await owner.call(previewMatch, { body: {} });
    expect(plan.sample.map((one) => [one.msku, one.sku, one.rule])).toEqual([
      ['CUP-1-FBA', 'cup-1', '去FBA'],
      ['amz.CUP-2.a', 'CUP-2', '亚马逊'],
      ['PACK3-CUP-2', 'CUP-2', '包装'],
    ]);
    expect((await owner.call(countMatches, { body: {} })).unmatched).toBe(3);
    expect(await finished(owner, autoMatch)).toBe('共配对 3 个商品：去FBA 1，亚马逊 1，包装 1');
    expect(await finished(owner, autoMatch)).toBe('没有可以自动配对的商品');
    expect((await owner.call(countMatches, { body: {} })).unmatched).toBe(0);
  });

  it('take no pattern that could hold up the database', async () => {
    expect(patternProblem('(a)\\1')).toContain('反向引用');
    expect(patternProblem('(?=a)')).toContain('环视');
    expect(patternProblem('a{1000}')).toContain('99');
    expect(patternProblem('(')).toBe('正则格式有误');
    expect(patternProblem('a'.repeat(101))).toContain('100');
    expect(patternProblem('([A-Z]+)-(\\d+)')).toBeUndefined();
    expect(replacementOf('$1\\x$2')).toBe('\\1\\\\x\\2');
    const refused = await owner.send(saveRule, { body: { name: 'x', way: 'affix' } });
    expect(refused.msg).toBe('请填写前缀或后缀');
  });
});

describe('import of matches', () => {
  it('names listings by store, country and MSKU; a bundle has several rows', async () => {
    const file = 'MSKU,店铺,站点,本地SKU,数量\nSET-1,北美店,US,cup-1,1\nSET-1,北美店,US,CUP-2,4\n';
    const { data } = await check(world, owner, 'skuMatch', file);
    expect(data.problems).toEqual([]);
    expect((await owner.call(commitTable, { params: { id: data.id ?? '' } })).changed).toBe(1);
    const [row] = (await owner.call(listMatches, { body: { filter: { mskus: ['SET-1'] } } })).records;
    expect(row).toMatchObject({ partsText: 'CUP-2×4 + cup-1×1', way: 'import' });
    const again = await check(world, owner, 'skuMatch', file);
    expect((await owner.call(commitTable, { params: { id: again.data.id ?? '' } })).changed).toBe(0);
    const bad = await check(
      world,
      owner,
      'skuMatch',
      'MSKU,店铺,站点,本地SKU,数量\nSET-1,没有店,US,cup-1,1\nSET-1,北美店,US,谁,0\n',
    );
    expect(bad.data.problems.map((one) => [one.line, one.reason])).toEqual([
      [2, '没有这个在线商品'],
      [3, '必须大于 0'],
    ]);
  });

  it('belongs to the company alone', async () => {
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listMatches, { body: {} })).total).toBe(0);
    const [row] = (await owner.call(listMatches, { body: { filter: { mskus: ['SET-1'] } } })).records;
    const theft = await outsider.send(deleteMatches, { body: { matchIds: [row?.matchId ?? ''] } });
    expect(theft).toMatchObject({ code: 404, msg: '部分配对不存在或已解除，请刷新后重试' });
    expect((await owner.call(listMatches, { body: { filter: { mskus: ['SET-1'] } } })).records).toEqual([row]);
  });
});
