import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { wakeStream } from '#modules/marketplace/server/index.ts';
import { RESOURCE } from '../row.ts';
import { aplusStream } from './stream.ts';

/** Has the documents of every store that the caller reaches read again soon; answers how many sites there are. */
export async function syncAll(ctx: Ctx): Promise<{ sites: number }> {
  const accounts = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('status', '!=', 'deleted')
    .execute();
  let sites = 0;
  for (const { id } of accounts) sites += await wakeStream(ctx, { accountId: id, stream: aplusStream.code });
  await audit(ctx, { action: '同步A+内容', resource: RESOURCE, after: { sites } });
  return { sites };
}
