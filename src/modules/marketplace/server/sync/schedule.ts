import { sql } from 'kysely';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { requeueFeeds } from '../feeds/job.ts';
import { requeueWrites } from '../writes/job.ts';
import { BACKFILL_PRIORITY } from './backfill.ts';
import { priorityOf } from './start.ts';

/** Streams that are due and that nobody reads, those that have waited longest first. */
export function overdueStreams() {
  return sql<{ company_id: string; id: string; stream: string }>`
    SELECT c.company_id, c.id, c.stream FROM marketplace.sync_cursor c
     WHERE c.state = 'ready' AND c.not_before < kit.now() - interval '30 seconds'
       AND (c.lease_until IS NULL OR c.lease_until < kit.now())
     ORDER BY c.not_before LIMIT 5000`;
}

/**
 * Safety net behind the jobs that queue their own successors: everything due that no job stands for, e.g. after a kill,
 * is queued again. Keys keep it from being queued twice.
 */
export const scheduleJob = job<object>('marketplace.schedule', async (runtime) => {
  await inSystem(runtime, async (db) => {
    const due = await overdueStreams().execute(db);
    for (const row of due.rows) {
      await enqueue(
        { db },
        'marketplace.sync',
        { companyId: row.company_id, cursorId: row.id },
        { key: `sync:${row.id}`, priority: priorityOf(runtime, row.stream) },
      );
    }
    const past = await sql<{ company_id: string; id: string }>`
      SELECT company_id, id FROM marketplace.sync_backfill WHERE state = 'running' LIMIT 5000`.execute(db);
    for (const { company_id: companyId, id: backfillId } of past.rows) {
      // One that waits out a pause goes on waiting.
      await enqueue(
        { db },
        'marketplace.backfill',
        { companyId, backfillId },
        { key: `backfill:${backfillId}`, keyMode: 'preserve_run_at', priority: BACKFILL_PRIORITY },
      );
    }
    await requeueFeeds(db);
    await requeueWrites(db);
    const open = await sql<{ company_id: string; id: string; priority: number }>`
      SELECT company_id, id, priority FROM marketplace.report_request
       WHERE status IN ('planned', 'requested', 'ready', 'downloaded') AND next_at < kit.now() - interval '30 seconds'
       ORDER BY created_at LIMIT 5000`.execute(db);
    for (const row of open.rows) {
      await enqueue(
        { db },
        'marketplace.report',
        { companyId: row.company_id, requestId: row.id },
        { key: `report:${row.id}`, priority: row.priority },
      );
    }
  });
});
