import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Amazon takes 25,000 messages; a feed of this size is read in a few minutes. */
export const MOST_MESSAGES = 10_000;
/** Somebody waits for it: before reports, behind live orders. */
const PRIORITY = 5;

/** Feeds that are not over. */
export const OPEN_STATES = ['planned', 'uploaded', 'submitting', 'submitted', 'processed'] as const;

/** Queues the next step of a feed. */
export async function enqueueFeed(
  ctx: Pick<Ctx, 'db' | 'companyId'> & Partial<Pick<Ctx, 'queued'>>,
  feedId: string,
  runAt?: Date,
): Promise<void> {
  const payload = { companyId: ctx.companyId, feedId };
  await enqueue(ctx, 'marketplace.feed', payload, {
    key: `feed:${feedId}`,
    priority: PRIORITY,
    ...(runAt ? { runAt } : {}),
  });
}

/** Safety net behind the steps that queue their successors: what is due and has no job. */
export async function requeueFeeds(db: Db): Promise<void> {
  const { rows } = await sql<{ company_id: string; id: string }>`
    SELECT company_id, id FROM marketplace.feed
     WHERE status IN ('planned', 'uploaded', 'submitting', 'submitted', 'processed')
       AND next_at < kit.now() - interval '30 seconds' LIMIT 5000`.execute(db);
  for (const row of rows) await enqueueFeed({ db, companyId: row.company_id }, row.id);
}
