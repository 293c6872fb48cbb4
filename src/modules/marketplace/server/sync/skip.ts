import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { priorityOf } from './start.ts';

/** A period in marketplace time, ISO instants, [from, to). */
interface Period {
  from: string;
  to: string;
}

export interface Skip {
  accountId: string;
  /** The stream that may be behind. */
  stream: string;
  /** Plan of the reports that bring the same. */
  plan: string;
  /** What the report that is being loaded brings. */
  brought: Period;
  /** A stream that is less than this behind keeps its place. */
  lateSec: number;
}

/** Periods of a plan whose reports have been read lately. */
async function readPeriods(ctx: Ctx, { accountId, plan }: Skip): Promise<Period[]> {
  const { rows } = await sql<Period>`
    SELECT data_from AS "from", data_to AS "to" FROM marketplace.report_request
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND plan = ${plan} AND status IN ('loaded', 'empty')
       AND data_from IS NOT NULL AND created_at > kit.now() - interval '7 days'`.execute(ctx.db);
  return rows;
}

/** Up to where periods reach from an instant on without a gap, epoch ms; the instant itself where none holds it. */
export function reachOf(at: number, periods: readonly Period[]): number {
  let end = at;
  const spans = periods.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const).sort(([a], [b]) => a - b);
  for (const [from, to] of spans) if (from <= end && to > end) end = to;
  return end;
}

/**
 * Lets a stream of an account that has fallen behind go on from where reports have read up to without a gap, so that what
 * its own calls cannot keep up with does not keep it behind for good. A run that is under way loses its lease, and with it what
 * it would have moved back. Returns whether it skipped.
 */
export async function skipStream(ctx: Ctx, skip: Skip): Promise<boolean> {
  const cursor = await ctx.db
    .selectFrom('marketplace.sync_cursor')
    .select(['id', 'watermark'])
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', skip.accountId)
    .where('stream', '=', skip.stream)
    .where('marketplace_id', '=', '')
    .where('state', '=', 'ready')
    .executeTakeFirst();
  if (!cursor?.watermark) return false;
  const at = Date.parse(cursor.watermark);
  const reach = reachOf(at, [...(await readPeriods(ctx, skip)), skip.brought]);
  if (reach - at < skip.lateSec * 1000) return false;
  const moved = await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({
      watermark: new Date(reach).toISOString(),
      not_before: sql<string>`kit.now()`,
      lease_until: null,
      lease_version: sql<number>`lease_version + 1`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', cursor.id)
    .where('watermark', '=', cursor.watermark)
    .returning('id')
    .executeTakeFirst();
  if (!moved) return false;
  const payload = { companyId: ctx.companyId, cursorId: moved.id };
  await enqueue(ctx, 'marketplace.sync', payload, {
    key: `sync:${moved.id}`,
    priority: priorityOf(ctx.runtime, skip.stream),
  });
  return true;
}
