import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { priorityOf } from './start.ts';

/**
 * Makes a stream of an account (of one of its marketplaces, if named) run early: `restSec` after its last success, at once
 * where that is 0. Returns how many cursors there were; none where the stream is paused or blocked.
 */
export async function wakeStream(
  ctx: Ctx,
  of: { accountId: string; stream: string; marketplaceId?: string },
  restSec = 0,
): Promise<number> {
  const priority = priorityOf(ctx.runtime, of.stream);
  const { rows } = await sql<{ id: string; not_before: Date }>`
    UPDATE marketplace.sync_cursor AS c
       SET not_before = least(c.not_before, greatest(kit.now(), c.last_success_at + make_interval(secs => ${restSec})))
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND state = 'ready' AND stream = ${of.stream}
       AND (${of.marketplaceId ?? null}::text IS NULL OR marketplace_id = ${of.marketplaceId ?? null})
    RETURNING id, not_before`.execute(ctx.db);
  for (const row of rows) {
    const payload = { companyId: ctx.companyId, cursorId: row.id };
    const runAt = new Date(row.not_before);
    await enqueue(ctx, 'marketplace.sync', payload, { key: `sync:${row.id}`, priority, runAt });
  }
  return rows.length;
}
