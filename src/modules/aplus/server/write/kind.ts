import type { SpApi, Write, WriteKind } from '#modules/marketplace/server/index.ts';
import { SUBMIT } from '../../contract/documents.ts';
import { DOCUMENTS, documentPath, listDocuments, readAsins, readDocument, readMetadata } from '../api.ts';
import type { ContentDocument } from '../payload.ts';
import type { AplusWrite } from './wish.ts';

/** Name of these writes. */
export const APLUS_WRITE = 'aplus.document';

const requestOf = ({ request }: Pick<Write, 'request'>): AplusWrite => request as AplusWrite;

const sameTime = (a: string | null | undefined, b: string | null | undefined): boolean =>
  Boolean(a) && Boolean(b) && Date.parse(a ?? '') === Date.parse(b ?? '');

/** JSON with fields in one order and without what is null or empty, which Amazon adds and drops at will. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, one]) => one !== null && one !== undefined && !(Array.isArray(one) && one.length === 0))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, canonical(one)]));
}

/** Whether Amazon shows the content that was sent. */
export function sameContent(a: ContentDocument | null | undefined, b: ContentDocument | null | undefined): boolean {
  return JSON.stringify(canonical(a ?? null)) === JSON.stringify(canonical(b ?? null));
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

/** The document that a call made, where its answer was lost: one of that name and content that was not there before. */
export async function madeBy(
  place: { api: SpApi; marketplaceId: string },
  { content, known = [] }: Pick<AplusWrite, 'content' | 'known'>,
): Promise<string | undefined> {
  const named = (await listDocuments(place)).filter(
    ({ key, metadata }) => metadata.name === content?.name && !known.includes(key),
  );
  for (const { key } of named) {
    const read = await readDocument(place, key);
    if (sameContent(read?.content, content)) return key;
  }
  return undefined;
}

/** Between the wish and the call somebody may have changed the document in Seller Central, which is not overwritten. */
async function unfit(api: SpApi, { marketplaceId, ...write }: Write): Promise<string | undefined> {
  const { key, base } = requestOf(write);
  if (key === null) return undefined;
  const now = await readMetadata({ api, marketplaceId }, key);
  if (!now) return '亚马逊没有这份文档，没有提交';
  return sameTime(now.updateTime, base) ? undefined : '提交前文档已在卖家后台被修改，没有覆盖，请重新读取后再试';
}

/** After a lost answer: whether the document shows what was wished. */
async function verify(api: SpApi, { marketplaceId, ...write }: Write): Promise<'done' | 'absent'> {
  const place = { api, marketplaceId };
  const { step, key, content, asins = [] } = requestOf(write);
  const said = (is: boolean): 'done' | 'absent' => (is ? 'done' : 'absent');
  if (key === null) return said((await madeBy(place, requestOf(write))) !== undefined);
  if (step === 'save') return said(sameContent((await readDocument(place, key))?.content, content));
  if (step === 'submit')
    return said(['SUBMITTED', 'APPROVED'].includes((await readMetadata(place, key))?.status ?? ''));
  const related = await readAsins(place, key);
  if (step === 'relate')
    return said(
      sameSet(
        related.map(({ asin }) => asin),
        asins,
      ),
    );
  return said(related.every(({ badgeSet }) => !badgeSet?.includes('CONTENT_PUBLISHED')));
}

/** A+内容: one step of one document. What has another effect when it is called twice is looked for after a lost answer. */
export const aplusKind: WriteKind = {
  kind: APLUS_WRITE,
  title: 'A+内容',
  permission: SUBMIT,
  call: ({ marketplaceId, ...write }) => {
    const { step, key, content, asins = [] } = requestOf(write);
    const query = { marketplaceId };
    const path = documentPath(key ?? '');
    if (key === null) {
      const body = { contentDocument: content };
      return { operation: 'createContentDocument', method: 'POST', path: DOCUMENTS, query, body, once: true };
    }
    if (step === 'save') {
      return { operation: 'updateContentDocument', method: 'POST', path, query, body: { contentDocument: content } };
    }
    if (step === 'relate') {
      const body = { asinSet: asins };
      return { operation: 'postContentDocumentAsinRelations', method: 'POST', path: `${path}/asins`, query, body };
    }
    const [operation, last] =
      step === 'submit'
        ? ['postContentDocumentApprovalSubmission', 'approvalSubmissions']
        : ['postContentDocumentSuspendSubmission', 'suspendSubmissions'];
    return { operation, method: 'POST', path: `${path}/${last}`, query, once: true };
  },
  unfit,
  verify,
  problemOf: ({ status, message }) => {
    if (status === 403) return '亚马逊拒绝：账号没有备案品牌或应用缺少「商品刊登」权限';
    return status === 400 ? `亚马逊拒绝：${message}` : undefined;
  },
};
