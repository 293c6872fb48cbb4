import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { drawnAnew } from '#kit/server/pictures/draw.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { insistOnVersion } from './save.ts';

const FRAME = { width: 600, height: 200, fit: 'contain' } as const;

interface Named {
  id: string;
  version: number;
}

async function put(ctx: Ctx, { id, version }: Named, logo: Buffer | null): Promise<{ version: number }> {
  await insistOnVersion(ctx, id, version);
  const saved = await ctx.db
    .updateTable('vat.entity')
    .set((set) => ({
      logo,
      version: set('version', '+', 1),
      updated_at: sql<string>`kit.now()`,
      updated_by_name: ctx.userName,
    }))
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  const action = logo ? '上传VAT开票主体Logo' : '移除VAT开票主体Logo';
  await audit(ctx, { action, resource: 'vat.profile', resourceId: id });
  return saved;
}

/**
 * Takes an uploaded picture for the documents that an entity issues from now on; what is issued keeps its own.
 * @throws refused B0022 without a file, else as drawnAnew(); 404, 409
 */
export async function takeLogo(open: OpenCtx, named: Named): Promise<{ version: number }> {
  if (!open.upload) throw refused('请选择要上传的文件', 'B0022');
  const { stream } = await open.upload();
  const logo = await drawnAnew(stream, FRAME);
  const from = { requestId: open.requestId, ip: open.ip };
  return inTenant(open.runtime, open.principal, (ctx) => put(ctx, named, logo), from);
}

/** Documents that are issued from now on have the name alone. @throws 404, 409 */
export async function dropLogo(ctx: Ctx, named: Named): Promise<{ version: number }> {
  return put(ctx, named, null);
}
