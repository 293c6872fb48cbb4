import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { createSpApi } from '../api/client.ts';
import { ApiRefused, AuthLost, ComeBackLater, lacksRole, OutOfCalls, type SpApi, wordsOf } from '../api/port.ts';
import { accountOf } from '../auth/accounts.ts';
import { remindOfBlock } from '../reminders.ts';
import type { AccountRef } from '../streams.ts';
import { download, fatalReason } from './download.ts';
import { optionsOf } from './limits.ts';
import { loadDocument } from './load.ts';
import { enqueueReport } from './plan.ts';
import { askedTimes } from './window.ts';

const POLL_CAP_MS = 60_000;
const RETRY_CAP_MS = 15 * 60_000;
const MAX_ATTEMPTS = 8;
const MAX_GENERATIONS = 3;
/** A report that the marketplace is still making after so long is given up and asked for anew. */
const GIVE_UP_HOURS = 24;
const UNFINISHED = ['planned', 'requested', 'ready', 'downloaded'];
const LOAD_TIMEOUT_MS = 30 * 60_000;
const RETRY_LOAD_MS = 2_000;

interface ReportPayload {
  companyId: string;
  requestId: string;
}

export interface ReportRow {
  id: string;
  account_id: string;
  plan: string;
  report_type: string;
  marketplace_ids: string[];
  data_from: string | null;
  data_to: string | null;
  generation: number;
  report_id: string | null;
  remote_document_id: string | null;
  status: string;
  document_id: string | null;
  attempts: number;
  priority: number;
  /** Of the history, not of what is new. */
  past: boolean;
  /** Last asked for, ISO. */
  requested_at: string | null;
  /** Asked for longer ago than anybody should wait. */
  overdue: boolean;
}

type Change = Partial<Omit<ReportRow, 'id' | 'overdue' | 'requested_at'>> & {
  error?: string | null;
  rows?: number;
  requested_at?: unknown;
  finished_at?: unknown;
};

/** Named, because a statement that says * is planned anew each time. */
const FIELDS = [
  'id',
  'account_id',
  'plan',
  'report_type',
  'marketplace_ids',
  'data_from',
  'data_to',
  'generation',
  'report_id',
  'remote_document_id',
  'status',
  'document_id',
  'attempts',
  'priority',
  'past',
  'requested_at',
] as const satisfies readonly (keyof ReportRow)[];

async function read(runtime: Runtime, { companyId, requestId }: ReportPayload) {
  return inTenant(
    runtime,
    systemPrincipal(companyId),
    async (ctx) => {
      const row = await ctx.db
        .selectFrom('marketplace.report_request')
        .select(FIELDS)
        .select(
          sql<boolean>`coalesce(requested_at, created_at) < kit.now() - make_interval(hours => ${GIVE_UP_HOURS})`.as(
            'overdue',
          ),
        )
        .where('company_id', '=', companyId)
        .where('id', '=', requestId)
        .where('status', '=', sql<string>`ANY (${UNFINISHED}::text[])`)
        .executeTakeFirst();
      if (!row) return undefined;
      const account = await accountOf(ctx.db, companyId, row.account_id);
      return account ? { row: row as ReportRow, account } : undefined;
    },
    { prepared: true },
  );
}

/** A row where the step found it: nobody else has taken that step meanwhile. */
const asFound = (ctx: Ctx, row: ReportRow) =>
  ctx.db
    .selectFrom('marketplace.report_request')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .where('attempts', '=', row.attempts);

/**
 * Writes a step's outcome, if the row is still where the step began, and queues the next step. Others write a row for a
 * moment (its stream asks for the window again, a heartbeat keeps it), and are waited for: what Amazon answered must not be
 * lost. A load holds its row to its end; one that meets another comes again.
 */
