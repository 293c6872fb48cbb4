import type { Ctx } from '#kit/server/context.ts';
import type { Usage } from '../api/client.ts';
import { wordsOf } from '../api/port.ts';
import type { LandCounts } from '../streams.ts';

export interface RunOf {
  accountId: string;
  stream: string;
  /** '' for streams of the whole account. */
  marketplaceId: string;
  startedAt: Date;
}

export interface Outcome {
  /** Undefined where nothing was read by time. */
  window: { from: string; to: string } | undefined;
  usage: Usage;
  counts?: LandCounts;
  error?: unknown;
}

/** Notes a run of a stream, good or bad: what the matrix and the stream's page show. */
export async function recordRun(ctx: Ctx, run: RunOf, { window, usage, counts, error }: Outcome): Promise<void> {
  await ctx.db
    .insertInto('marketplace.sync_run')
    .values({
      company_id: ctx.companyId,
      account_id: run.accountId,
      stream: run.stream,
      marketplace_id: run.marketplaceId,
      window_from: window?.from ?? null,
      window_to: window?.to ?? null,
      started_at: run.startedAt,
      calls: usage.calls,
      throttled: usage.throttled,
      rows_in: counts?.rowsIn ?? 0,
      inserted: counts?.inserted ?? 0,
      updated: counts?.updated ?? 0,
      unchanged: counts?.unchanged ?? 0,
      quarantined: counts?.quarantined ?? 0,
      error: error === undefined ? null : wordsOf(error).slice(0, 1000),
    })
    .execute();
}
