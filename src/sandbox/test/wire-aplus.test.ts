import { afterAll, beforeAll, expect, it } from 'vitest';
import { APLUS, content, DESTINATIONS, png, sendForm, uploaded } from './aplus-support.ts';
import { type ConsentedSeller, consentedSeller } from './seller-support.ts';
import { type Json, listOf, postJson } from './wire-support.ts';

let seller: ConsentedSeller;
let home: string;
let own: string[];
let logo: string;

beforeAll(async () => {
  seller = await consentedSeller();
  home = seller.marketplaceIds[0] ?? '';
  const path = `/listings/2021-08-01/items/${seller.sellerId}`;
  const { items } = await seller.good({ method: 'GET', path, query: { marketplaceIds: home, pageSize: 20 } });
  own = listOf(items).map((item) => String(listOf(item.summaries)[0]?.asin));
  logo = await uploaded(seller, png(600, 180));
});
afterAll(() => seller.sandbox.close());

const control = async (body: object): Promise<Json> => {
  const response = await fetch(
    `${seller.sandbox.url}/control/aplus`,
    postJson({ sellingPartnerId: seller.sellerId, region: 'na', marketplaceId: home, ...body }),
  );
  expect(response.status).toBe(200);
  return (await response.json()) as Json;
};
const send = (method: string, path: string, body?: object, query: object = {}) =>
  seller.send({ method, path, query: { marketplaceId: home, ...query }, body });
const good = async (method: string, path: string, body?: object, query: object = {}): Promise<Json> => {
  const sent = await send(method, path, body, query);
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  return sent.body;
};
const create = async (text?: string): Promise<string> =>
  String((await good('POST', APLUS, { contentDocument: content(logo, text) })).contentReferenceKey);
const both = { includedDataSet: 'CONTENTS,METADATA' };
const codes = ({ body }: { body: Json }) => listOf(body.errors).map(({ code, details }) => `${code} ${details}`);
const statusOf = async (key: string) =>
  (await good('GET', `${APLUS}/${key}`, undefined, both)).contentRecord?.contentMetadata?.status;
const badges = async (key: string) =>
  listOf((await good('GET', `${APLUS}/${key}/asins`, undefined, { includedDataSet: 'METADATA' })).asinMetadataSet).map(
    ({ asin, badgeSet }) => `${asin} ${listOf(badgeSet).join()}`,
  );

it('a seller has documents from the start; content of premium modules is not given', async () => {
  const records = listOf((await good('GET', APLUS)).contentMetadataRecords);
  expect(records.map(({ contentMetadata }) => contentMetadata?.status).sort()).toEqual([
    'APPROVED',
    'APPROVED',
    'REJECTED',
  ]);
  const premium = records.find(({ contentMetadata }) => listOf(contentMetadata?.badgeSet).join() === 'PREMIUM');
  const path = `${APLUS}/${premium?.contentReferenceKey}`;
  const refused = await send('GET', path, undefined, both);
  expect([refused.status, listOf(refused.body.errors)[0]?.details]).toEqual([
    400,
    'Unsupported content module type [premium-module-6-three-column-comparison], unable to proceed.',
  ]);
  expect((await good('GET', path, undefined, { includedDataSet: 'METADATA' })).contentRecord).toBeDefined();
  const rejected = records.find(({ contentMetadata }) => String(contentMetadata?.status) === 'REJECTED');
  const { warnings } = await good('GET', `${APLUS}/${rejected?.contentReferenceKey}`, undefined, both);
  expect(listOf(warnings)[0]?.details).toBe('contentModuleList[1].standardText.body');
});

it('a picture is sent as a form, to an address without its query, and whole', async () => {
  const bytes = png(20, 20);
  const query = { marketplaceIds: home, contentMD5: 'nonsense', contentType: 'image/png' };
  const { payload } = await seller.good({ method: 'POST', path: DESTINATIONS, query });
  expect((await sendForm(String(payload?.url), bytes, true)).status).toBe(400);
  expect((await sendForm(String(payload?.url), bytes)).status).toBe(400);
  const ask = (path: string, more: object) => seller.send({ method: 'POST', path, query: { ...query, ...more } });
  expect((await ask(DESTINATIONS, { contentType: '' })).status).toBe(400);
  expect((await ask(DESTINATIONS, { contentType: 'image/gif' })).status).toBe(415);
  const encoded = DESTINATIONS.replace('aplus/2020-11-01/contentDocuments', 'aplus%2F2020-11-01%2FcontentDocuments');
  expect((await ask(encoded, {})).status).toBe(403);
  const shown = await fetch(`${seller.sandbox.url}/${logo}`);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
});

it('a document is refused place by place', async () => {
  const wrong = { ...content('aplus-media/sc/none.png', 'x'.repeat(5001)), locale: 'de-DE', name: '' };
  expect(codes(await send('POST', APLUS, { contentDocument: wrong }))).toEqual([
    'INVALID_NAME name',
    'INVALID_LOCALE locale',
    'IMAGE_NOT_FOUND contentModuleList[0].standardCompanyLogo.companyLogo',
    'TEXT_TOO_LONG contentModuleList[1].standardText.body',
  ]);
  const small = await uploaded(seller, png(599, 180));
  const tooSmall = await send('POST', APLUS, { contentDocument: content(small, 'x', [599, 180]) });
  expect(codes(tooSmall)).toEqual(['IMAGE_TOO_SMALL contentModuleList[0].standardCompanyLogo.companyLogo']);
  const beyond = await send('POST', APLUS, { contentDocument: content(small, 'x', [600, 180]) });
  expect(codes(beyond)).toEqual(['INVALID_IMAGE_CROP contentModuleList[0].standardCompanyLogo.companyLogo']);
  const vendor = await send('POST', APLUS, { contentDocument: { ...content(logo), contentType: 'EMC' } });
  expect(codes(vendor)).toEqual(['INVALID_CONTENT_TYPE contentType']);
});

