import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { recordFile, type StoredBytes } from '#kit/server/files.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { ComeBackLater, type SpApi } from '../api/port.ts';
import { fetchVia } from '../api/proxy.ts';
import type { AccountRef } from '../streams.ts';
import { keptUntil } from './retention.ts';

interface RemoteDocument {
  url: string;
  compressionAlgorithm?: string;
}

const TIMEOUT_MS = 10 * 60_000;

/** charset=… of a content type. */
export function charsetOf(contentType: string | null): string | undefined {
  return /charset="?([\w-]+)/i.exec(contentType ?? '')?.[1];
}

/** The plain bytes of a document; `seen` hears the content type. Everything that breaks is thrown to the reader. */
async function* plainBytes(
  remote: RemoteDocument,
  proxyUrl: string | undefined,
  seen: (contentType: string | null) => void,
): AsyncGenerator<Buffer> {
  const response = await fetchVia(proxyUrl, remote.url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok || !response.body) throw new Error(`下载报表失败：HTTP ${response.status}`);
  seen(response.headers.get('content-type'));
  const body = Readable.fromWeb(response.body as never);
  if (remote.compressionAlgorithm !== 'GZIP') {
    yield* body;
    return;
  }
  const plain = createGunzip();
  // A broken transfer must reach the reader of the unzipped stream as an error, never as an early end.
  body.on('error', (error) => plain.destroy(error));
  yield* body.pipe(plain);
}

async function store(
  runtime: Runtime,
  account: AccountRef,
  remote: RemoteDocument,
): Promise<StoredBytes & { charset: string | undefined }> {
  let charset: string | undefined;
  const bytes = plainBytes(remote, account.proxyUrl, (contentType) => {
    charset = charsetOf(contentType);
  });
  const stored = await runtime.files.put(account.companyId, bytes);
  return { ...stored, charset };
}

async function addressOf(api: SpApi, remoteDocumentId: string): Promise<RemoteDocument> {
  const { body } = await api.call<RemoteDocument>({
    operation: 'getReportDocument',
    method: 'GET',
    path: `/reports/2021-06-30/documents/${encodeURIComponent(remoteDocumentId)}`,
  });
  return body;
}

/** Longer words are cut: what they begin with says what is wrong. */
const REASON_LENGTH = 500;
const Words = z.string().trim().min(1);
const Reason = z.union([z.object({ errorDetails: Words }), z.object({ reportRequestError: Words })]);

/**
 * Amazon's words for a report that it could not make: the document of such a report says them, { errorDetails }, or
 * { reportRequestError } where it lacks an option. Undefined where there is none or it cannot be read: nobody waits for words.
 */
export async function fatalReason(
  api: SpApi,
  account: AccountRef,
  remoteDocumentId: string,
): Promise<string | undefined> {
  try {
    const parts: Buffer[] = [];
    for await (const part of plainBytes(await addressOf(api, remoteDocumentId), account.proxyUrl, () => {})) {
      parts.push(part);
    }
    const reason = Reason.parse(JSON.parse(Buffer.concat(parts).toString('utf8')));
    const words = 'errorDetails' in reason ? reason.errorDetails : reason.reportRequestError;
    return words.slice(0, REASON_LENGTH);
  } catch {
    return undefined;
  }
}

export interface Downloaded {
  documentId: string;
  sha256: string;
}

export interface DownloadSpec {
  remoteDocumentId: string;
  reportType: string;
  marketplaceIds: readonly string[];
  reportId: string;
}

/**
 * Fetches a report document into the raw store and records it. A transfer that broke off or does not unzip is thrown
 * away and asked for again with a new address.
 */
export async function download(
  runtime: Runtime,
  api: SpApi,
  account: AccountRef,
  spec: DownloadSpec,
): Promise<Downloaded> {
  const remote = await addressOf(api, spec.remoteDocumentId);
  const stored = await store(runtime, account, remote).catch((error: unknown) => {
    throw new ComeBackLater(runtime.config.retryBaseMs, error instanceof Error ? error.message : String(error));
  });
  return inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    const fileId = await recordFile(ctx, stored, {
      name: `${spec.reportType}-${spec.reportId}.txt`,
      mediaType: 'text/plain',
      purpose: 'report',
      expiresAt: keptUntil(ctx, spec.reportType),
    });
    const row = await ctx.db
      .insertInto('marketplace.report_document')
      .values({
        company_id: ctx.companyId,
        account_id: account.id,
        report_type: spec.reportType,
        marketplace_ids: [...spec.marketplaceIds],
        file_id: fileId,
        sha256: stored.sha256,
        charset: stored.charset ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { documentId: row.id, sha256: stored.sha256 };
  });
}
