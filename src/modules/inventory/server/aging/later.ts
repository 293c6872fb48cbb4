import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Reckoning is work of its own, after whatever changed is written. One account, or all of them. */
export function agingLater(ctx: Ctx, accountId?: string): Promise<void> {
  const payload = { companyId: ctx.companyId, ...(accountId ? { accountId } : {}) };
  return enqueue(ctx, 'inventory.aging', payload, { key: `inventory.aging:${accountId ?? ctx.companyId}` });
}
