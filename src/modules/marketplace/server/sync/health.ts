import { sql } from 'kysely';
import { ratio } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import type { AccountHealth, StreamRow } from '../../contract/sync.ts';
import { adsStreams } from '../ads/streams.ts';
import { IS_READ } from '../reports/step.ts';
import { reportPlans, streams } from '../streams.ts';
import { estimateOf } from './estimate.ts';

interface Promised {
  title: string;
  sloMin: number;
}

/** Title and promised minutes of every stream and regular report, by code. */
export function promises(ctx: Ctx): Map<string, Promised> {
  const { modules } = ctx.runtime;
  const all = [
    ...extensionsOf(modules, streams),
    ...extensionsOf(modules, reportPlans),
    ...extensionsOf(modules, adsStreams),
  ];
  return new Map(all.map((entry) => [entry.code, { title: entry.title, sloMin: entry.sloMin }]));
}

export interface CursorRow {
  id: string;
  account_id: string;
  stream: string;
  marketplace_id: string;
  state: string;
  watermark: string | null;
  last_success_at: string | null;
  last_error: string | null;
  attempts: number;
  running: boolean;
  delay_min: number | null;
}

/** Cursors of the accounts (of all where none is named), by stream and marketplace. */
export async function cursors(ctx: Ctx, accountIds: readonly string[] = []): Promise<CursorRow[]> {
  const { rows } = await sql<CursorRow>`
    SELECT id, account_id, stream, marketplace_id, state, watermark, last_success_at, last_error, attempts,
           coalesce(lease_until > kit.now(), false) AS running,
           floor(extract(epoch FROM kit.now() - last_success_at) / 60)::int AS delay_min
      FROM marketplace.sync_cursor
     WHERE company_id = ${ctx.companyId}
       ${accountIds.length > 0 ? sql`AND account_id = ANY(${[...accountIds]}::uuid[])` : sql``}
     ORDER BY stream, marketplace_id`.execute(ctx.db);
  return rows;
}

/** What stands still, what is being tried again, what is behind its promise. */
export function stateOf(row: CursorRow, sloMin: number): StreamRow['state'] {
  if (row.state !== 'ready') return row.state as StreamRow['state'];
  if (row.running) return 'running';
  if (row.attempts > 0) return 'retrying';
  return row.delay_min !== null && row.delay_min > sloMin ? 'late' : 'ready';
}

/** Newest success and share of streams inside their promise, per account. */
export async function healthByAccount(
  ctx: Ctx,
): Promise<Map<string, { lastSyncAt: string | null; share: string | null }>> {
  const known = promises(ctx);
  const groups = Map.groupBy(await cursors(ctx), (row) => row.account_id);
  return new Map(
    [...groups].map(([account, rows]) => {
      const good = rows.filter((row) =>
        ['ready', 'running'].includes(stateOf(row, known.get(row.stream)?.sloMin ?? 60)),
      );
      const times = rows.flatMap((row) => row.last_success_at ?? []).sort();
      return [
        account,
        { lastSyncAt: times.at(-1) ?? null, share: times.length > 0 ? ratio(good.length, rows.length) : null },
      ];
    }),
  );
}

interface RunSummary {
  stream: string;
  marketplace_id: string;
  rows: number;
  history: ('ok' | 'throttled' | 'failed')[];
  calls: number;
  throttled: number;
  failed: number;
  quarantined: number;
}

const HISTORY_LENGTH = 48;

async function runs(ctx: Ctx, accountId: string): Promise<RunSummary[]> {
  const { rows } = await sql<RunSummary>`
    SELECT stream, marketplace_id, sum(rows_in)::int AS rows, sum(calls)::int AS calls,
           sum(throttled)::int AS throttled, count(error)::int AS failed, sum(quarantined)::int AS quarantined,
           (array_agg(CASE WHEN error IS NOT NULL THEN 'failed' WHEN throttled > 0 THEN 'throttled' ELSE 'ok' END
                      ORDER BY started_at))[greatest(1, count(*) - ${HISTORY_LENGTH - 1}):] AS history
      FROM marketplace.sync_run
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND started_at > kit.now() - interval '24 hours'
     GROUP BY stream, marketplace_id`.execute(ctx.db);
  return rows;
}

/** Reports that come again every day: of the first synchronisation only the first one is a part. */
export function repeatedPlans(ctx: Ctx): string[] {
  return extensionsOf(ctx.runtime.modules, reportPlans)
    .filter((plan) => plan.how === 'snapshot' || plan.how === 'window')
    .map((plan) => plan.code);
}

/** Plans and streams that nobody waits for. */
function backgroundPlans(ctx: Ctx): ReadonlySet<string> {
  const { modules } = ctx.runtime;
  const plans = extensionsOf(modules, reportPlans).filter((plan) => plan.inBackground);
  return new Set([...plans, ...extensionsOf(modules, adsStreams)].map((one) => one.code));
}

async function backfills(ctx: Ctx, accountId: string): Promise<AccountHealth['backfill']> {
  const known = promises(ctx);
  const again = repeatedPlans(ctx);
  const { rows } = await sql<{ plan: string; done: number; failed: number; total: number; rows: number }>`
    SELECT plan, count(*) FILTER (WHERE ${IS_READ})::int AS done,
           count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*)::int AS total,
           coalesce(sum(rows), 0)::int AS rows
      FROM marketplace.report_request
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND plan <> 'manual'
       AND (plan <> ALL(${again}::text[]) OR (plan, created_at) IN (
             SELECT plan, min(created_at) FROM marketplace.report_request
              WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} GROUP BY plan))
     GROUP BY plan ORDER BY plan`.execute(ctx.db);
  return rows.map((row) => ({ ...row, code: row.plan, title: known.get(row.plan)?.title ?? row.plan }));
}

/** How each stream of an account goes, and how far its history has come. */
export async function accountHealth(ctx: Ctx, accountId: string): Promise<AccountHealth> {
  const account = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) throw notFound('授权不存在或已删除');
  const known = promises(ctx);
  const summaries = await runs(ctx, accountId);
  const rows = await cursors(ctx, [accountId]);
  const backfill = await backfills(ctx, accountId);
  const background = backgroundPlans(ctx);
  // Advertising's streams may stand there before the others are planned: they alone say nothing.
  const awaited = rows.filter((row) => !background.has(row.stream));
  const total = (pick: (run: RunSummary) => number) => summaries.reduce((acc, run) => acc + pick(run), 0);
  return {
    authid: accountId,
    streams: rows.map((row) => {
      const promised = known.get(row.stream);
      const run = summaries.find((r) => r.stream === row.stream && r.marketplace_id === row.marketplace_id);
      return {
        id: row.id,
        stream: row.stream,
        title: promised?.title ?? row.stream,
        country: row.marketplace_id ? countryOf(row.marketplace_id) : null,
        state: stateOf(row, promised?.sloMin ?? 60),
        sloMin: promised?.sloMin ?? 60,
        delayMin: row.delay_min,
        watermark: row.watermark,
        lastSuccessAt: row.last_success_at,
        error: row.last_error,
        rows: run?.rows ?? 0,
        history: run?.history ?? [],
      };
    }),
    backfill,
    estimate: await estimateOf(ctx, accountId),
    calls: total((run) => run.calls),
    throttled: total((run) => run.throttled),
    failed: total((run) => run.failed),
    quarantined: total((run) => run.quarantined),
    firstSyncDone:
      awaited.length > 0 &&
      awaited.every((row) => row.last_success_at !== null) &&
      backfill.every((item) => background.has(item.code) || item.done + item.failed === item.total),
  };
}
