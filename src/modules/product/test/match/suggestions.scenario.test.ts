import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listMatches, saveMatches } from '../../contract/match.ts';
import {
  acceptSuggestions,
  countSuggestions,
  findSuggestions,
  listSuggestions,
  rejectSuggestions,
  reopenSuggestions,
  SURE,
} from '../../contract/match-suggest.ts';
import { finished, product } from '../support.ts';
import { account, offers, SITES } from './support.ts';

let world: World;
let owner: Person;
let shop: string;
let other: string;
const products = new Map<string, string>();

const open = async () =>
  (await owner.call(listSuggestions, { body: { filter: { state: ['open'][0] as 'open' }, pagesize: 100 } })).records;
const of = async (msku: string) => (await open()).find((row) => row.msku === msku);
const state = async (msku: string) =>
  (await owner.call(listMatches, { body: { filter: { mskus: [msku] } } })).records.map((row) => [
    row.store.country,
    row.state,
    row.way,
  ]);

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  await world.work();
  shop = await account(world, owner, '北美店');
  other = await account(world, owner, '欧洲店');
  for (const sku of ['CUP-1', 'CUP-2', 'CUP-3', 'LAMP-BLACK-20', 'LAMP-BLACK-21', 'GARDENCHAIR-77']) {
    products.set(sku, await product(owner, sku));
  }
  await offers(world, owner, shop, [
    { site: 'US', msku: 'ODD-NAME', asin: 'B00000001', fnsku: 'X001' },
    { site: 'CA', msku: 'ODD-NAME', asin: 'B00000001', fnsku: 'X001' },
    { site: 'US', msku: 'cup_2-FBA' },
    { site: 'US', msku: 'CUP-3-4PCS' },
    { site: 'US', msku: 'amzn.gr.CUP-1-xyz' },
    { site: 'US', msku: 'kd.CUP-1.a', asin: 'B00000011', parent: 'P1' },
    { site: 'US', msku: 'kd.CUP-2.a', asin: 'B00000012', parent: 'P1' },
    { site: 'US', msku: 'GARDENCHAIR-78' },
    { site: 'US', msku: 'LAMP-BLACK-2X' },
    { site: 'US', msku: 'P1', asin: 'P1', parent: 'P1' },
  ]);
  await offers(world, owner, other, [
    { site: 'UK', msku: 'WHOLLY-ELSE', asin: 'B00000001' },
    { site: 'DE', msku: 'AGAIN-ELSE', fnsku: 'X001' },
  ]);
  const pair = (msku: string, sku: string, qty: number) =>
    owner.call(saveMatches, {
      body: {
        listings: [{ accountId: shop, marketplaceId: SITES.US, msku }],
        parts: [{ productId: products.get(sku) ?? '', qty }],
      },
    });
  await pair('ODD-NAME', 'CUP-1', 2);
  await pair('kd.CUP-1.a', 'CUP-1', 1);
});
afterAll(() => world.close());

