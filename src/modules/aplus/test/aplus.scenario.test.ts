import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsOf } from '#test/support/order-acts.ts';
import {
  type AplusDetail,
  aplusDetail,
  aplusRecords,
  copyAplus,
  countAplus,
  createAplus,
  discardAplus,
  hideAplus,
  listAplus,
  pushAplus,
  relateAplus,
  reloadAplus,
  saveAplus,
  showPicture,
  submitAplus,
  suspendAplus,
  validateAplus,
} from '../contract/documents.ts';
import {
  detailOf,
  documentsOf,
  inSellerCentral,
  openShop,
  picture,
  type Shop,
  until,
  untilDone,
  untilSeen,
  words,
  written,
} from './support.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.world.close());

type Named = Pick<AplusDetail, 'id' | 'version'>;
const named = ({ id, version }: Named) => ({ id, version });
const asin = (index: number): string => shop.asins[index] ?? '';

/** A document that Amazon has as a draft, with those texts. */
async function atAmazon(name: string, ...texts: string[]): Promise<AplusDetail> {
  const draft = await written(shop, name, [words('a', ...texts)]);
  await shop.owner.call(pushAplus, { body: named(draft) });
  return untilDone(shop, draft.id);
}

async function related(document: Named, asins: string[], removed: string[] = []): Promise<AplusDetail> {
  await shop.owner.call(relateAplus, { body: { ...named(document), asins, removed } });
  return untilDone(shop, document.id);
}

it('documents that the account has are there from the first synchronisation', async () => {
  const rows = await documentsOf(shop);
  expect(rows.map(({ state, kind, asins }) => [state, kind, asins]).sort()).toEqual([
    ['PUBLISHED', 'PREMIUM', 1],
    ['PUBLISHED', 'STANDARD', 3],
    ['REJECTED', 'STANDARD', 1],
  ]);
  const [story, rejected, premium] = ['story', 'details', 'premium'].map((word) =>
    rows.find(({ name }) => name.endsWith(word)),
  );
  const shown = await detailOf(shop.owner, story?.id ?? '');
  expect(shown.live?.modules.map(({ type }) => type)).toEqual([
    'STANDARD_HEADER_IMAGE_TEXT',
    'STANDARD_THREE_IMAGE_TEXT',
    'STANDARD_TECH_SPECS',
  ]);
  expect(shown.related.every(({ badge, title }) => badge === 'CONTENT_PUBLISHED' && title !== '')).toBe(true);
  expect(shown.mediaBase).toBe(shop.world.sandbox.url);
  expect(rejected?.problem).toBe('模块2 文字 · 正文：文字含有排名、保证等不允许的宣称');
  const closed = await detailOf(shop.owner, premium?.id ?? '');
  expect([closed.live, closed.may.edit, closed.unreadable?.slice(0, 15)]).toEqual([
    null,
    false,
    '亚马逊接口不提供这种模块的内容',
  ]);
  const answer = await shop.owner.call(aplusRecords, { body: { id: shown.id, asin: shown.related[0]?.asin ?? '' } });
  expect(answer.map(({ name, kind }) => [name, kind])).toEqual([[shown.name, 'STANDARD']]);
  const { total } = await shop.owner.call(listAplus, {
    body: { filter: { sites: [shop.site], asin: shown.related[0]?.asin ?? '' } },
  });
  expect(total).toBe(1);
});

