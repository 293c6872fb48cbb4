import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { task } from '#kit/server/jobs/define.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { taskPrincipal } from '#kit/server/runtime.ts';
import { beginEdit } from '../draft/begin.ts';
import { RESOURCE } from '../draft/row.ts';
import { each } from './each.ts';

const TASK = 'publish.editMany';

interface Listing {
  id: string;
  sku: string;
}

/** Begins drafts for listings in the background. @throws 404 where one of them is not the caller's */
export async function startEdits(ctx: Ctx, listingIds: readonly string[]): Promise<{ taskId: string }> {
  const ids = [...new Set(listingIds)];
  const rows = await ctx.db
    .selectFrom('listing.product')
    .select(['listing_id', 'seller_sku'])
    .where('company_id', '=', ctx.companyId)
    .where('listing_id', 'in', ids)
    .execute();
  if (rows.length < ids.length) throw notFound('商品不存在或已删除');
  const listings: Listing[] = rows.map((row) => ({ id: row.listing_id ?? '', sku: row.seller_sku ?? '' }));
  await audit(ctx, { action: '批量编辑商品', resource: RESOURCE, after: { count: listings.length } });
  return { taskId: await startTask(ctx, TASK, `批量编辑 ${listings.length} 个商品`, { listings }) };
}

/** A draft that is open already is taken up, so a task that was broken off begins anew without harm. */
export const editTask = task<{ listings: Listing[] }>(TASK, (runtime, handle, { listings }) => {
  const asker = { runtime, principal: taskPrincipal(handle) };
  return each(handle, listings, {
    nameOf: ({ sku }) => sku,
    done: '已建立草稿',
    work: ({ id }) => beginEdit(asker, id),
  });
});
