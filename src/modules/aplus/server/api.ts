import { ApiRefused, type SpApi } from '#modules/marketplace/server/index.ts';
import type { ContentDocument } from './payload.ts';
import type { ApiComplaint } from './words.ts';

export const DOCUMENTS = '/aplus/2020-11-01/contentDocuments';

/** Path of one document. */
export function documentPath(key: string): string {
  return `${DOCUMENTS}/${encodeURIComponent(key)}`;
}

export type Status = 'APPROVED' | 'DRAFT' | 'REJECTED' | 'SUBMITTED';

export interface Metadata {
  name: string;
  status: Status;
  badgeSet?: readonly string[] | null;
  updateTime: string;
}

/** A document of a list. */
export interface Listed {
  key: string;
  metadata: Metadata;
}

export interface RelatedAsin {
  asin: string;
  badgeSet?: readonly string[] | null;
  parent?: string | null;
  title?: string | null;
  imageUrl?: string | null;
}

export interface Place {
  api: SpApi;
  marketplaceId: string;
}

type Paged = { nextPageToken?: string | null };

async function pages<B extends Paged, T>(
  { api, marketplaceId }: Place,
  request: { operation: string; path: string; query?: Record<string, string> },
  rowsOf: (body: B) => readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  let pageToken: string | undefined;
  do {
    const { body } = await api.call<B>({
      operation: request.operation,
      method: 'GET',
      path: request.path,
      query: { marketplaceId, ...request.query, pageToken },
    });
    found.push(...rowsOf(body));
    pageToken = body.nextPageToken || undefined;
  } while (pageToken !== undefined);
  return found;
}

interface Searched extends Paged {
  contentMetadataRecords?: readonly { contentReferenceKey: string; contentMetadata: Metadata }[] | null;
}

/** All documents of a seller in a marketplace. */
export function listDocuments(place: Place): Promise<Listed[]> {
  return pages<Searched, Listed>(place, { operation: 'searchContentDocuments', path: DOCUMENTS }, (body) =>
    (body.contentMetadataRecords ?? []).map(({ contentReferenceKey: key, contentMetadata: metadata }) => ({
      key,
      metadata,
    })),
  );
}

interface Got {
  warnings?: readonly ApiComplaint[] | null;
  contentRecord: { contentMetadata?: Metadata | null; contentDocument?: ContentDocument | null };
}

/** A document as Amazon has it; undefined for one that is not there any more. */
export interface Read {
  metadata: Metadata;
  content: ContentDocument | null;
  /** Why Amazon does not give the content. */
  unreadable: string | null;
  warnings: readonly ApiComplaint[];
}

async function get({ api, marketplaceId }: Place, key: string, includedDataSet: readonly string[]): Promise<Got> {
  const { body } = await api.call<Got>({
    operation: 'getContentDocument',
    method: 'GET',
    path: documentPath(key),
    query: { marketplaceId, includedDataSet },
  });
  return body;
}

const isGone = (error: unknown): boolean => error instanceof ApiRefused && [404, 410].includes(error.status);

/** Metadata of a document; undefined for one that is not there any more. */
export async function readMetadata(place: Place, key: string): Promise<Metadata | undefined> {
  try {
    return (await get(place, key, ['METADATA'])).contentRecord.contentMetadata ?? undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** A document with its content. Modules that the API cannot write down keep the content from being read, not the rest. */
export async function readDocument(place: Place, key: string): Promise<Read | undefined> {
  try {
    const { contentRecord, warnings } = await get(place, key, ['CONTENTS', 'METADATA']);
    const { contentMetadata: metadata, contentDocument: content } = contentRecord;
    return metadata ? { metadata, content: content ?? null, unreadable: null, warnings: warnings ?? [] } : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    if (!(error instanceof ApiRefused) || error.status !== 400) throw error;
    const metadata = await readMetadata(place, key);
    const foreign = /\[([\w-]+)\]/.exec(error.message)?.[1];
    const unreadable = foreign
      ? `亚马逊接口不提供这种模块的内容（${foreign}），请在卖家后台查看和编辑`
      : `亚马逊没有提供内容：${error.message}`.slice(0, 300);
    return metadata && { metadata, content: null, unreadable, warnings: [] };
  }
}

interface Relations extends Paged {
  asinMetadataSet?: readonly RelatedAsin[] | null;
}

/** ASINs that a document is related to, with where it is published. */
export function readAsins(place: Place, key: string): Promise<RelatedAsin[]> {
  return pages<Relations, RelatedAsin>(
    place,
    {
      operation: 'listContentDocumentAsinRelations',
      path: `${documentPath(key)}/asins`,
      query: { includedDataSet: 'METADATA' },
    },
    (body) => body.asinMetadataSet ?? [],
  );
}

export interface PublishRecord {
  locale: string;
  contentType: string;
  contentSubType?: string | null;
  contentReferenceKey: string;
}

/** Documents that an ASIN shows to buyers now. */
export function publishRecords(place: Place, asin: string): Promise<PublishRecord[]> {
  return pages<Paged & { publishRecordList?: readonly PublishRecord[] | null }, PublishRecord>(
    place,
    {
      operation: 'searchContentPublishRecords',
      path: '/aplus/2020-11-01/contentPublishRecords',
      query: { asin },
    },
    (body) => body.publishRecordList ?? [],
  );
}
