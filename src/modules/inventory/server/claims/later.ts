import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Finding is work of its own: what stands in its way must not keep a report from being read. One account, or all of them. */
export function findLater(ctx: Ctx, accountId?: string): Promise<void> {
  const payload = { companyId: ctx.companyId, ...(accountId ? { accountId } : {}) };
  return enqueue(ctx, 'inventory.findClaims', payload, { key: `inventory.findClaims:${accountId ?? ctx.companyId}` });
}
