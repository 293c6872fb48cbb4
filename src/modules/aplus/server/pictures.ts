import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { recordFile } from '#kit/server/files.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { bytesOf, readPicture } from '#modules/product/server/index.ts';
import type { Content, ImageValue } from '../contract/content.ts';
import { documentOf, RESOURCE } from './row.ts';

/** Seller Central takes no larger ones. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Every picture of a document. */
export function imagesOf({ modules }: Content): ImageValue[] {
  return modules.flatMap(({ values }) =>
    Object.values(values).flatMap((value) => {
      if ('image' in value) return [value.image];
      return 'table' in value ? value.table.columns.flatMap(({ image }) => image ?? []) : [];
    }),
  );
}

/** @throws 404 where a picture is none of the company's */
export async function insistOnPictures(ctx: Ctx, content: Content): Promise<void> {
  const ids = [...new Set(imagesOf(content).flatMap(({ picture }) => picture ?? []))];
  if (ids.length === 0) return;
  const found = await ctx.db
    .selectFrom('aplus.picture')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', ids)
    .execute();
  if (found.length < ids.length) throw notFound('图片不存在或已删除');
}

/** Keeps a picture for the modules of a document. @throws 404; AppError where it is no picture or too large */
export async function takePicture(open: OpenCtx, documentId: string) {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const { runtime, principal } = open;
  const upload = await open.upload();
  const picture = await readPicture(await bytesOf(upload.stream, MOST_BYTES));
  return inTenant(
    runtime,
    principal,
    async (ctx) => {
      await documentOf(ctx, documentId);
      const sha256 = createHash('sha256').update(picture.bytes).digest('hex');
      const { width, height } = picture;
      const known = await ctx.db
        .selectFrom('aplus.picture')
        .select('id')
        .where('company_id', '=', ctx.companyId)
        .where('sha256', '=', sha256)
        .executeTakeFirst();
      ctx.audited = true;
      if (known) return { id: known.id, width, height };
      const stored = await runtime.files.put(ctx.companyId, Readable.from([picture.bytes]));
      const fileId = await recordFile(ctx, stored, {
        name: sha256.slice(0, 12),
        mediaType: picture.mediaType,
        purpose: 'aplus.picture',
      });
      const { id } = await ctx.db
        .insertInto('aplus.picture')
        .values({
          company_id: ctx.companyId,
          file_id: fileId,
          sha256,
          media_type: picture.mediaType,
          width,
          height,
          created_by_name: ctx.userName,
        })
        .onConflict((it) => it.columns(['company_id', 'sha256']).doUpdateSet({ media_type: picture.mediaType }))
        .returning('id')
        .executeTakeFirstOrThrow();
      await audit(ctx, { action: '上传A+图片', resource: RESOURCE, resourceId: documentId, after: { sha256 } });
      return { id, width, height };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

/** A picture's bytes, for the editor. @throws 404 */
export async function servePicture(open: OpenCtx, id: string): Promise<FileReply> {
  const { runtime, principal } = open;
  const found = await inTenant(
    runtime,
    principal,
    (ctx) =>
      ctx.db
        .selectFrom('aplus.picture')
        .select(['sha256', 'media_type'])
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', id)
        .executeTakeFirst(),
    { readOnly: true },
  );
  if (!found) throw notFound('图片不存在或已删除');
  return new FileReply('picture', found.media_type, runtime.files.open(principal.companyId, found.sha256), true);
}
