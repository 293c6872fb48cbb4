import { Readable } from 'node:stream';
import { loadImage } from '@napi-rs/canvas';
import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { recordFile } from '#kit/server/files.ts';
import { FileReply, type OpenCtx, type PublicCtx } from '#kit/server/http/serve.ts';
import { type PictureHead, pictureHead } from '#kit/server/pictures/head.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { Media } from '../../contract/parts.ts';

export const MAX_BYTES = 5 * 1024 * 1024;
/** 64 million points take 256 MB while they are decoded. */
const MAX_SIDE = 8000;
const PURPOSE = 'product.picture';

/** Address at which a browser reads a picture, without a session. */
function urlOf(companyId: string, key: string): string {
  return `/api/erp/api/v1/material/image/${companyId}/${key}`;
}

export async function mediaOf(ctx: Ctx, productId: string): Promise<Media[]> {
  const rows = await ctx.db
    .selectFrom('product.media')
    .select(['id', 'role', 'picture_key', 'width', 'height', 'created_by_name as by', 'created_at as at'])
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .orderBy(sql`role <> 'main'`)
    .orderBy('sort')
    .orderBy('id')
    .execute();
  return rows.map(({ picture_key, role, ...row }) => ({
    ...row,
    role: role as Media['role'],
    url: urlOf(ctx.companyId, picture_key),
  }));
}

export interface Picture {
  bytes: Buffer;
  mediaType: PictureHead['mediaType'];
  width: number;
  height: number;
}

/** A picture by its content, decoded once; the name of the file says nothing. @throws AppError B0750 to B0752 */
export async function readPicture(bytes: Buffer, most = MAX_BYTES): Promise<Picture> {
  if (bytes.length > most) throw refused(`图片不能超过${Math.round(most / 1024 / 1024)}MB`, 'B0751');
  const head = pictureHead(bytes);
  if (!head || head.kind === 'bmp') throw refused('文件格式不支持，请上传 JPG、PNG 图片', 'B0750');
  if (Math.max(head.width, head.height) > MAX_SIDE)
    throw refused(`图片尺寸不能超过${MAX_SIDE}×${MAX_SIDE}像素`, 'B0752');
  const decoded = await loadImage(bytes).catch(() => {
    throw refused('图片内容已损坏', 'B0750');
  });
  if (decoded.width < 1 || decoded.height < 1) throw refused('图片内容已损坏', 'B0750');
  const { mediaType, width, height } = head;
  return { bytes, mediaType, width, height };
}

/** The bytes of an upload; what is too much is read to the end and dropped, so that the browser hears the refusal. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size <= limit + 1) chunks.push(chunk);
  }
  if (size > limit) throw refused(`文件不能超过${Math.round(limit / 1024 / 1024)}MB`, 'B0751');
  return Buffer.concat(chunks);
}

/** The picture that lists show: the main one, or whatever a marketplace shows where there is none. */
async function showMain(ctx: Ctx, productId: string): Promise<void> {
  await sql`
    UPDATE product.local_product AS p SET image = m.url
      FROM (SELECT (SELECT ${urlOf(ctx.companyId, '')} || picture_key FROM product.media
                     WHERE company_id = ${ctx.companyId} AND product_id = ${productId} AND role = 'main') AS url) AS m
     WHERE p.company_id = ${ctx.companyId} AND p.id = ${productId} AND p.image IS DISTINCT FROM m.url
       AND (m.url IS NOT NULL OR p.image LIKE ${`${urlOf(ctx.companyId, '')}%`})`.execute(ctx.db);
}

async function demote(ctx: Ctx, productId: string): Promise<void> {
  await ctx.db
    .updateTable('product.media')
    .set({ role: 'detail' })
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .where('role', '=', 'main')
    .execute();
}

