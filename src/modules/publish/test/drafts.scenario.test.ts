import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { listListings } from '#modules/listing/contract.ts';
import { callsOf } from '#test/support/order-acts.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import {
  cancelDraft,
  copyDraft,
  countDrafts,
  type DraftDetail,
  draftDetail,
  editListing,
  listDrafts,
  newDraft,
  rebaseDraft,
  restoreVersion,
  saveDraft,
  submitDraft,
  validateDraft,
} from '../contract/draft.ts';
import { inSellerCentral, openShop, type Shop, text, US, untilState } from './support.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.world.close());

const listingAt = (index: number) => {
  const row = shop.listings[index];
  if (!row) throw new Error('too few listings');
  return row;
};
const detail = (id: string) => shop.owner.call(draftDetail, { params: { id } });

/** Opens the draft of a listing and saves it with some attributes changed. */
async function edited(index: number, changes: Record<string, object[]>): Promise<DraftDetail> {
  const { id } = await shop.owner.call(editListing, { body: { listingId: listingAt(index).id } });
  const before = await detail(id);
  const attributes = { ...before.attributes, ...changes } as DraftDetail['attributes'];
  await shop.owner.call(saveDraft, { body: { id, version: before.version, attributes } });
  return detail(id);
}
const submit = ({ id, version }: DraftDetail) => shop.owner.call(submitDraft, { body: { id, version } });
const titleOf = async (sku: string) => {
  const { records } = await shop.owner.call(listListings, { body: { pagesize: 50, filter: { skus: [sku] } } });
  return records.find(({ marketplaceId }) => marketplaceId === US)?.product.name;
};

it('an edit is accepted, and the listing changes only once Amazon shows it', async () => {
  await inSellerCentral(shop, { action: 'settings', delayMs: [1_500, 1_500] });
  const { sellerSku, product } = listingAt(0);
  const draft = await edited(0, { item_name: [text('Leakproof Bottle')], material: [text('Steel')] });
  expect(draft.diff).toEqual([
    { attribute: 'item_name', label: '商品名称', before: product.name, after: 'Leakproof Bottle' },
    { attribute: 'material', label: '材质', before: null, after: 'Steel' },
  ]);
  expect(draft.form.groups.map(({ title }) => title)).toContain('商品标识');
  expect(draft.check.issues).toEqual([]);
  const judged = await shop.owner.call(validateDraft, { body: { id: draft.id, version: draft.version } });
  expect([judged.state, judged.errors]).toEqual(['valid', 0]);
  await submit({ ...draft, version: judged.version });
  await untilState(shop.owner, draft.id, 'processing');
  expect(await titleOf(sellerSku)).toBe(product.name);
  const live = await untilState(shop.owner, draft.id, 'live');
  expect(live.versions.map(({ number, source }) => [number, source])).toEqual([
    [2, 'live'],
    [1, 'found'],
  ]);
  await vi.waitFor(async () => expect(await titleOf(sellerSku)).toBe('Leakproof Bottle'), { timeout: PATIENCE_MS });
  await inSellerCentral(shop, { action: 'settings', delayMs: [0, 0] });
});

it('an older version comes back as a draft of its own', async () => {
  const { records } = await shop.owner.call(listDrafts, { body: { filter: { state: ['live'] } } });
  const body = { id: records[0]?.id ?? '', number: 1 };
  const restored = await shop.owner.call(restoreVersion, { body });
  const draft = await detail(restored.id);
  expect([draft.origin, draft.state]).toEqual(['restore', 'draft']);
  expect(draft.diff.map(({ attribute, before, after }) => [attribute, before, after])).toEqual([
    ['item_name', 'Leakproof Bottle', listingAt(0).product.name],
    ['material', 'Steel', null],
  ]);
  await submit(draft);
  const live = await untilState(shop.owner, draft.id, 'live');
  expect(live.versions[0]).toMatchObject({ number: 3, source: 'live' });
  expect((await shop.owner.send(restoreVersion, { body: { id: draft.id, number: 9 } })).status).toBe(404);
});

