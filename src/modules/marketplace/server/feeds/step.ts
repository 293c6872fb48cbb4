import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueueFeed, OPEN_STATES } from './job.ts';

/** A feed as its steps see it. */
export interface FeedState {
  id: string;
  account_id: string;
  marketplace_id: string;
  feed_type: string;
  origin: string;
  status: (typeof OPEN_STATES)[number];
  input_document_id: string | null;
  submitting_since: string | null;
  /** Seconds since the call that may have been made. */
  submitting_for_sec: number;
  feed_id: string | null;
  result_document_id: string | null;
  cancel_wanted: boolean;
  /** Since then its messages stay as they are. */
  released_at: string | null;
  attempts: number;
  /** Handed in longer ago than anybody should wait. */
  overdue: boolean;
}

/** Columns that a step writes. */
export type FeedChange = { status?: FeedState['status'] | 'done' | 'failed' | 'cancelled' } & Record<string, unknown>;

/** A feed that the marketplace is still working at after so long is given up. */
const GIVE_UP_HOURS = 24;

export async function readFeed(ctx: Ctx, feedId: string): Promise<FeedState | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.feed')
    .selectAll()
    .select([
      sql<number>`coalesce(extract(epoch FROM kit.now() - submitting_at), 0)::float8`.as('submitting_for_sec'),
      sql<boolean>`coalesce(submitted_at, created_at) < kit.now() - make_interval(hours => ${GIVE_UP_HOURS})`.as(
        'overdue',
      ),
    ])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', feedId)
    .where('status', 'in', [...OPEN_STATES])
    .executeTakeFirst();
  return row as FeedState | undefined;
}

/** Writes a step's outcome if the feed is still where the step began, and queues the next one. */
export async function step(
  ctx: Ctx,
  row: FeedState,
  change: FeedChange,
  afterMs: number | undefined,
): Promise<boolean> {
  const moved = await ctx.db
    .updateTable('marketplace.feed')
    .set({ ...change, next_at: sql`kit.now() + make_interval(secs => ${(afterMs ?? 0) / 1000})` } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .where('attempts', '=', row.attempts)
    .returning('id')
    .executeTakeFirst();
  if (moved && afterMs !== undefined) await enqueueFeed(ctx, row.id, new Date(ctx.runtime.clock.ms() + afterMs));
  return moved !== undefined;
}
