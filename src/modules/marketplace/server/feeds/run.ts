import { sql } from 'kysely';
import { job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { createSpApi } from '../api/client.ts';
import { ApiRefused, AuthLost, ComeBackLater, hadNoEffect, type SpApi, wordsOf } from '../api/port.ts';
import { accountOf } from '../auth/accounts.ts';
import type { AccountRef } from '../streams.ts';
import { release } from './release.ts';
import { fetchResult, keepResult, leaveUnknown, tellEnd, writeResults } from './result.ts';
import { announced, handIn, lookForIt, upload } from './send.ts';
import { type FeedChange, type FeedState, readFeed, step } from './step.ts';

const POLL_CAP_MS = 60_000;
const RETRY_CAP_MS = 15 * 60_000;
const MAX_ATTEMPTS = 8;

interface FeedPayload {
  companyId: string;
  feedId: string;
}

interface Work {
  runtime: Runtime;
  api: SpApi;
  account: AccountRef;
  row: FeedState;
}

const finished = { finished_at: sql`kit.now()` };
const ENDINGS: Readonly<Record<string, string>> = {
  CANCELLED: '已在亚马逊处理之前撤销',
  FATAL: '亚马逊处理时出错，部分修改可能已经生效，正在重新读取',
};

/** Writes a step; an end tells whoever wished for the feed, in the same transaction. */
function write({ runtime, account, row }: Work, change: FeedChange, afterMs: number | undefined): Promise<boolean> {
  const over = change.status === 'failed' || change.status === 'cancelled';
  return inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    const moved = await step(ctx, row, over ? { ...change, ...finished } : change, over ? undefined : afterMs);
    if (!moved || !over) return moved;
    const sent = change.status === 'failed' && (row.feed_id !== null || row.status === 'submitting');
    await leaveUnknown(ctx, row, String(change.error ?? ''), sent);
    await tellEnd(ctx, row, sent);
    return true;
  });
}

/** Another feed of the account is being handed in just now. */
function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

async function submit(work: Work): Promise<void> {
  const { retryBaseMs, leaseSec } = work.runtime.config;
  const moved = await write(work, await announced(work.runtime), leaseSec * 1000).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
    throw new ComeBackLater(retryBaseMs, '等待同店铺的上一个提交得到确认');
  });
  if (!moved) return;
  const row: FeedState = { ...work.row, status: 'submitting' };
  try {
    await write({ ...work, row }, await handIn(work.runtime, work.api, work.account, row), retryBaseMs);
  } catch (error) {
    // What certainly had no effect goes back to where it may simply be tried again.
    if (!hadNoEffect(error)) throw error;
    const back: FeedChange = { status: 'uploaded', submitting_since: null, submitting_at: null };
    await write({ ...work, row }, back, 0);
    throw error;
  }
}

interface RemoteFeed {
  processingStatus: string;
  resultFeedDocumentId?: string;
}

async function poll(work: Work): Promise<void> {
  const { api, row, runtime } = work;
  const path = `/feeds/2021-06-30/feeds/${encodeURIComponent(row.feed_id ?? '')}`;
  const { body } = await api.call<RemoteFeed>({ operation: 'getFeed', method: 'GET', path });
  if (body.processingStatus === 'DONE' && body.resultFeedDocumentId) {
    await write(work, { status: 'processed', result_document_id: body.resultFeedDocumentId, attempts: 0 }, 0);
    return;
  }
  const ending = ENDINGS[body.processingStatus];
  if (ending !== undefined || row.overdue) {
    const status = body.processingStatus === 'CANCELLED' ? 'cancelled' : 'failed';
    await write(work, { status, error: ending ?? '亚马逊 24 小时内未处理完' }, undefined);
    return;
  }
  if (row.cancel_wanted && body.processingStatus === 'IN_QUEUE') {
    await api.call({ operation: 'cancelFeed', method: 'DELETE', path }).catch((error: unknown) => {
      // Begun in the meantime: it goes its way.
      if (!(error instanceof ApiRefused)) throw error;
    });
  }
  const afterMs = Math.min(POLL_CAP_MS, runtime.config.retryBaseMs * 1.5 ** row.attempts);
  await write(work, { attempts: row.attempts + 1, error: null }, afterMs);
}

async function readResult(work: Work): Promise<void> {
  const { runtime, api, account, row } = work;
  const { stored, report } = await fetchResult(runtime, api, account, row);
  await inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    if (!(await step(ctx, row, { status: 'done', error: null, ...finished }, undefined))) return;
    const fileId = await keepResult(ctx, row, stored);
    const counts = await writeResults(ctx, row, report);
    await ctx.db
      .updateTable('marketplace.feed')
      .set({ result_file_id: fileId, ...counts })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', row.id)
      .execute();
    await tellEnd(ctx, row, true);
  });
}

async function advance(work: Work): Promise<void> {
  const { runtime, api, account, row } = work;
  if (row.status === 'planned' && row.released_at === null) {
    await inTenant(runtime, systemPrincipal(account.companyId), (ctx) => release(ctx, row));
  } else if (row.status === 'planned') await write(work, await upload(runtime, api, account, row), 0);
  else if (row.status === 'uploaded') await submit(work);
  else if (row.status === 'submitting') await write(work, await lookForIt(runtime, api, account, row), 0);
  else if (row.status === 'submitted') await poll(work);
  else await readResult(work);
}

function failure(row: FeedState, error: unknown, retryBaseMs: number): { change: FeedChange; afterMs: number } {
  const text = wordsOf(error).slice(0, 1000);
  if (error instanceof ComeBackLater) return { change: { error: text }, afterMs: error.afterMs };
  if (error instanceof AuthLost) return { change: { error: text }, afterMs: RETRY_CAP_MS };
  if (error instanceof ApiRefused || row.attempts + 1 >= MAX_ATTEMPTS) {
    return { change: { status: 'failed', error: text }, afterMs: 0 };
  }
  const afterMs = Math.random() * Math.min(RETRY_CAP_MS, retryBaseMs * 2 ** row.attempts);
  return { change: { attempts: row.attempts + 1, error: text }, afterMs };
}

/**
 * One step of a feed: build and upload it, hand it in, look after it, read its processing report. Each is a transaction
 * of its own, so whoever takes over after a kill goes on where it stood.
 */
export const feedJob = job<FeedPayload>('marketplace.feed', async (runtime, { companyId, feedId }) => {
  const found = await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const row = await readFeed(ctx, feedId);
    const account = row && (await accountOf(ctx.db, companyId, row.account_id));
    return row && account ? { row, account } : undefined;
  });
  if (!found) return;
  const { row, account } = found;
  const api = createSpApi(runtime, account, { calls: 0, throttled: 0 });
  const work: Work = { runtime, api, account, row };
  try {
    await advance(work);
  } catch (error) {
    if (!(error instanceof ComeBackLater)) {
      runtime.log.warn({ err: error, feed: feedId, status: row.status }, 'feed step failed');
    }
    const now = await inTenant(runtime, systemPrincipal(companyId), (ctx) => readFeed(ctx, feedId));
    if (!now) return;
    const { change, afterMs } = failure(now, error, runtime.config.retryBaseMs);
    await write({ ...work, row: now }, change, afterMs);
  }
});
