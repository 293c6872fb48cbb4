import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expect } from 'vitest';
import type { ConsentedSeller } from './seller-support.ts';
import type { Json } from './wire-support.ts';

export const APLUS = '/aplus/2020-11-01/contentDocuments';
export const DESTINATIONS = '/uploads/2020-11-01/uploadDestinations/aplus/2020-11-01/contentDocuments';

/** A PNG of one grey, of that size. */
export function png(width: number, height: number, shade = 128): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width + 1), shade);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const start = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

/** Sends bytes as the storage wants them: the query of the address as fields of a form. */
export function sendForm(url: string, bytes: Buffer, keepQuery = false): Promise<Response> {
  const address = new URL(url);
  const form = new FormData();
  for (const [name, value] of address.searchParams) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png');
  if (!keepQuery) address.search = '';
  return fetch(address, { method: 'POST', body: form });
}

/** Uploads a picture for a seller; answers what it is called. */
export async function uploaded(seller: ConsentedSeller, bytes: Buffer): Promise<string> {
  const query = {
    marketplaceIds: seller.marketplaceIds[0],
    contentMD5: createHash('md5').update(bytes).digest('hex'),
    contentType: 'image/png',
  };
  const { payload } = await seller.good({ method: 'POST', path: DESTINATIONS, query });
  expect((await sendForm(String(payload?.url), bytes)).status).toBe(204);
  return String(payload?.uploadDestinationId);
}

const pixels = (value: number) => ({ value, units: 'pixels' });

/** A document of a logo and a text. */
export function content(uploadDestinationId: string, text = 'Made to last', size = [600, 180]): object {
  const [width = 0, height = 0] = size;
  return {
    name: 'Logo and words',
    contentType: 'EBC',
    locale: 'en-US',
    contentModuleList: [
      {
        contentModuleType: 'STANDARD_COMPANY_LOGO',
        standardCompanyLogo: {
          companyLogo: {
            uploadDestinationId,
            imageCropSpecification: { size: { width: pixels(width), height: pixels(height) } },
            altText: 'Logo',
          },
        },
      },
      {
        contentModuleType: 'STANDARD_TEXT',
        standardText: { body: { textList: [{ value: text, decoratorSet: [] }] } },
      },
    ],
  };
}

/** Goes the whole way of a document by the calls of a client: made, changed, checked, related, handed in, taken off. */
export async function aplusAndBack(
  seller: ConsentedSeller,
  asin: string,
  call: (name: string, key: string, body?: object, asins?: string[]) => Promise<Json>,
): Promise<void> {
  const id = await uploaded(seller, png(600, 180));
  await call('searchContentDocuments', '');
  const { contentReferenceKey } = await call('createContentDocument', '', { contentDocument: content(id) });
  const key = String(contentReferenceKey);
  await call('updateContentDocument', key, { contentDocument: content(id, 'Made well') });
  await call('getContentDocument', key);
  await call('validateContentDocumentAsinRelations', key, { contentDocument: content(id) }, [asin]);
  await call('postContentDocumentAsinRelations', key, { asinSet: [asin] });
  await call('listContentDocumentAsinRelations', key);
  await call('postContentDocumentApprovalSubmission', key);
  await call('searchContentPublishRecords', '', undefined, [asin]);
  await call('postContentDocumentSuspendSubmission', key);
}