it('a document with pictures is made, checked, related, reviewed and published', async () => {
  const empty = await shop.owner.call(createAplus, { body: { site: shop.site, name: 'Launch', locale: 'en-US' } });
  const logo = await picture(shop, empty.id, [800, 400]);
  const small = await picture(shop, empty.id, [500, 180]);
  const modules = (image: typeof logo) => [
    { id: 'a', type: 'STANDARD_COMPANY_LOGO' as const, values: { companyLogo: { image } } },
    words('b', 'Made to last.', 'And to be used.'),
  ];
  const content = (image: typeof logo) => ({ name: 'Launch', locale: 'en-US', modules: modules(image) });
  const first = await shop.owner.call(saveAplus, { body: { ...empty, content: content(small) } });
  const refused = await shop.owner.send(pushAplus, { body: first });
  expect([refused.status, refused.msg]).toEqual([400, '模块1 公司徽标 · 徽标：图片至少 600×180 像素，现为 500×180']);
  const saved = await shop.owner.call(saveAplus, { body: { ...first, content: content(logo) } });
  const uploads = callsOf(shop.world, 'createUploadDestinationForResource');
  const judged = await shop.owner.call(validateAplus, { body: { ...saved, asins: [asin(0), 'B0NOBODY00'] } });
  expect(judged.issues.map(({ label, message, severity }) => [label, message, severity])).toContainEqual([
    'ASIN B0NOBODY00',
    '该站点目录中没有这个 ASIN',
    'ERROR',
  ]);
  await shop.owner.call(pushAplus, { body: named(judged) });
  const draft = await untilDone(shop, empty.id);
  // The picture that was sent to be checked is not sent again.
  expect(callsOf(shop.world, 'createUploadDestinationForResource') - uploads).toBe(1);
  expect([draft.state, draft.draft, draft.live?.modules.length]).toEqual(['DRAFT', null, 2]);
  const kept = draft.live?.modules[0]?.values.companyLogo;
  expect(kept && 'image' in kept && kept.image.picture).toBe(logo.picture);
  const shown = await shop.owner.send(showPicture, { params: { id: logo.picture ?? '' } });
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/png']);
  const early = await shop.owner.send(submitAplus, { body: named(draft) });
  expect(early.msg).toBe('请先关联 ASIN 再提交审核');
  const ready = await related(draft, [asin(4), asin(5)]);
  expect(ready.related.map(({ asin: one, badge }) => [one, badge])).toEqual([
    [asin(4), 'CONTENT_NOT_PUBLISHED'],
    [asin(5), 'CONTENT_NOT_PUBLISHED'],
  ]);
  await shop.owner.call(submitAplus, { body: named(ready) });
  const live = await until(shop, ready.id, ({ state }) => expect(state).toBe('PUBLISHED'));
  expect(live.related.map(({ badge }) => badge)).toEqual(['CONTENT_PUBLISHED', 'CONTENT_PUBLISHED']);
});

it('ASINs that would lose the content are named and asked for once more', async () => {
  const [row] = await documentsOf(shop, 'Launch');
  const before = await untilDone(shop, row?.id ?? '');
  const body = { ...named(before), asins: [asin(5)], removed: [] as string[] };
  const asked = await shop.owner.send(relateAplus, { body });
  expect([asked.status, asked.msg]).toEqual([409, '关联是整体替换：1 个 ASIN 将被移除并下线，请确认']);
  expect(asked.data).toEqual({ removed: [asin(4)] });
  expect((await shop.owner.send(relateAplus, { body: { ...body, removed: [asin(5)] } })).status).toBe(409);
  const after = await related(before, [asin(5)], [asin(4)]);
  expect(after.related.map((one) => one.asin)).toEqual([asin(5)]);
  const same = await shop.owner.send(relateAplus, { body: { ...body, version: after.version } });
  expect(same.msg).toBe('关联的 ASIN 没有变化');
});

it('a published document is taken off, and is not gone', async () => {
  const [row] = await documentsOf(shop, 'Launch');
  const before = await untilDone(shop, row?.id ?? '');
  await shop.owner.call(suspendAplus, { body: named(before) });
  const after = await untilDone(shop, before.id);
  expect([after.state, after.related.map(({ badge }) => badge)]).toEqual(['SUSPENDED', ['CONTENT_NOT_PUBLISHED']]);
  expect((await shop.owner.send(suspendAplus, { body: named(after) })).msg).toBe('文档没有发布在任何 ASIN 上');
  const hidden = await shop.owner.call(hideAplus, { body: { ...named(after), hidden: true } });
  expect((await documentsOf(shop, 'Launch')).length).toBe(0);
  await shop.owner.call(hideAplus, { body: { ...hidden, hidden: false } });
  expect((await documentsOf(shop, 'Launch')).length).toBe(1);
});

it('a rejected document says which module, and is handed in again once that is mended', async () => {
  const document = await atAmazon('Claims', 'Fine', 'The best seller of all');
  const ready = await related(document, [asin(3)]);
  await shop.owner.call(submitAplus, { body: named(ready) });
  const rejected = await until(shop, document.id, ({ state }) => expect(state).toBe('REJECTED'));
  expect(rejected.issues).toMatchObject([{ module: 0, path: 'body', label: '模块1 文字 · 正文', severity: 'ERROR' }]);
  const free = await until(shop, document.id, ({ step }) => expect(step).toBeNull());
  const content = { name: 'Claims', locale: 'en-US', modules: [words('a', 'Fine')] };
  const saved = await shop.owner.call(saveAplus, { body: { ...named(free), content } });
  expect((await shop.owner.send(submitAplus, { body: saved })).msg).toBe(
    '有未保存到亚马逊的修改，请先保存到亚马逊或放弃修改',
  );
  await shop.owner.call(pushAplus, { body: saved });
  const mended = await untilDone(shop, document.id);
  expect([mended.state, mended.issues]).toEqual(['DRAFT', []]);
  await shop.owner.call(submitAplus, { body: named(mended) });
  await until(shop, document.id, ({ state }) => expect(state).toBe('PUBLISHED'));
});

