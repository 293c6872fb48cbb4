import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Somebody waits for it: before reports, behind live orders. */
const PRIORITY = 5;

/** Writes that are not over. */
export const OPEN_STATES = ['planned', 'sending'] as const;

/** Queues the next step of a write. */
export async function enqueueWrite(
  ctx: Pick<Ctx, 'db' | 'companyId'> & Partial<Pick<Ctx, 'queued'>>,
  writeId: string,
  runAt?: Date,
): Promise<void> {
  const payload = { companyId: ctx.companyId, writeId };
  await enqueue(ctx, 'marketplace.write', payload, {
    key: `write:${writeId}`,
    priority: PRIORITY,
    ...(runAt ? { runAt } : {}),
  });
}

/** Safety net behind the steps that queue their successors: what is due and has no job. */
export async function requeueWrites(db: Db): Promise<void> {
  const { rows } = await sql<{ company_id: string; id: string }>`
    SELECT company_id, id FROM marketplace.write
     WHERE state IN ('planned', 'sending') AND next_at < kit.now() - interval '30 seconds' LIMIT 5000`.execute(db);
  for (const row of rows) await enqueueWrite({ db, companyId: row.company_id }, row.id);
}
