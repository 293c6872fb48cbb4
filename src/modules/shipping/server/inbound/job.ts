import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Somebody waits for it: before reports, behind live orders. */
const PRIORITY = 5;

type Queue = Pick<Ctx, 'db' | 'companyId'> & Partial<Pick<Ctx, 'queued'>>;

/** Queues the next turn of an order's way. */
export async function enqueueInbound(ctx: Queue, orderId: string, runAt?: Date): Promise<void> {
  await enqueue(
    ctx,
    'shipping.inbound',
    { companyId: ctx.companyId, orderId },
    { key: `inbound:${orderId}`, priority: PRIORITY, ...(runAt ? { runAt } : {}) },
  );
}

/** Queues a look at a way that somebody holds, for when the hold ends; a turn that is queued already stays as it is. */
export async function enqueueLook(ctx: Queue, orderId: string, runAt: Date): Promise<void> {
  await enqueue(
    ctx,
    'shipping.inbound',
    { companyId: ctx.companyId, orderId },
    { key: `inbound:${orderId}`, keyMode: 'preserve_run_at', priority: PRIORITY, runAt },
  );
}

/** Safety net behind the turns that queue their successors: what is due and has no job, e.g. after a kill. */
export async function requeueInbounds(db: Db): Promise<void> {
  const { rows } = await sql<{ company_id: string; order_id: string }>`
    SELECT company_id, order_id FROM shipping.inbound
     WHERE state IN ('working', 'waiting') AND next_at < kit.now() - interval '30 seconds'
       AND (lease_until IS NULL OR lease_until < kit.now()) LIMIT 5000`.execute(db);
  for (const row of rows) await enqueueInbound({ db, companyId: row.company_id }, row.order_id);
}