/** Adds a picture to a product unless it has the same bytes already. The first one is the main picture. */
export async function addPicture(
  ctx: Ctx,
  productId: string,
  picture: Picture,
  role: Media['role'],
): Promise<{ media: Media; isNew: boolean }> {
  const stored = await ctx.runtime.files.put(ctx.companyId, Readable.from([picture.bytes]));
  const { sha256 } = stored;
  const before = await ctx.db
    .selectFrom('product.media')
    .select(['id', 'sha256', 'role'])
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .execute();
  const same = before.find((one) => one.sha256 === sha256);
  if (!same) {
    const main = role === 'main' || !before.some((one) => one.role === 'main');
    if (main) await demote(ctx, productId);
    const fileId = await recordFile(ctx, stored, {
      name: `${sha256.slice(0, 12)}`,
      mediaType: picture.mediaType,
      purpose: PURPOSE,
    });
    await ctx.db
      .insertInto('product.media')
      .values({
        company_id: ctx.companyId,
        product_id: productId,
        file_id: fileId,
        sha256,
        role: main ? 'main' : role,
        sort: before.length,
        width: picture.width,
        height: picture.height,
        created_by_name: ctx.userName,
      })
      .execute();
    await showMain(ctx, productId);
    await audit(ctx, { action: '上传产品图片', resource: 'product', resourceId: productId, after: { sha256, role } });
  }
  ctx.audited = true;
  const id = same?.id;
  const all = await mediaOf(ctx, productId);
  const media = all.find((one) => one.id === id) ?? all.find((one) => !before.some((old) => old.id === one.id));
  if (!media) throw notFound();
  return { media, isNew: !same };
}

/** Locks a product by id or by SKU, whatever its case. */
async function productToShow(ctx: Ctx, key: { id?: string | undefined; sku?: string | undefined }): Promise<string> {
  let query = ctx.db
    .selectFrom('product.local_product')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('is_spelling', '=', false);
  if (key.id) query = query.where('id', '=', key.id);
  else query = query.where('sku_key', '=', (key.sku ?? '').trim().toLowerCase());
  const row = await query.forUpdate().executeTakeFirst();
  if (!row) throw notFound('产品不存在或已删除');
  return row.id;
}

/** Takes one uploaded picture. */
export async function takePhoto(
  open: OpenCtx,
  body: { id?: string | undefined; sku?: string | undefined; role: Media['role'] },
): Promise<{ productId: string; media: Media; isNew: boolean }> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await open.upload();
  const picture = await readPicture(await bytesOf(upload.stream, MAX_BYTES));
  return inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const productId = await productToShow(ctx, body);
      return { productId, ...(await addPicture(ctx, productId, picture, body.role)) };
    },
    { requestId: open.requestId, ip: open.ip },
  );
}

/** Gives a picture another role, or takes it away. Answers the pictures that are left. */
export async function changeMedia(
  ctx: Ctx,
  { id, action }: { id: string; action: Media['role'] | 'remove' },
): Promise<Media[]> {
  const media = await ctx.db
    .selectFrom('product.media')
    .select(['product_id', 'role'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!media) throw notFound('图片不存在或已删除');
  await productToShow(ctx, { id: media.product_id });
  if (action === 'main') await demote(ctx, media.product_id);
  const one = sql`company_id = ${ctx.companyId} AND id = ${id}`;
  if (action === 'remove') await sql`DELETE FROM product.media WHERE ${one}`.execute(ctx.db);
  else await sql`UPDATE product.media SET role = ${action} WHERE ${one}`.execute(ctx.db);
  await showMain(ctx, media.product_id);
  const entry = { action: '调整产品图片', resource: 'product', resourceId: media.product_id };
  await audit(ctx, { ...entry, before: { role: media.role }, after: { action } });
  return mediaOf(ctx, media.product_id);
}

/** A picture by the address that lists carry: whoever has the address may see it, as with any picture of a listing. */
export async function servePicture(open: PublicCtx, companyId: string, key: string): Promise<FileReply> {
  const found = await inTenant(
    open.runtime,
    systemPrincipal(companyId),
    (ctx) =>
      ctx.db
        .selectFrom('product.media as m')
        .innerJoin('kit.file as f', (join) =>
          join.onRef('f.company_id', '=', 'm.company_id').onRef('f.id', '=', 'm.file_id'),
        )
        .select(['m.sha256', 'f.media_type'])
        .where('m.company_id', '=', companyId)
        .where('m.picture_key', '=', key)
        .executeTakeFirst(),
    { readOnly: true },
  );
  if (!found) throw notFound('图片不存在或已删除');
  return new FileReply('picture', found.media_type, open.runtime.files.open(companyId, found.sha256), true);
}