it('it is related to ASINs of the own brand, reviewed, published, and taken off', async () => {
  const [first = '', second = ''] = own;
  const key = await create();
  const path = `${APLUS}/${key}`;
  expect((await send('POST', `${path}/approvalSubmissions`)).status).toBe(400);
  const foreign = await good(
    'POST',
    '/aplus/2020-11-01/contentAsinValidations',
    { contentDocument: content(logo) },
    { asinSet: `${first},B0NOBODY00` },
  );
  expect(codes({ body: foreign })).toEqual(['CATALOG_NOT_FOUND asinSet: B0NOBODY00']);
  expect((await send('POST', `${path}/asins`, { asinSet: ['B0NOBODY00'] })).status).toBe(400);
  await good('POST', `${path}/asins`, { asinSet: [first, second] });
  await control({ action: 'settings', delayMs: [3_600_000, 3_600_000] });
  await good('POST', `${path}/approvalSubmissions`);
  expect(await statusOf(key)).toBe('SUBMITTED');
  expect((await send('POST', path, { contentDocument: content(logo) })).status).toBe(400);
  await control({ action: 'settings', delayMs: [0, 0] });
  const next = await create('Second');
  await good('POST', `${APLUS}/${next}/asins`, { asinSet: [first] });
  await good('POST', `${APLUS}/${next}/approvalSubmissions`);
  expect(await statusOf(next)).toBe('APPROVED');
  expect(await badges(next)).toEqual([`${first} CONTENT_PUBLISHED`]);
  const records = await good('GET', '/aplus/2020-11-01/contentPublishRecords', undefined, { asin: first });
  expect(listOf(records.publishRecordList).map(({ contentReferenceKey }) => contentReferenceKey)).toContain(next);
  // The set is replaced: what is new waits for an approval.
  await good('POST', `${APLUS}/${next}/asins`, { asinSet: [second] });
  expect([await statusOf(next), await badges(next)]).toEqual(['DRAFT', [`${second} CONTENT_NOT_PUBLISHED`]]);
  await good('POST', `${APLUS}/${next}/approvalSubmissions`);
  expect(await badges(next)).toEqual([`${second} CONTENT_PUBLISHED`]);
  await good('POST', `${APLUS}/${next}/suspendSubmissions`);
  expect([await statusOf(next), await badges(next)]).toEqual(['APPROVED', [`${second} CONTENT_NOT_PUBLISHED`]]);
  expect((await send('POST', `${APLUS}/${next}/suspendSubmissions`)).status).toBe(400);
});

it('a review ends with reasons for what may not be said, or as somebody wants it', async () => {
  const [first = ''] = own;
  const key = await create('The best seller, at www.example.com');
  await good('POST', `${APLUS}/${key}/asins`, { asinSet: [first] });
  await good('POST', `${APLUS}/${key}/approvalSubmissions`);
  const read = await good('GET', `${APLUS}/${key}`, undefined, both);
  expect(read.contentRecord?.contentMetadata?.status).toBe('REJECTED');
  expect(listOf(read.warnings).map(({ code }) => code)).toEqual(['PROHIBITED_CLAIM', 'PROHIBITED_LINK']);
  const reasons = [{ code: 'BLURRED', message: 'The image is blurred.', details: 'contentModuleList[0]' }];
  await control({ action: 'settings', rejectNext: 1, reasons });
  const fine = await create();
  await good('POST', `${APLUS}/${fine}/asins`, { asinSet: [first] });
  await good('POST', `${APLUS}/${fine}/approvalSubmissions`);
  expect((await good('GET', `${APLUS}/${fine}`, undefined, both)).warnings).toEqual(reasons);
  await good('POST', `${APLUS}/${fine}/approvalSubmissions`);
  expect(await statusOf(fine)).toBe('APPROVED');
});

it('lists come in pages, of one marketplace and of sellers with a brand only', async () => {
  for (let count = 0; count < 20; count++) await create(`Page ${count}`);
  const page = await good('GET', APLUS);
  expect(listOf(page.contentMetadataRecords)).toHaveLength(20);
  const rest = await good('GET', APLUS, undefined, { pageToken: page.nextPageToken });
  const keys = [page, rest].flatMap(({ contentMetadataRecords: all }) =>
    listOf(all).map((one) => String(one.contentReferenceKey)),
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect((await send('GET', APLUS, undefined, { pageToken: 'nonsense' })).status).toBe(400);
  expect((await send('GET', APLUS, undefined, { marketplaceId: 'A1PA6795UKMFR9' })).status).toBe(403);
  expect((await send('GET', `${APLUS}/nobody`, undefined, both)).status).toBe(404);
  await control({ action: 'brand', registered: false });
  expect((await send('GET', APLUS)).status).toBe(403);
  await control({ action: 'brand', registered: true });
  const { key } = await control({ action: 'rekey', key: keys[0] });
  expect((await send('GET', `${APLUS}/${keys[0]}`, undefined, both)).status).toBe(404);
  expect(await statusOf(String(key))).toBeDefined();
});