describe('suggestions', () => {
  it('say what a listing probably is, why and how surely, and pair nothing', async () => {
    expect(await finished(owner, findSuggestions)).toMatch(/^8 个未配对商品，8 条待处理建议，其中新增 8 条$/);
    const found = new Map((await open()).map((row) => [`${row.store.country} ${row.msku}`, row]));
    const said = (key: string) => [found.get(key)?.partsText, found.get(key)?.kind, found.get(key)?.score];
    // The same MSKU, FNSKU and ASIN agree: 98 and 2 for each further reason, 99 at most.
    expect(said('CA ODD-NAME')).toEqual(['CUP-1×2', 'sites', 99]);
    expect(found.get('CA ODD-NAME')?.reasonText).toContain('同一FNSKU已配对（US）');
    expect(said('UK WHOLLY-ELSE')).toEqual(['CUP-1×2', 'asin', 93]);
    expect(said('DE AGAIN-ELSE')).toEqual(['CUP-1×2', 'fnsku', 97]);
    expect(said('US cup_2-FBA')).toEqual(['CUP-2×1', 'code', 90]);
    expect(said('US CUP-3-4PCS')).toEqual(['CUP-3×4', 'code', 86]);
    expect(said('US kd.CUP-2.a')).toEqual(['CUP-2×1', 'family', 88]);
    expect(said('US GARDENCHAIR-78').slice(0, 2)).toEqual(['GARDENCHAIR-77×1', 'similar']);
    expect(found.get('US GARDENCHAIR-78')?.score).toBeLessThan(SURE);
    expect(found.get('US LAMP-BLACK-2X')?.reasonText).toContain('另有得分相近的产品');
    expect(found.has('US amzn.gr.CUP-1-xyz')).toBe(false);
    expect(found.has('US P1')).toBe(false);
    expect((await state('cup_2-FBA'))[0]).toEqual(['US', 'unmatched', null]);
  });

  it('are accepted together, with other products or pieces where somebody knows better', async () => {
    const [first, second] = [await of('cup_2-FBA'), await of('LAMP-BLACK-2X')];
    const items = [
      { id: first?.id ?? '' },
      { id: second?.id ?? '', parts: [{ productId: products.get('LAMP-BLACK-21') ?? '', qty: 3 }] },
    ];
    expect(await owner.call(acceptSuggestions, { body: { items } })).toEqual({ accepted: 2, skipped: 0 });
    const rows = (await owner.call(listMatches, { body: { filter: { mskus: ['cup_2-FBA', 'LAMP-BLACK-2X'] } } }))
      .records;
    expect(rows.map((row) => [row.msku, row.partsText, row.way, row.units])).toEqual([
      ['cup_2-FBA', 'CUP-2×1', 'suggest', 1],
      ['LAMP-BLACK-2X', 'LAMP-BLACK-21×3', 'suggest', 3],
    ]);
    const again = await owner.send(acceptSuggestions, { body: { items } });
    expect(again).toMatchObject({ code: 409 });
    expect(again.msg).toContain('请刷新后重试');
  });

  it('are decided by one of two who press at the same time', async () => {
    const row = await of('CUP-3-4PCS');
    const colleague = await world.member(owner, ['erp:product:view', 'erp:product:edit']);
    const answers = await Promise.all(
      [owner, colleague, owner].map((person) =>
        person.send(acceptSuggestions, { body: { items: [{ id: row?.id ?? '' }] } }),
      ),
    );
    expect(answers.map((answer) => answer.code).sort()).toEqual([201, 409, 409]);
    expect(await state('CUP-3-4PCS')).toEqual([['US', 'matched', 'suggest']]);
  });

  it('leave alone what was paired by hand meanwhile', async () => {
    const row = await of('AGAIN-ELSE');
    await owner.call(saveMatches, {
      body: {
        listings: [{ accountId: other, marketplaceId: SITES.DE, msku: 'AGAIN-ELSE' }],
        parts: [{ productId: products.get('CUP-1') ?? '', qty: 2 }],
      },
    });
    expect(await owner.call(acceptSuggestions, { body: { items: [{ id: row?.id ?? '' }] } })).toEqual({
      accepted: 0,
      skipped: 1,
    });
    expect(await state('AGAIN-ELSE')).toEqual([['DE', 'matched', 'manual']]);
  });

  it('do not come back once they are rejected, until somebody takes that back', async () => {
    const row = await of('GARDENCHAIR-78');
    const ids = [row?.id ?? ''];
    expect(await owner.call(rejectSuggestions, { body: { ids } })).toEqual({ rejected: 1 });
    await finished(owner, findSuggestions);
    expect(await of('GARDENCHAIR-78')).toBeUndefined();
    expect((await owner.call(countSuggestions, { body: {} })).rejected).toBe(1);
    expect(await owner.call(reopenSuggestions, { body: { ids } })).toEqual({ reopened: 1 });
    expect((await of('GARDENCHAIR-78'))?.id).toBe(row?.id);
    const kept = await finished(owner, findSuggestions);
    expect(kept).toMatch(/其中新增 0 条$/);
    expect((await of('GARDENCHAIR-78'))?.id).toBe(row?.id);
  });

  it('belong to the company and to those who may', async () => {
    const row = await of('WHOLLY-ELSE');
    const outsider = await world.owner('别的公司');
    expect((await outsider.call(listSuggestions, { body: {} })).total).toBe(0);
    const theft = await outsider.send(acceptSuggestions, { body: { items: [{ id: row?.id ?? '' }] } });
    expect(theft.code).toBe(404);
    const strange = await product(outsider, 'CUP-1');
    const mixed = await owner.send(acceptSuggestions, {
      body: { items: [{ id: row?.id ?? '', parts: [{ productId: strange, qty: 1 }] }] },
    });
    expect(mixed).toMatchObject({ code: 404, msg: '产品不存在或已删除' });
    expect((await of('WHOLLY-ELSE'))?.id).toBe(row?.id);
    const reader = await world.member(owner, ['erp:product:view']);
    expect((await reader.send(acceptSuggestions, { body: { items: [{ id: row?.id ?? '' }] } })).code).toBe(403);
    expect((await reader.send(findSuggestions, { body: {} })).code).toBe(403);
  });
});
