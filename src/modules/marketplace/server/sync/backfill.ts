import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { Usage } from '../api/client.ts';
import { ComeBackLater, wordsOf } from '../api/port.ts';
import { accountOf } from '../auth/accounts.ts';
import type { AccountRef } from '../streams.ts';
import { afterFailure } from './failure.ts';
import { fetchOf, type StreamReader } from './fetch.ts';
import { recordRun } from './record.ts';

interface Payload {
  companyId: string;
  backfillId: string;
}

interface Row {
  id: string;
  account_id: string;
  stream: string;
  marketplace_id: string;
  data_from: string;
  read_down_to: string;
  attempts: number;
}

/** Behind everything that is live. */
export const BACKFILL_PRIORITY = 100;
const LAND_TIMEOUT_MS = 10 * 60_000;

/** Queues the next step of a backfill. */
export async function enqueueBackfill(
  ctx: Pick<Ctx, 'db' | 'companyId'>,
  backfillId: string,
  runAt?: Date,
): Promise<void> {
  await enqueue(
    ctx,
    'marketplace.backfill',
    { companyId: ctx.companyId, backfillId },
    { key: `backfill:${backfillId}`, priority: BACKFILL_PRIORITY, ...(runAt ? { runAt } : {}) },
  );
}

async function read(runtime: Runtime, { companyId, backfillId }: Payload) {
  return inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const row = await ctx.db
      .selectFrom('marketplace.sync_backfill')
      .select(['id', 'account_id', 'stream', 'marketplace_id', 'data_from', 'read_down_to', 'attempts'])
      .where('company_id', '=', companyId)
      .where('id', '=', backfillId)
      .where('state', '=', 'running')
      .executeTakeFirst();
    const account = row && (await accountOf(ctx.db, companyId, row.account_id));
    return row && account ? { row: row as Row, account } : undefined;
  });
}

interface Change {
  state?: 'done' | 'failed';
  read_down_to?: string;
  attempts: number;
  error: string | null;
  next_at?: Date;
}

/** Writes a step's outcome if the row is still where the step began; a worker that comes too late writes nothing. */
async function move(ctx: Ctx, row: Row, change: Change): Promise<boolean> {
  const moved = await ctx.db
    .updateTable('marketplace.sync_backfill')
    .set({
      taken_until: null,
      next_at: sql<string>`kit.now()`,
      ...change,
      ...(change.state ? { finished_at: sql<string>`kit.now()` } : {}),
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .where('state', '=', 'running')
    .where('read_down_to', '=', row.read_down_to)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

async function step(runtime: Runtime, account: AccountRef, row: Row, reader: StreamReader, usage: Usage) {
  const startedAt = runtime.clock.now();
  const from = new Date(
    Math.max(Date.parse(row.data_from), Date.parse(row.read_down_to) - reader.def.maxWindowSec * 1000),
  );
  const window = { from: from.toISOString(), to: new Date(row.read_down_to).toISOString() };
  const fetched = await reader.fetch(window);
  const isLast = from.getTime() <= Date.parse(row.data_from);
  await inTenant(
    runtime,
    systemPrincipal(account.companyId),
    async (ctx) => {
      // First of all the place, so that of two workers only one writes.
      const place = {
        read_down_to: window.from,
        attempts: 0,
        error: null,
        ...(isLast ? { state: 'done' as const } : {}),
      };
      if (!(await move(ctx, row, place))) return;
      const counts = await fetched.land(ctx);
      await ctx.db
        .updateTable('marketplace.sync_backfill')
        .set({ rows: sql<number>`rows + ${counts.rowsIn}` })
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', row.id)
        .execute();
      await recordRun(ctx, { ...placeOf(row), startedAt }, { window, usage, counts });
      if (!isLast) await enqueueBackfill(ctx, row.id);
    },
    { timeoutMs: LAND_TIMEOUT_MS },
  );
}

const placeOf = (row: Row) => ({ accountId: row.account_id, stream: row.stream, marketplaceId: row.marketplace_id });

async function fail(runtime: Runtime, companyId: string, row: Row, error: unknown): Promise<void> {
  const next = afterFailure(runtime, error, row.attempts);
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const attempts = error instanceof ComeBackLater ? row.attempts : row.attempts + 1;
    const ended = next.state === undefined ? {} : { state: 'failed' as const };
    const words = wordsOf(error).slice(0, 1000);
    const moved = await move(ctx, row, { ...ended, attempts, error: words, next_at: next.notBefore });
    if (moved && next.state === undefined) await enqueueBackfill(ctx, row.id, next.notBefore);
  });
}

/**
 * One window of a backfill: it reads what the live stream reads, lands it by the same function and leaves the stream's
 * watermark alone. What it does twice changes nothing, because landing is repeatable.
 */
export async function runBackfill(runtime: Runtime, companyId: string, backfillId: string): Promise<void> {
  const found = await read(runtime, { companyId, backfillId });
  if (!found) return;
  const { row, account } = found;
  const usage: Usage = { calls: 0, throttled: 0 };
  const reader = fetchOf(runtime, account, { stream: row.stream, marketplaceId: row.marketplace_id }, usage, true);
  if (!reader) return;
  try {
    await step(runtime, account, row, reader, usage);
  } catch (error) {
    runtime.log.warn({ err: error, stream: row.stream, account: row.account_id }, 'backfill step failed');
    await fail(runtime, companyId, row, error);
  }
}
