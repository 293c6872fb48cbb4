import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Comparing is work of its own, after whatever changed is written. One account, or all of them. */
export function auditLater(ctx: Ctx, accountId?: string): Promise<void> {
  const payload = { companyId: ctx.companyId, ...(accountId ? { accountId } : {}) };
  return enqueue(ctx, 'inventory.feeAudit', payload, { key: `inventory.feeAudit:${accountId ?? ctx.companyId}` });
}
