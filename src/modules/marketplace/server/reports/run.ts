import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { createSpApi, type Usage } from '../api/client.ts';
import {
  ApiRefused,
  AuthLost,
  ComeBackLater,
  hadNoEffect,
  lacksRole,
  OutOfCalls,
  type SpApi,
  wordsOf,
} from '../api/port.ts';
import { remindOfBlock } from '../reminders.ts';
import type { AccountRef } from '../streams.ts';
import { download } from './download.ts';
import { endingOf } from './ending.ts';
import { LOAD_TIMEOUT_MS, loadDocument } from './load.ts';
import { orderReport } from './order.ts';
import { queueUp } from './out-of-calls.ts';
import { type Change, finished, NOT_ASKED, type Outcome, type ReportRow, readReport, step, writeStep } from './step.ts';

const POLL_CAP_MS = 60_000;
const RETRY_CAP_MS = 15 * 60_000;
const MAX_ATTEMPTS = 8;

interface RemoteReport {
  processingStatus: string;
  reportDocumentId?: string;
}

/** Looks after a report that the marketplace makes. */
async function poll(runtime: Runtime, api: SpApi, account: AccountRef, row: ReportRow): Promise<Outcome> {
  const { body } = await api.call<RemoteReport>({
    operation: 'getReport',
    method: 'GET',
    path: `/reports/2021-06-30/reports/${encodeURIComponent(row.report_id ?? '')}`,
  });
  if (body.processingStatus === 'DONE' && body.reportDocumentId) {
    return { change: { remote_document_id: body.reportDocumentId, status: 'ready', attempts: 0 }, afterMs: 0 };
  }
  const ending = await endingOf(runtime, api, account, row, body);
  if (ending) return ending;
  const afterMs = Math.min(POLL_CAP_MS, runtime.config.retryBaseMs * 1.5 ** row.attempts);
  return { change: { attempts: row.attempts + 1 }, afterMs };
}

async function fetchDocument(runtime: Runtime, api: SpApi, account: AccountRef, row: ReportRow): Promise<Change> {
  const { documentId } = await download(runtime, api, account, {
    remoteDocumentId: row.remote_document_id ?? '',
    reportType: row.report_type,
    marketplaceIds: row.marketplace_ids,
    reportId: row.report_id ?? row.id,
  });
  // The attempts go on counting: a document that its loader refuses is fetched anew, but not for ever.
  return { document_id: documentId, status: 'downloaded' };
}

/** A refusal by the loader says that the bytes are bad: they are thrown away and fetched anew a few times. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && (error instanceof AppError || error.name === 'FileRefused');
}

async function load(runtime: Runtime, account: AccountRef, row: ReportRow): Promise<void> {
  await inTenant(
    runtime,
    systemPrincipal(account.companyId),
    async (ctx) => {
      const loaded = { status: 'loaded', error: null, ...finished };
      const mine = await step(ctx, row, { change: loaded, afterMs: undefined });
      if (!mine || !row.document_id) return;
      const counts = await loadDocument(ctx, row.document_id);
      await ctx.db
        .updateTable('marketplace.report_request')
        .set({ rows: counts.rowsIn })
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', row.id)
        .execute();
    },
    { timeoutMs: LOAD_TIMEOUT_MS },
  );
}

function failure(row: ReportRow, error: unknown, retryBaseMs: number): Outcome {
  const text = wordsOf(error).slice(0, 1000);
  if (error instanceof ComeBackLater) return { change: { error: text }, afterMs: error.afterMs };
  if (error instanceof AuthLost) return { change: { error: text }, afterMs: RETRY_CAP_MS };
  const final = error instanceof ApiRefused || row.attempts + 1 >= MAX_ATTEMPTS;
  if (final) return { change: { status: 'failed', error: text, ...finished }, afterMs: undefined };
  const afterMs = Math.random() * Math.min(RETRY_CAP_MS, retryBaseMs * 2 ** row.attempts);
  const restart = isRefusal(error) && row.remote_document_id ? { status: 'ready', document_id: null } : {};
  return { change: { ...restart, attempts: row.attempts + 1, error: text }, afterMs };
}

async function advance(runtime: Runtime, account: AccountRef, row: ReportRow, usage: Usage): Promise<void> {
  // The past can wait: its calls leave some of the saved-up ones to what is new, and to what somebody asked for.
  const api = createSpApi(runtime, account, usage, row.past);
  const write = (outcome: Outcome) => writeStep(runtime, account, row, { ...outcome, usage });
  if (row.status === 'planned') await write(await orderReport(runtime, api, account, row));
  else if (row.status === 'requested') await write(await poll(runtime, api, account, row));
  else if (row.status === 'ready') await write({ change: await fetchDocument(runtime, api, account, row), afterMs: 0 });
  else await load(runtime, account, row);
}

/**
 * Without the role for a report its plan asks for none any more, as a stream would: until a new consent, or until somebody
 * has it tried again.
 */
async function blockPlan(ctx: Ctx, row: ReportRow, error: string): Promise<void> {
  const blocked = await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({ state: 'blocked_role', last_error: error })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', row.account_id)
    .where('stream', '=', row.plan)
    .where('state', '=', 'ready')
    .returning('id')
    .execute();
  if (blocked.length > 0) await remindOfBlock(ctx, row.account_id, 'blocked_role', error);
}

/** One step of a report: ask for it, look after it, fetch it, load it. Each step is a transaction of its own. */
export async function runReport(runtime: Runtime, companyId: string, requestId: string): Promise<void> {
  const found = await readReport(runtime, companyId, requestId);
  if (!found) return;
  const { row, account } = found;
  const usage = { calls: 0, throttled: 0 };
  try {
    await advance(runtime, account, row, usage);
  } catch (error) {
    const waits = error instanceof OutOfCalls;
    if (!waits) runtime.log.warn({ err: error, report: row.report_type, status: row.status }, 'report step failed');
    const { change, afterMs } = failure(row, error, runtime.config.retryBaseMs);
    const notOrdered = row.status === 'planned' && row.creating_since === null && hadNoEffect(error);
    await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
      const queue = waits ? await queueUp(ctx, row, error) : 0;
      // Before the report itself, as a running stream holds its cursor and then writes its reports.
      if (lacksRole(error)) await blockPlan(ctx, row, wordsOf(error));
      await step(ctx, row, {
        change: notOrdered ? { ...change, ...NOT_ASKED } : change,
        afterMs: afterMs === undefined ? undefined : afterMs + queue,
        usage,
      });
    });
  }
}