it('what the schema forbids is named in Chinese and not sent; what Amazon refuses comes back to its attribute', async () => {
  const before = callsOf(shop.world, 'patchListingsItem');
  const wrong = await edited(1, { item_name: [text('x'.repeat(201))] });
  expect(wrong.check.issues).toEqual([
    { attribute: 'item_name', label: '商品名称', message: '最多 200 个字符', severity: 'ERROR' },
  ]);
  const answer = await shop.owner.send(submitDraft, { body: { id: wrong.id, version: wrong.version } });
  expect([answer.status, answer.msg]).toEqual([400, '商品名称：最多 200 个字符']);
  expect(callsOf(shop.world, 'patchListingsItem')).toBe(before);
  const judged = await shop.owner.call(validateDraft, { body: { id: wrong.id, version: wrong.version } });
  expect([judged.state, judged.errors]).toEqual(['invalid', 1]);
  const told = await detail(wrong.id);
  expect(told.problem).toBe('预校验未通过：1 个错误，请按提示修改');
  expect(told.issues[0]).toMatchObject({ attribute: 'item_name', label: '商品名称', severity: 'ERROR' });
  // Amazon keeps an ASIN that was suggested once, which its schema does not say.
  const body = { id: wrong.id, version: told.version };
  const { item_name: name = [] } = told.base;
  const asin = [{ value: 'B012345678', marketplace_id: US }];
  await shop.owner.call(saveDraft, {
    body: { ...body, attributes: { ...told.base, item_name: name, merchant_suggested_asin: asin } },
  });
  await submit(await detail(wrong.id));
  const rejected = await untilState(shop.owner, wrong.id, 'rejected');
  expect(rejected.problem).toBe('卖家建议的 ASIN：“卖家建议的 ASIN”不可修改。');
  expect(rejected.issues[0]).toMatchObject({ attribute: 'merchant_suggested_asin', label: '卖家建议的 ASIN' });
  expect(rejected.may).toEqual({ edit: true, submit: true, cancel: true, restore: false });
  await shop.owner.call(cancelDraft, { body: { id: wrong.id, version: rejected.version } });
  expect((await detail(wrong.id)).state).toBe('cancelled');
});

it('what somebody changed in Seller Central meanwhile is not overwritten', async () => {
  const draft = await edited(2, { item_name: [text('My Title')] });
  const sku = listingAt(2).sellerSku;
  const change = (attributes: object) => inSellerCentral(shop, { action: 'change', sku, attributes });
  await change({ item_name: [text('Their Title')], color: [text('Teal')] });
  const answer = await shop.owner.send(submitDraft, { body: { id: draft.id, version: draft.version } });
  expect([answer.status, answer.msg]).toEqual([409, '商品已在卖家后台被修改，请选择保留哪一方']);
  const { clashes } = answer.data as unknown as { clashes: object[] };
  expect(clashes).toEqual([
    {
      attribute: 'item_name',
      label: '商品名称',
      base: listingAt(2).product.name,
      theirs: 'Their Title',
      mine: 'My Title',
      both: true,
    },
    expect.objectContaining({ attribute: 'color', theirs: 'Teal', mine: null, both: false }),
  ]);
  const body = { id: draft.id, version: draft.version };
  const undecided = await shop.owner.send(rebaseDraft, { body: { ...body, take: {} } });
  expect(undecided.msg).toBe('请为双方都修改过的属性选择保留哪一方');
  await shop.owner.call(rebaseDraft, { body: { ...body, take: { item_name: 'mine' } } });
  const merged = await detail(draft.id);
  expect(merged.attributes).toMatchObject({ item_name: [text('My Title')], color: [text('Teal')] });
  expect(merged.diff.map(({ attribute }) => attribute)).toEqual(['item_name']);
  await submit(merged);
  await untilState(shop.owner, draft.id, 'live');
  expect(await shop.owner.send(saveDraft, { body: { ...body, attributes: {} } })).toMatchObject({ status: 409 });
});

it('a change that comes between the wish and the call stops the call', async () => {
  const draft = await edited(3, { item_name: [text('Late Title')] });
  const sku = listingAt(3).sellerSku;
  const before = callsOf(shop.world, 'patchListingsItem');
  // The call waits for the end of a storm of refusals; meanwhile somebody is faster.
  shop.world.sandbox.world.faults.add({ kind: 'throttleStorm', operation: 'getListingsItem', nth: 2, count: 3 });
  await submit(draft);
  await inSellerCentral(shop, { action: 'change', sku, attributes: { item_name: [text('Faster Title')] } });
  const stopped = await untilState(shop.owner, draft.id, 'rejected');
  expect(stopped.problem).toBe('提交前商品已在卖家后台被修改，没有覆盖，请重新编辑');
  expect(callsOf(shop.world, 'patchListingsItem')).toBe(before);
});

it('price and stock go by their own queue, and a draft without changes is not sent', async () => {
  const draft = await edited(4, {
    purchasable_offer: [],
    fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT' }],
  });
  expect(draft.diff).toEqual([]);
  expect(draft.form.attributes.find(({ name }) => name === 'purchasable_offer')?.locked).toBe(
    '售价请在「调价队列」修改',
  );
  const answer = await shop.owner.send(submitDraft, { body: { id: draft.id, version: draft.version } });
  expect(answer.msg).toBe('没有修改任何属性，无需提交');
});

