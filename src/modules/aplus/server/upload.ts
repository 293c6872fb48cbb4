import { createHash } from 'node:crypto';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { logCall } from '#modules/marketplace/server/index.ts';
import { asked, type Site } from '#modules/publish/server/index.ts';
import type { Content } from '../contract/content.ts';
import type { Destination } from './payload.ts';
import { imagesOf } from './pictures.ts';

/** The resource keeps its slashes: Amazon answers encoded ones with 403. */
const PATH = '/uploads/2020-11-01/uploadDestinations/aplus/2020-11-01/contentDocuments';
const TIMEOUT_MS = 60_000;

interface Waiting {
  id: string;
  sha256: string;
  media_type: string;
  destination: string | null;
}

async function uploadsOf(ctx: Ctx, accountId: string, ids: readonly string[]): Promise<Waiting[]> {
  if (ids.length === 0) return [];
  return ctx.db
    .selectFrom('aplus.picture')
    .select(['id', 'sha256', 'media_type', 'destination'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}

async function bytesOf(open: OpenCtx, sha256: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of open.runtime.files.open(open.principal.companyId, sha256)) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/**
 * Sends bytes to a destination. Amazon's storage takes a form whose fields are those of the address's query, and refuses an
 * address that still has them ("Conflicting query string parameters"); an address without a policy takes the bytes as they are.
 */
async function sendBytes(url: string, headers: Record<string, string>, bytes: Buffer, type: string): Promise<Response> {
  const address = new URL(url);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (!address.searchParams.has('policy')) {
    return fetch(address, {
      method: 'PUT',
      headers: { ...headers, 'content-type': type },
      body: new Uint8Array(bytes),
      signal,
    });
  }
  const form = new FormData();
  for (const [name, value] of address.searchParams) form.append(name, value);
  // What follows the file is not read.
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), 'picture');
  address.search = '';
  return fetch(address, { method: 'POST', body: form, signal });
}

async function uploadOne(open: OpenCtx, site: Site, picture: Waiting): Promise<string> {
  const bytes = await bytesOf(open, picture.sha256);
  const { body } = await asked(() =>
    site.api.call<{
      payload?: { uploadDestinationId?: string; url?: string; headers?: Record<string, string> | null };
    }>({
      operation: 'createUploadDestinationForResource',
      method: 'POST',
      path: PATH,
      query: {
        marketplaceIds: [site.marketplaceId],
        contentMD5: createHash('md5').update(bytes).digest('hex'),
        contentType: picture.media_type,
      },
    }),
  );
  const { uploadDestinationId: destination, url, headers } = body.payload ?? {};
  if (!destination || !url) throw refused('亚马逊没有给出图片上传地址，请稍后重试', 'B0790');
  const begun = performance.now();
  const response = await sendBytes(url, headers ?? {}, bytes, picture.media_type).catch((error: unknown) => {
    open.runtime.log.warn({ err: error }, 'upload of an A+ picture failed');
    throw refused('图片上传到亚马逊失败，请稍后重试', 'B0791');
  });
  logCall(open.runtime, {
    companyId: open.principal.companyId,
    accountId: site.account.id,
    operation: 'uploadAplusImage',
    method: 'POST',
    path: new URL(url).pathname,
    status: response.status,
    requestId: null,
    rate: null,
    ms: Math.round(performance.now() - begun),
    attempt: 1,
    problem: response.ok ? null : `HTTP ${response.status}`,
    requestBody: null,
    responseBody: response.ok ? null : (await response.text()).slice(0, 2000),
  });
  if (!response.ok) throw refused(`亚马逊没有收下图片（HTTP ${response.status}），请稍后重试或更换图片`, 'B0791');
  await inTenant(open.runtime, open.principal, (ctx) =>
    ctx.db
      .updateTable('aplus.picture')
      .set({ destination })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', picture.id)
      .execute(),
  );
  return destination;
}

/**
 * Sends the pictures of a document that an account has not sent yet, one after the other; each that arrived is remembered, so
 * that a second attempt goes on where the first one ended. Answers what they are called at Amazon's.
 * @throws AppError in Chinese where one cannot be sent
 */
export async function uploadPictures(open: OpenCtx, site: Site, content: Content): Promise<Destination> {
  const ids = [...new Set(imagesOf(content).flatMap(({ picture }) => picture ?? []))];
  const rows = await inTenant(open.runtime, open.principal, (ctx) => uploadsOf(ctx, site.account.id, ids), {
    readOnly: true,
  });
  const sent = new Map<string, string>();
  for (const row of rows) sent.set(row.id, row.destination ?? (await uploadOne(open, site, row)));
  return ({ picture, destination }) => {
    const name = (picture && sent.get(picture)) ?? destination;
    if (!name) throw refused('图片不存在或已删除，请重新选择图片', 'B0792');
    return name;
  };
}
