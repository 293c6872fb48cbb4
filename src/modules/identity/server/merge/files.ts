import type { Ctx } from '#kit/server/context.ts';

/**
 * Copies the bytes of the caller's files to where another company's lie, those that are not there yet. They are known by
 * their content, so doing it twice does no harm; without a record nobody finds them.
 */
export async function copyFiles(ctx: Ctx, to: string): Promise<void> {
  const { files, log } = ctx.runtime;
  const known = await ctx.db
    .selectFrom('kit.file')
    .select('sha256')
    .distinct()
    .where('company_id', '=', ctx.companyId)
    .where('dropped_at', 'is', null)
    .execute();
  for (const { sha256 } of known) {
    if (await files.has(to, sha256)) continue;
    if (!(await files.has(ctx.companyId, sha256))) {
      log.warn({ sha256 }, 'a file has no bytes to move');
      continue;
    }
    await files.put(to, files.open(ctx.companyId, sha256));
  }
}