it('a new listing is asked for all it needs, goes live and comes into the list', async () => {
  const { site, owner } = shop;
  const taken = { site, sellerSku: listingAt(0).sellerSku, productType: 'LAMP' };
  const refusal = await owner.send(newDraft, { body: taken });
  expect([refusal.status, refusal.msg]).toEqual([400, `平台SKU ${taken.sellerSku} 在该站点已存在，请编辑原商品`]);
  expect((await owner.send(newDraft, { body: { ...taken, sellerSku: 'N-1', productType: 'NOTHING' } })).msg).toBe(
    '商品类型 NOTHING 不存在',
  );
  const { id, version } = await owner.call(newDraft, { body: { site, sellerSku: 'NEW 1/#', productType: 'LAMP' } });
  const empty = await detail(id);
  expect(empty.check.required).toContain('externally_assigned_product_identifier');
  expect(empty.check.issues.filter(({ message }) => message === '必填').map(({ label }) => label)).toContain(
    '商品描述',
  );
  const here = { marketplace_id: US };
  const edge = { value: 10, unit: 'centimeters' };
  const attributes = {
    item_name: [text('New Lamp')],
    brand: [text('Northquay')],
    bullet_point: [text('Bright')],
    product_description: [text('A lamp')],
    country_of_origin: [{ value: 'CN', ...here }],
    supplier_declared_dg_hz_regulation: [{ value: 'not_applicable', ...here }],
    supplier_declared_has_product_identifier_exemption: [{ value: true, ...here }],
    item_package_weight: [{ value: 1, unit: 'kilograms', ...here }],
    item_package_dimensions: [{ length: edge, width: edge, height: edge, ...here }],
    condition_type: [{ value: 'new_new', ...here }],
    purchasable_offer: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: 19.99 }] }], ...here }],
    fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: 5 }],
    batteries_required: [{ value: true, ...here }],
  };
  await owner.call(saveDraft, { body: { id, version, attributes } });
  const lacking = await detail(id);
  expect(lacking.check.issues.map(({ label }) => label).sort()).toEqual(['是否附带电池', '电池']);
  const whole = { ...attributes, batteries_required: [{ value: false, ...here }] };
  await owner.call(saveDraft, { body: { id, version: lacking.version, attributes: whole } });
  await submit(await detail(id));
  await untilState(owner, id, 'live');
  await vi.waitFor(async () => expect(await titleOf('NEW 1/#')).toBe('New Lamp'), { timeout: PATIENCE_MS });
});

it('a lost answer costs nothing: the call has its effect once, however often it is made', async () => {
  const before = callsOf(shop.world, 'patchListingsItem');
  shop.world.sandbox.world.faults.add({ kind: 'timeoutAfter', operation: 'patchListingsItem', ms: 50, count: 1 });
  const draft = await edited(1, { material: [text('Bamboo')] });
  await submit(draft);
  await untilState(shop.owner, draft.id, 'live');
  // The client itself tries once more: the second call has the effect of the first.
  expect(callsOf(shop.world, 'patchListingsItem') - before).toBeLessThanOrEqual(2);
});

it('a draft is copied to another site in its marketplace, and a site that cannot be had keeps none from it', async () => {
  const { records } = await shop.owner.call(listDrafts, { body: { filter: { origin: 'listing', state: ['live'] } } });
  const id = records[0]?.id ?? '';
  const canada = `A2EUQ1WTGCTBG2-${shop.accountId}`;
  const answer = await shop.owner.call(copyDraft, { body: { id, sites: [shop.site, canada] } });
  expect(answer.failed).toEqual([{ site: shop.site, reason: '与原站点相同' }]);
  const copied = await detail(answer.made[0]?.id ?? '');
  const source = await detail(id);
  expect([copied.origin, copied.store.country, copied.sellerSku]).toEqual(['copy', 'CA', source.sellerSku]);
  const here = { language_tag: 'en_CA', marketplace_id: 'A2EUQ1WTGCTBG2' };
  expect(copied.attributes.item_name).toEqual([{ value: source.attributes.item_name?.[0]?.value, ...here }]);
  expect(copied.attributes.purchasable_offer).toEqual(copied.base.purchasable_offer);
  await submit(copied);
  await untilState(shop.owner, copied.id, 'live');
});

it('drafts of others are not there, and whoever may edit may not hand in', async () => {
  const { records } = await shop.owner.call(listDrafts, { body: { filter: {} } });
  const counts = await shop.owner.call(countDrafts, { body: { filter: {} } });
  expect(counts.all).toBe(records.length);
  const id = records[0]?.id ?? '';
  const stranger = await shop.world.owner('别的公司');
  expect((await stranger.send(draftDetail, { params: { id } })).status).toBe(404);
  expect((await stranger.send(editListing, { body: { listingId: listingAt(0).id } })).status).toBe(404);
  const editor = await shop.world.member(shop.owner, ['amz:listing:edit']);
  expect((await editor.send(submitDraft, { body: { id, version: 1 } })).status).toBe(403);
});
