import { randomBytes } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type DraftDetail,
  draftDetail,
  editListing,
  saveDraft,
  submitDraft,
  validateDraft,
} from '../contract/draft.ts';
import { uploadPicture } from '../contract/pictures.ts';
import { openShop, type Shop, untilState } from './support.ts';

let shop: Shop;
let draft: DraftDetail;
beforeAll(async () => {
  shop = await openShop();
  const { id } = await shop.owner.call(editListing, { body: { listingId: shop.listings[0]?.id ?? '' } });
  draft = await shop.owner.call(draftDetail, { params: { id } });
});
afterAll(() => shop.world.close());

function png(side: number): Buffer {
  const canvas = createCanvas(side, side);
  const paint = canvas.getContext('2d');
  paint.fillStyle = `#${randomBytes(3).toString('hex')}`;
  paint.fillRect(0, 0, side, side);
  return canvas.toBuffer('image/png');
}

async function take(bytes: Buffer): Promise<{ msg: string; data: { url: string; warning: string | null } }> {
  const boundary = 'picture-of-a-listing';
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  const head = `${part('id')}\r\n\r\n${draft.id}\r\n${part('file')}; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const response = await shop.world.app.inject({
    method: 'POST',
    url: `/api${uploadPicture.path}`,
    headers: { jsessionid: shop.owner.session, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return JSON.parse(response.body);
}

async function withMain(url: string): Promise<DraftDetail> {
  const now = await shop.owner.call(draftDetail, { params: { id: draft.id } });
  const [old] = now.attributes.main_product_image_locator ?? [];
  const attributes = { ...now.attributes, main_product_image_locator: [{ ...old, media_location: url }] };
  await shop.owner.call(saveDraft, { body: { id: draft.id, version: now.version, attributes } });
  return shop.owner.call(draftDetail, { params: { id: draft.id } });
}

it('without a public address nothing is taken in, and it says what is missing', async () => {
  expect((await take(png(1200))).msg).toContain('未设置图片公开地址（MEDIA_URL）');
});

it('a picture from disk is checked, kept, and fetched by the marketplace by its sealed address', async () => {
  const { world } = shop;
  const base = await world.app.listen({ port: 0, host: '127.0.0.1' });
  Object.assign(world.runtime.config, { mediaUrl: base });
  expect((await take(Buffer.from('no picture at all'))).msg).toContain('文件格式不支持');
  expect((await take(png(300))).msg).toContain('至少 500 像素');
  expect((await take(png(800))).data.warning).toContain('建议至少 1000');
  const { url, warning } = (await take(png(1200))).data;
  expect(warning).toBeNull();
  const shown = await fetch(url);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
  const guessed = `${url.slice(0, -4)}AAAA`;
  expect((await fetch(guessed)).headers.get('content-type')).not.toBe('image/png');
  const wrong = await withMain('http://127.0.0.1:9/nothing.png');
  const judged = await shop.owner.call(validateDraft, { body: { id: wrong.id, version: wrong.version } });
  expect(judged).toMatchObject({ state: 'invalid', errors: 1 });
  const { issues } = await shop.owner.call(draftDetail, { params: { id: draft.id } });
  expect(issues[0]).toMatchObject({
    attribute: 'main_product_image_locator',
    message: expect.stringContaining('无法读取图片'),
  });
  const good = await withMain(url);
  await shop.owner.call(submitDraft, { body: { id: good.id, version: good.version } });
  const live = await untilState(shop.owner, good.id, 'live');
  expect(live.attributes.main_product_image_locator?.[0]?.media_location).toBe(url);
});