it('a review that takes long is seen by the next reading', async () => {
  const document = await atAmazon('Slow', 'Fine');
  const ready = await related(document, [asin(2)]);
  await inSellerCentral(shop, { action: 'settings', delayMs: [1_500, 1_500] });
  await shop.owner.call(submitAplus, { body: named(ready) });
  const waiting = await untilDone(shop, document.id);
  expect(waiting.may).toMatchObject({ edit: false, relate: false, submit: false });
  await untilSeen(shop, document.id, ({ state }) => expect(state).toBe('PUBLISHED'));
  await inSellerCentral(shop, { action: 'settings', delayMs: [0, 0] });
});

it('what somebody changed in Seller Central meanwhile is not overwritten', async () => {
  const document = await atAmazon('Shared', 'Ours');
  const content = { name: 'Shared', locale: 'en-US', modules: [words('a', 'Mine')] };
  const saved = await shop.owner.call(saveAplus, { body: { ...named(document), content } });
  const theirs = [{ contentModuleType: 'STANDARD_TEXT', standardText: { body: { textList: [{ value: 'Theirs' }] } } }];
  await inSellerCentral(shop, { action: 'change', name: 'Shared', content: { contentModuleList: theirs } });
  const calls = callsOf(shop.world, 'updateContentDocument');
  const answer = await shop.owner.send(pushAplus, { body: saved });
  expect([answer.status, answer.msg]).toEqual([409, '文档已在卖家后台被修改，请重新读取后选择保留哪一方']);
  expect(answer.data).toEqual({ changed: true });
  const kept = await shop.owner.call(reloadAplus, { body: { ...saved, keep: 'mine' } });
  const both = await detailOf(shop.owner, document.id);
  expect(both.draft?.modules).toEqual(content.modules);
  expect(both.live?.modules[0]?.values.body).toEqual({ lines: [{ text: 'Theirs' }] });
  expect(callsOf(shop.world, 'updateContentDocument')).toBe(calls);
  await shop.owner.call(pushAplus, { body: kept });
  const pushed = await untilDone(shop, document.id);
  expect(pushed.live?.modules[0]?.values.body).toEqual({ lines: [{ text: 'Mine' }] });
  const again = await shop.owner.call(saveAplus, { body: { ...named(pushed), content } });
  await shop.owner.call(reloadAplus, { body: { ...again, keep: 'theirs' } });
  expect((await detailOf(shop.owner, document.id)).draft).toBeNull();
});

it('a change between the wish and the call stops the call', async () => {
  const document = await atAmazon('Late', 'Ours');
  const content = { name: 'Late', locale: 'en-US', modules: [words('a', 'Mine')] };
  const saved = await shop.owner.call(saveAplus, { body: { ...named(document), content } });
  // The call waits for the end of a storm of refusals; meanwhile somebody is faster.
  shop.world.sandbox.world.faults.add({ kind: 'throttleStorm', operation: 'getContentDocument', nth: 2, count: 4 });
  const calls = callsOf(shop.world, 'updateContentDocument');
  await shop.owner.call(pushAplus, { body: saved });
  await inSellerCentral(shop, { action: 'change', name: 'Late', content: { name: 'Late' } });
  const stopped = await until(shop, document.id, ({ step }) => expect(step).toBeNull());
  expect(stopped.problem).toBe('提交前文档已在卖家后台被修改，没有覆盖，请重新读取后再试');
  expect([callsOf(shop.world, 'updateContentDocument'), stopped.draft?.modules.length]).toEqual([calls, 1]);
});

it('a lost answer makes no second document', async () => {
  shop.world.sandbox.world.faults.add({ kind: 'timeoutAfter', operation: 'createContentDocument', ms: 50, count: 1 });
  const document = await atAmazon('Lost answer', 'Once');
  expect(document.contentKey).not.toBeNull();
  await untilSeen(shop, document.id, () => undefined);
  expect(await documentsOf(shop, 'Lost answer')).toHaveLength(1);
});

