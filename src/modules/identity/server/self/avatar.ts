import { Readable } from 'node:stream';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { audit } from '#kit/server/audit.ts';
import { notFound, refused, throttled } from '#kit/server/errors.ts';
import { fileOf, recordFile } from '#kit/server/files.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { pictureHead } from './picture.ts';

const MAX_BYTES = 2 * 1024 * 1024;
/** 16 million points take 64 MB while they are decoded. */
const MAX_SIDE = 4096;
const SIDE = 256;
const AT_ONCE = 2;
const PURPOSE = 'avatar';

let decoding = 0;

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read and dropped: a refusal in the middle of a body would reach the browser as a broken connection.
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BYTES) throw refused('文件不能超过2MB', 'B0171');
  return Buffer.concat(chunks);
}

const unreadable = () => refused('文件格式不支持，请上传 png、jpg、jpeg、bmp 图片', 'B0170');

/** Draws the middle of a picture anew, 256 x 256; nothing of the uploaded bytes is kept. */
async function redrawn(bytes: Buffer): Promise<Buffer> {
  const head = pictureHead(bytes);
  if (!head) throw unreadable();
  if (head.width < 1 || head.height < 1 || head.width > MAX_SIDE || head.height > MAX_SIDE) {
    throw refused(`图片尺寸不能超过${MAX_SIDE}×${MAX_SIDE}像素`, 'B0172');
  }
  if (decoding >= AT_ONCE) throw throttled(2);
  decoding += 1;
  try {
    const picture = await loadImage(bytes).catch(() => {
      throw unreadable();
    });
    const side = Math.min(picture.width, picture.height);
    if (side < 1 || picture.width > MAX_SIDE || picture.height > MAX_SIDE) throw unreadable();
    const canvas = createCanvas(SIDE, SIDE);
    const context = canvas.getContext('2d');
    context.drawImage(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
    return await canvas.encode('png');
  } finally {
    decoding -= 1;
  }
}

/** Address at which a stored picture is read. */
export function imageAddress(fileId: string | null): string | null {
  return fileId ? `/api/admin/api/v1/users/image/${fileId}` : null;
}

/**
 * Takes a picture of at most 2 MB and 4096 x 4096 points as the caller's portrait. Refuses other files (B0170), too many
 * bytes (B0171) and too many points (B0172) by their first bytes, before anything is decoded.
 */
export async function saveAvatar(ctx: OpenCtx): Promise<{ image: string }> {
  if (!ctx.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await ctx.upload();
  const drawn = await redrawn(await bytesOf(upload.stream));
  const { companyId, userId } = ctx.principal;
  const stored = await ctx.runtime.files.put(companyId, Readable.from([drawn]));
  return inTenant(
    ctx.runtime,
    ctx.principal,
    async (tenant) => {
      const fileId = await recordFile(tenant, stored, { name: 'avatar.png', mediaType: 'image/png', purpose: PURPOSE });
      await tenant.db
        .updateTable('identity.member')
        .set({ image_file_id: fileId })
        .where('company_id', '=', companyId)
        .where('id', '=', userId)
        .execute();
      await audit(tenant, { action: '上传头像', resource: 'identity.member', resourceId: userId });
      return { image: imageAddress(fileId) ?? '' };
    },
    { requestId: ctx.requestId, ip: ctx.ip },
  );
}

/** A portrait of somebody of the caller's company; any other file answers 404, also the company's own. */
export async function readAvatar(ctx: OpenCtx, id: string): Promise<FileReply> {
  const file = await inTenant(ctx.runtime, ctx.principal, (tenant) => fileOf(tenant, id), { readOnly: true });
  if (file.purpose !== PURPOSE) throw notFound();
  return new FileReply('avatar.png', 'image/png', ctx.runtime.files.open(ctx.principal.companyId, file.sha256), true);
}
