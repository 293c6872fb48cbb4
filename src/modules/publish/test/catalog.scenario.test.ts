import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkRestrictions, exportCatalog, searchCatalog, searchTypes } from '../contract/catalog.ts';
import { draftDetail, newDraft, saveDraft, submitDraft } from '../contract/draft.ts';
import { openShop, type Shop, US, untilState } from './support.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.world.close());

const search = (body: object) => shop.owner.call(searchCatalog, { body: { site: shop.site, ...body } });
const refusal = async (body: object) => {
  const { status, msg } = await shop.owner.send(searchCatalog, { body: { site: shop.site, ...body } });
  return [status, msg];
};

it('words find pages that lead on and back, narrowed by brand and class', async () => {
  const first = await search({ keywords: 'kitora' });
  expect([first.items.length, first.previous]).toEqual([20, null]);
  expect(first.total).toBeGreaterThan(40);
  const seen = new Set(first.items.map(({ asin }) => asin));
  const second = await search({ keywords: 'kitora', pageToken: first.next ?? '' });
  expect(second.items.some(({ asin }) => seen.has(asin))).toBe(false);
  const back = await search({ keywords: 'kitora', pageToken: second.previous ?? '' });
  expect(back.items.map(({ asin }) => asin)).toEqual(first.items.map(({ asin }) => asin));
  const { brands, classes } = await search({ keywords: 'bottle' });
  expect(brands.map(({ label }) => label)).toContain('Evermoor');
  const narrow = await search({ keywords: 'bottle', brand: 'Evermoor', classificationId: classes[0]?.value });
  expect(new Set(narrow.items.map(({ brand }) => brand))).toEqual(new Set(['Evermoor']));
  expect(narrow.items[0]).toMatchObject({
    category: classes[0]?.label,
    size: '27.0 × 8.0 × 8.0',
    weight: '0.420',
    rankTitle: 'Home',
  });
});

it('several words are asked for together, and numbers find one product each', async () => {
  const both = await search({ keywords: 'Kitora；bottle' });
  expect(both.items.every(({ product }) => /Kitora.*Bottle/.test(product.name))).toBe(true);
  const [item] = both.items;
  const ean = item?.codes?.replace('EAN ', '');
  expect((await search({ ids: [item?.asin] })).items.map(({ asin }) => asin)).toEqual([item?.asin]);
  expect((await search({ ids: [ean], idType: 'EAN' })).items.map(({ asin }) => asin)).toEqual([item?.asin]);
  const own = shop.listings[0];
  const bySku = await search({ ids: [own?.sellerSku], idType: 'SKU' });
  expect(bySku.items[0]?.asin).toBe(own?.asin);
});

it('what was fetched is exported as it was shown', async () => {
  const { items } = await search({ keywords: 'kitora' });
  const answer = await shop.owner.send(exportCatalog, { body: { site: shop.site, items, format: 'csv' } });
  const lines = answer.raw.toString('utf8').trim().split('\n');
  expect(lines[0]).toContain('包裹尺寸(cm)');
  expect(lines).toHaveLength(21);
  expect(lines[1]).toContain(items[0]?.asin);
  const none = await shop.owner.send(exportCatalog, { body: { site: shop.site, items: [] } });
  expect([none.status, none.msg]).toEqual([400, expect.stringContaining('没有可导出的数据')]);
});

it('says in Chinese what is missing, and finds no site of others', async () => {
  expect(await refusal({})).toEqual([400, '请输入搜索关键词']);
  expect(await refusal({ keywords: ' ; ' })).toEqual([400, '请输入搜索关键词']);
  expect(await refusal({ keywords: 'a', ids: ['B000000000'] })).toEqual([400, '关键词与编码只能填写一种']);
  const many = Array.from({ length: 21 }, (_, index) => `w${index}`).join(';');
  expect(await refusal({ keywords: many })).toEqual([400, '关键词最多 20 个']);
  const stranger = await shop.world.owner('别的公司');
  const answer = await stranger.send(searchCatalog, { body: { site: shop.site, keywords: 'a' } });
  expect([answer.status, answer.msg]).toEqual([404, '店铺站点不存在或未授权']);
});

it('says whether the store may sell something, and lists what it may by an offer alone', async () => {
  const of = async (brand: string) => {
    const { items } = await search({ keywords: brand });
    const asin = items[0]?.asin ?? '';
    const answer = await shop.owner.call(checkRestrictions, { body: { site: shop.site, asin } });
    return { asin, ...answer };
  };
  expect(await of('Stahlberg')).toMatchObject({
    allowed: false,
    reasons: [{ kind: 'NOT_ELIGIBLE', message: '您没有资格销售该商品。', link: null }],
  });
  const gated = await of('Kitora');
  expect(gated.reasons[0]).toMatchObject({ kind: 'APPROVAL_REQUIRED', link: expect.stringContaining(gated.asin) });
  const free = await of('Evermoor');
  expect([free.allowed, free.reasons]).toEqual([true, []]);
  const types = await shop.owner.call(searchTypes, { body: { site: shop.site, keyword: '杯' } });
  expect(types).toContainEqual({ value: 'CUP', label: '杯子（CUP）' });
  const body = { site: shop.site, sellerSku: 'FOLLOW-1', productType: 'CUP', asin: free.asin };
  const { id } = await shop.owner.call(newDraft, { body });
  const draft = await shop.owner.call(draftDetail, { params: { id } });
  expect([draft.origin, Object.keys(draft.attributes).sort()]).toEqual([
    'asin',
    ['condition_type', 'merchant_suggested_asin'],
  ]);
  const offer = { currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 9.5 }] }], marketplace_id: US };
  const attributes = {
    ...draft.attributes,
    purchasable_offer: [offer],
    fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 3 }],
  };
  const saved = await shop.owner.call(saveDraft, { body: { id, version: draft.version, attributes } });
  await shop.owner.call(submitDraft, { body: { id, version: saved.version } });
  const live = await untilState(shop.owner, id, 'live');
  expect(live.product.extra).toBe(free.asin);
});
