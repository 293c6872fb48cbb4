import { Readable } from 'node:stream';
import { audit } from '#kit/server/audit.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { fileOf, recordFile } from '#kit/server/files.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { drawnAnew } from '#kit/server/pictures/draw.ts';
import { inTenant } from '#kit/server/runtime.ts';

const SIDE = 256;
const PURPOSE = 'avatar';

/** Address at which a stored picture is read. */
export function imageAddress(fileId: string | null): string | null {
  return fileId ? `/api/admin/api/v1/users/image/${fileId}` : null;
}

/** Takes the middle of a picture as the caller's portrait, 256 x 256. @throws refused B0022 without a file, else as drawnAnew() */
export async function saveAvatar(ctx: OpenCtx): Promise<{ image: string }> {
  if (!ctx.upload) throw refused('请选择要上传的文件', 'B0022');
  const upload = await ctx.upload();
  const drawn = await drawnAnew(upload.stream, { width: SIDE, height: SIDE, fit: 'cover' });
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
