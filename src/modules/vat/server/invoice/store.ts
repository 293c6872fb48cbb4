import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Ctx } from '#kit/server/context.ts';
import { fileOf, recordFile } from '#kit/server/files.ts';

/** Keeps a document sealed: its bytes name a buyer, and the file store itself does not hide what it holds. */
export async function storePdf(ctx: Ctx, name: string, pdf: Buffer): Promise<{ fileId: string; sha256: string }> {
  const sealed = ctx.runtime.secrets.encrypt(pdf.toString('base64'));
  const stored = await ctx.runtime.files.put(ctx.companyId, [Buffer.from(sealed, 'utf8')] as never);
  const fileId = await recordFile(ctx, stored, { name, mediaType: 'application/octet-stream', purpose: 'vat' });
  return { fileId, sha256: createHash('sha256').update(pdf).digest('hex') };
}

/** The bytes of a stored document. @throws 404 */
export async function readPdf(ctx: Ctx, fileId: string): Promise<Buffer> {
  const file = await fileOf(ctx, fileId);
  const sealed = await text(ctx.runtime.files.open(ctx.companyId, file.sha256));
  return Buffer.from(ctx.runtime.secrets.decrypt(sealed), 'base64');
}