async function step(ctx: Ctx, row: ReportRow, change: Change, afterMs: number | undefined): Promise<boolean> {
  const held = asFound(ctx, row).forUpdate();
  const loads = row.status === 'downloaded';
  const moved = await ctx.db
    .updateTable('marketplace.report_request')
    .set({
      ...change,
      taken_until: null,
      next_at: sql`kit.now() + make_interval(secs => ${(afterMs ?? 0) / 1000})`,
    } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', loads ? held.skipLocked() : held)
    .returning('id')
    .executeTakeFirst();
  const comesAgain = moved ? afterMs : loads && (await asFound(ctx, row).executeTakeFirst()) && RETRY_LOAD_MS;
  if (typeof comesAgain === 'number') {
    await enqueueReport(ctx, row.id, row.priority, new Date(ctx.runtime.clock.ms() + comesAgain));
  }
  return moved !== undefined;
}

/** The period that a report is asked for; nothing for a report of the present. */
function periodOf({ report_type: type, marketplace_ids: sites, data_from: from, data_to: to }: ReportRow) {
  return from !== null && to !== null ? askedTimes(type, sites, [new Date(from), new Date(to)]) : {};
}

async function create(api: SpApi, row: ReportRow): Promise<Change> {
  const { body } = await api.call<{ reportId: string }>({
    operation: 'createReport',
    method: 'POST',
    path: '/reports/2021-06-30/reports',
    body: {
      reportType: row.report_type,
      marketplaceIds: row.marketplace_ids,
      ...periodOf(row),
      ...optionsOf(row.report_type),
    },
  });
  return { report_id: body.reportId, status: 'requested', attempts: 0, error: null, requested_at: sql`kit.now()` };
}

interface RemoteReport {
  processingStatus: string;
  reportDocumentId?: string;
}

const finished = { finished_at: sql`kit.now()` };

/** How a report ends without a document. */
const ENDINGS: Readonly<Record<string, string>> = { CANCELLED: '亚马逊返回无数据', FATAL: '亚马逊生成报表失败' };
const STUCK = `亚马逊 ${GIVE_UP_HOURS} 小时内未生成报表`;

async function poll(
  api: SpApi,
  account: AccountRef,
  row: ReportRow,
  retryBaseMs: number,
): Promise<{ change: Change; afterMs: number | undefined }> {
  const { body } = await api.call<RemoteReport>({
    operation: 'getReport',
    method: 'GET',
    path: `/reports/2021-06-30/reports/${encodeURIComponent(row.report_id ?? '')}`,
  });
  if (body.processingStatus === 'DONE' && body.reportDocumentId) {
    return { change: { remote_document_id: body.reportDocumentId, status: 'ready', attempts: 0 }, afterMs: 0 };
  }
  const problem = ENDINGS[body.processingStatus] ?? (row.overdue ? STUCK : undefined);
  if (problem !== undefined) {
    // Amazon cancels a report without data, but also one that was asked for too early: ask again before believing it.
    if (row.generation < MAX_GENERATIONS) {
      const generation = row.generation + 1;
      const again: Change = { status: 'planned', generation, report_id: null, attempts: 0, error: problem };
      return { change: again, afterMs: retryBaseMs * 2 ** row.generation };
    }
    const status = body.processingStatus === 'CANCELLED' ? 'empty' : 'failed';
    const reason = body.reportDocumentId && (await fatalReason(api, account, body.reportDocumentId));
    const error = reason ? `${problem}：${reason}` : problem;
    return { change: { status, error, ...finished }, afterMs: undefined };
  }
  const afterMs = Math.min(POLL_CAP_MS, retryBaseMs * 1.5 ** row.attempts);
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
      const mine = await step(ctx, row, { status: 'loaded', error: null, ...finished }, undefined);
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

function failure(row: ReportRow, error: unknown, retryBaseMs: number): { change: Change; afterMs: number | undefined } {
  const text = wordsOf(error).slice(0, 1000);
  if (error instanceof ComeBackLater) return { change: { error: text }, afterMs: error.afterMs };
  if (error instanceof AuthLost) return { change: { error: text }, afterMs: RETRY_CAP_MS };
  const final = error instanceof ApiRefused || row.attempts + 1 >= MAX_ATTEMPTS;
  if (final) return { change: { status: 'failed', error: text, ...finished }, afterMs: undefined };
  const afterMs = Math.random() * Math.min(RETRY_CAP_MS, retryBaseMs * 2 ** row.attempts);
  const restart = isRefusal(error) && row.remote_document_id ? { status: 'ready', document_id: null } : {};
  return { change: { ...restart, attempts: row.attempts + 1, error: text }, afterMs };
}

/**
 * Reports of the account that wait for the same call and come first. Each takes the time of one call, so this one need
 * not look before that: a crowd that wakes with every call would keep the workers from everybody else.
 */
async function ahead(ctx: Ctx, row: ReportRow): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM marketplace.report_request
     WHERE company_id = ${ctx.companyId} AND account_id = ${row.account_id} AND status = ${row.status}
       AND status IN ('planned', 'ready') AND (priority, id) < (${row.priority}::int, ${row.id}::uuid)`.execute(ctx.db);
  return Number(rows[0]?.n ?? 0);
}

async function advance(runtime: Runtime, account: AccountRef, row: ReportRow): Promise<void> {
  const { retryBaseMs } = runtime.config;
  // The past can wait: its calls leave some of the saved-up ones to what is new, and to what somebody asked for.
  const api = createSpApi(runtime, account, { calls: 0, throttled: 0 }, row.past);
  const write = (change: Change, afterMs: number | undefined) =>
    inTenant(runtime, systemPrincipal(account.companyId), (ctx) => step(ctx, row, change, afterMs), { prepared: true });
  if (row.status === 'planned') await write(await create(api, row), retryBaseMs);
  else if (row.status === 'requested') {
    const { change, afterMs } = await poll(api, account, row, retryBaseMs);
    await write(change, afterMs);
  } else if (row.status === 'ready') await write(await fetchDocument(runtime, api, account, row), 0);
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
  const found = await read(runtime, { companyId, requestId });
  if (!found) return;
  const { row, account } = found;
  try {
    await advance(runtime, account, row);
  } catch (error) {
    const waits = error instanceof OutOfCalls;
    if (!waits) runtime.log.warn({ err: error, report: row.report_type, status: row.status }, 'report step failed');
    const { change, afterMs } = failure(row, error, runtime.config.retryBaseMs);
    await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
      const queue = waits ? (await ahead(ctx, row)) * error.perCallMs : 0;
      // Before the report itself, as a running stream holds its cursor and then writes its reports.
      if (lacksRole(error)) await blockPlan(ctx, row, wordsOf(error));
      await step(ctx, row, change, afterMs === undefined ? undefined : afterMs + queue);
    });
  }
}
