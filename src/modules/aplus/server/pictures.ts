import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
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

/** @throws 404 where a picture is none of the account's */
export async function insistOnPictures(ctx: Ctx, accountId: string, content: Content): Promise<void> {
  const ids = [...new Set(imagesOf(content).flatMap(({ picture }) => picture ?? []))];
  if (ids.length === 0) return;
  const found = await ctx.db
    .selectFrom('aplus.picture')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', accountId)
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
      const { account_id: accountId } = await documentOf(ctx, documentId);
      const sha256 = createHash('sha256').update(picture.bytes).digest('hex');
      const { width, height } = picture;
      const known = await ctx.db
        .selectFrom('aplus.picture')
        .select('id')
        .where('company_id', '=', ctx.companyId)
        .where('account_id', '=', accountId)
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
          account_id: accountId,
          file_id: fileId,
          sha256,
          media_type: picture.mediaType,
          width,
          height,
          created_by_name: ctx.userName,
        })
        .onConflict((it) =>
          it.columns(['company_id', 'account_id', 'sha256']).doUpdateSet({ media_type: picture.mediaType }),
        )
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

/** The same pictures for another account, under ids of its own; they are sent for it when its document is. */
async function picturesFor(ctx: Ctx, accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ old: string; id: string }>`
    WITH own AS (
      SELECT id, file_id, sha256, media_type, width, height FROM aplus.picture
       WHERE company_id = ${ctx.companyId} AND id = ANY(${ids}::uuid[])
    ), made AS (
      INSERT INTO aplus.picture (company_id, account_id, file_id, sha256, media_type, width, height, created_by_name)
      SELECT ${ctx.companyId}::uuid, ${accountId}::uuid, file_id, sha256, media_type, width, height, ${ctx.userName} FROM own
      ON CONFLICT (company_id, account_id, sha256) DO UPDATE SET media_type = excluded.media_type
      RETURNING id, sha256
    )
    SELECT own.id AS old, made.id FROM own JOIN made USING (sha256)`.execute(ctx.db);
  return new Map(rows.map(({ old, id }) => [old, id]));
}

/** A content whose pictures are those of another account. @throws AppError for pictures that lie only at Amazon's */
export async function movedTo(ctx: Ctx, accountId: string, content: Content): Promise<Content> {
  const images = imagesOf(content);
  if (images.some(({ picture }) => picture === undefined)) {
    throw refused('文档含有只存于亚马逊的图片，不能复制到其他账号；请先在本文档重新上传图片', 'B0801');
  }
  const ids = await picturesFor(
    ctx,
    accountId,
    images.flatMap(({ picture }) => picture ?? []),
  );
  const moved = ({ destination: _, ...image }: ImageValue): ImageValue => ({
    ...image,
    picture: ids.get(image.picture ?? '') ?? image.picture,
  });
  const modules = content.modules.map((module) => ({
    ...module,
    values: Object.fromEntries(
      Object.entries(module.values).map(([path, value]) => {
        if ('image' in value) return [path, { image: moved(value.image) }];
        if (!('table' in value)) return [path, value];
        const columns = value.table.columns.map((one) => ({ ...one, image: one.image && moved(one.image) }));
        return [path, { table: { ...value.table, columns } }];
      }),
    ),
  }));
  return { ...content, modules };
}
