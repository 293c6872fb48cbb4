import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsentedSeller, consentedSeller } from './seller-support.ts';
import { type Json, listOf, postJson } from './wire-support.ts';

let seller: ConsentedSeller;
let home: string;
let sku: string;
let productType: string;
let path: string;

const DATA = 'summaries,attributes,issues,offers';

beforeAll(async () => {
  seller = await consentedSeller();
  home = seller.marketplaceIds[0] ?? '';
  const { items } = await seller.good({
    method: 'GET',
    path: `/listings/2021-08-01/items/${seller.sellerId}`,
    query: { marketplaceIds: home },
  });
  const [item] = listOf(items);
  sku = String(item?.sku);
  productType = String(listOf(item?.summaries)[0]?.productType);
  path = `/listings/2021-08-01/items/${seller.sellerId}/${encodeURIComponent(sku)}`;
});
afterAll(() => seller.sandbox.close());

const text = (value: string) => ({ value, language_tag: 'en_US', marketplace_id: home });
const replace = (name: string, ...value: object[]) => ({ op: 'replace', path: `/attributes/${name}`, value });
const patch = (patches: object[], more: object = {}, type = productType): Promise<Json> =>
  seller.good({
    method: 'PATCH',
    path,
    query: { marketplaceIds: home, issueLocale: 'zh_CN', ...more },
    body: { productType: type, patches },
  });
const shown = (): Promise<Json> =>
  seller.good({ method: 'GET', path, query: { marketplaceIds: home, includedData: DATA } });
const control = async (body: object): Promise<Json> => {
  const response = await fetch(`${seller.sandbox.url}/control/listing`, postJson(body));
  return (await response.json()) as Json;
};

describe('a submission', () => {
  it('is accepted long before the listing shows it', async () => {
    await control({ action: 'settings', delayMs: [3_600_000, 3_600_000] });
    expect((await patch([replace('item_name', text('Later Bottle'))])).status).toBe('ACCEPTED');
    expect(listOf((await shown()).summaries)[0]?.itemName).not.toBe('Later Bottle');
    await control({ action: 'settings', delayMs: [0, 0] });
    expect((await patch([replace('item_name', text('Other Bottle'))])).status).toBe('ACCEPTED');
    const item = await shown();
    expect(listOf(item.summaries)[0]?.itemName).toBe('Other Bottle');
    expect(item.attributes).toMatchObject({ item_name: [text('Other Bottle')] });
  });

  it('changes nothing as a preview', async () => {
    const mode = { mode: 'VALIDATION_PREVIEW' };
    expect((await patch([replace('item_name', text('Preview'))], mode)).status).toBe('VALID');
    expect(listOf((await shown()).summaries)[0]?.itemName).toBe('Other Bottle');
  });

  it('is refused attribute by attribute, in the language asked for', async () => {
    const wrong = await patch([
      replace('nonsense', text('x')),
      replace('item_name', text('x'.repeat(201))),
      replace('country_of_origin', { value: 'XX', marketplace_id: home }),
      replace('merchant_suggested_asin', { value: 'B000000000', marketplace_id: home }),
      replace('bullet_point', ...['a', 'b', 'c', 'd', 'e', 'f'].map(text)),
      { op: 'delete', path: '/attributes/brand' },
    ]);
    expect(wrong.status).toBe('INVALID');
    const issues = Object.fromEntries(
      listOf(wrong.issues).map(({ attributeNames, message }) => [listOf(attributeNames).join(), message]),
    );
    expect(issues).toMatchObject({
      nonsense: '“nonsense”不是该商品类型的有效属性。',
      item_name: '“商品名称”超过最大长度。',
      country_of_origin: '“原产国”的值无效。',
      merchant_suggested_asin: '“卖家建议的 ASIN”不可修改。',
      bullet_point: '“五点描述”的值过多。',
      brand: '“品牌名称”为必填项但未提供。',
    });
    expect((await patch([replace('item_name', text('x'))], {}, 'LUGGAGE')).status).toBe('INVALID');
  });

  it('goes to one marketplace, with patches of attributes', async () => {
    const send = (query: object, patches: object[]) =>
      seller.send({ method: 'PATCH', path, query: { ...query }, body: { productType, patches } });
    const good = [replace('item_name', text('x'))];
    expect((await send({ marketplaceIds: seller.marketplaceIds.join() }, good)).status).toBe(400);
    expect((await send({ marketplaceIds: home }, [{ op: 'move', path: '/attributes/brand' }])).status).toBe(400);
    expect((await send({ marketplaceIds: home }, [{ op: 'replace', path: '/brand', value: [] }])).status).toBe(400);
  });

  it('may be overtaken by what somebody does in Seller Central', async () => {
    const color = [{ value: 'Teal', language_tag: 'en_US', marketplace_id: home }];
    await control({
      action: 'change',
      sellingPartnerId: seller.sellerId,
      region: 'na',
      marketplaceId: home,
      sku,
      attributes: { color },
    });
    expect((await shown()).attributes).toMatchObject({ color });
  });
});
