import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import type { WriteState } from '../../contract/writes.ts';
import { enqueueWrite, OPEN_STATES } from './job.ts';
import { writeEnded } from './plan.ts';
import { remindOfWrite } from './remind.ts';

/** A write as its steps see it. */
export interface OpenWrite {
  id: string;
  account_id: string;
  marketplace_id: string;
  kind: string;
  subject: string;
  key: string;
  request: unknown;
  state: (typeof OPEN_STATES)[number];
  attempts: number;
  looks: number;
  /** Seconds since the call may have left. */
  sent_for_sec: number;
}

/** Columns that a step writes. */
export type WriteChange = { state?: WriteState } & Record<string, unknown>;

/** A write that is not over; undefined for any other. */
export async function readWrite(ctx: Ctx, writeId: string): Promise<OpenWrite | undefined> {
  const row = await ctx.db
    .selectFrom('marketplace.write')
    .select(['id', 'account_id', 'marketplace_id', 'kind', 'subject', 'key', 'request', 'state', 'attempts', 'looks'])
    .select(sql<number>`coalesce(extract(epoch FROM kit.now() - sent_at), 0)::float8`.as('sent_for_sec'))
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', writeId)
    .where('state', 'in', [...OPEN_STATES])
    .executeTakeFirst();
  return row as OpenWrite | undefined;
}

const isOver = (state: WriteState | undefined): state is 'done' | 'refused' | 'unknown' | 'cancelled' =>
  state !== undefined && !OPEN_STATES.some((open) => open === state);

/**
 * Writes a step's outcome if the write is still where the step began. An end is told to whoever wished for it, in the same
 * transaction; otherwise the next step is queued. Returns whether it was still there.
 */
export async function step(ctx: Ctx, row: OpenWrite, change: WriteChange, afterMs = 0): Promise<boolean> {
  const { state } = change;
  const over = isOver(state) ? { finished_at: sql`kit.now()` } : {};
  const moved = await ctx.db
    .updateTable('marketplace.write')
    .set({ ...change, ...over, next_at: sql`kit.now() + make_interval(secs => ${afterMs / 1000})` } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .where('attempts', '=', row.attempts)
    .where('looks', '=', row.looks)
    .returning(['id', 'problem', 'answer'])
    .executeTakeFirst();
  if (!moved) return false;
  if (!isOver(state)) {
    await enqueueWrite(ctx, row.id, new Date(ctx.runtime.clock.ms() + afterMs));
    return true;
  }
  await emit(ctx, writeEnded, {
    writeId: row.id,
    kind: row.kind,
    subject: row.subject,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    state,
    problem: moved.problem,
    answer: (moved.answer as { body?: unknown } | null)?.body,
  });
  if (state === 'refused' || state === 'unknown') await remindOfWrite(ctx, row.id, moved.problem ?? '');
  return true;
}