it('a document that gets another key stays the same document; one that is gone says so', async () => {
  const document = await atAmazon('Keyed', 'Text');
  const { key } = await inSellerCentral(shop, { action: 'rekey', name: 'Keyed' });
  const moved = await untilSeen(shop, document.id, ({ contentKey }) => expect(contentKey).toBe(key));
  expect(moved.state).toBe('DRAFT');
  expect(await documentsOf(shop, 'Keyed')).toHaveLength(1);
  await inSellerCentral(shop, { action: 'remove', key });
  const gone = await untilSeen(shop, document.id, ({ state }) => expect(state).toBe('GONE'));
  expect(Object.values(gone.may)).not.toContain(true);
});

it('modules are copied to another language and another site, as a draft of its own', async () => {
  const [row] = await documentsOf(shop, 'Launch');
  const id = row?.id ?? '';
  const canada = `A2EUQ1WTGCTBG2-${shop.accountId}`;
  const wrong = await shop.owner.send(copyAplus, { body: { id, site: canada, locale: 'en-US' } });
  expect(wrong.msg).toBe('该站点的 A+ 语言只能是 en-CA、fr-CA');
  const { id: copied } = await shop.owner.call(copyAplus, { body: { id, site: canada, locale: 'fr-CA' } });
  const copy = await detailOf(shop.owner, copied);
  expect([copy.state, copy.store.country, copy.draft?.locale, copy.related]).toEqual(['LOCAL', 'CA', 'fr-CA', []]);
  await shop.owner.call(pushAplus, { body: named(copy) });
  expect((await untilDone(shop, copied)).state).toBe('DRAFT');
  const spare = await shop.owner.call(copyAplus, { body: { id, site: shop.site, locale: 'es-US' } });
  await shop.owner.call(discardAplus, { body: spare });
  expect((await shop.owner.send(aplusDetail, { params: { id: spare.id } })).status).toBe(404);
});

it('a seller without a registered brand is told so', async () => {
  const draft = await written(shop, 'No brand', [words('a', 'Text')]);
  await inSellerCentral(shop, { action: 'brand', registered: false });
  const answer = await shop.owner.send(validateAplus, { body: { ...named(draft), asins: [] } });
  expect(answer.msg).toMatch(/^亚马逊拒绝：缺少权限角色，/);
  await inSellerCentral(shop, { action: 'brand', registered: true });
});

it('documents of others are not there, and whoever may edit may not hand in', async () => {
  const counts = await shop.owner.call(countAplus, { body: { filter: {} } });
  const { total } = await shop.owner.call(listAplus, { body: { filter: {} } });
  expect(counts.all).toBe(total);
  const [row] = await documentsOf(shop, 'Launch');
  const document = await detailOf(shop.owner, row?.id ?? '');
  const kept = document.live?.modules[0]?.values.companyLogo;
  const image = kept && 'image' in kept ? kept.image : undefined;
  const stranger = await shop.world.owner('别的公司');
  expect((await stranger.send(aplusDetail, { params: { id: document.id } })).status).toBe(404);
  expect((await stranger.send(showPicture, { params: { id: image?.picture ?? '' } })).status).toBe(404);
  expect((await stranger.send(createAplus, { body: { site: shop.site, name: 'X', locale: 'en-US' } })).status).toBe(
    404,
  );
  const editor = await shop.world.member(shop.owner, ['amz:aplus:edit']);
  expect((await editor.send(submitAplus, { body: named(document) })).status).toBe(403);
  expect((await editor.send(suspendAplus, { body: named(document) })).status).toBe(403);
  const foreign = { ...words('a', 'x'), type: 'STANDARD_COMPANY_LOGO' as const };
  const unknown = { picture: '00000000-0000-4000-8000-000000000000', width: 600, height: 180, alt: 'x' };
  const modules = [
    { ...foreign, values: { companyLogo: { image: { ...unknown, crop: { x: 0, y: 0, width: 600, height: 180 } } } } },
  ];
  const content = { name: 'X', locale: 'en-US', modules };
  const saved = await shop.owner.send(saveAplus, { body: { ...named(document), content } });
  expect([saved.status, saved.msg]).toEqual([404, '图片不存在或已删除']);
  const stale = await shop.owner.send(hideAplus, { body: { id: document.id, version: 1, hidden: true } });
  expect(stale.status).toBe(409);
});
