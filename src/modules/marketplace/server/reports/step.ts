import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { Usage } from '../api/client.ts';
import { accountOf } from '../auth/accounts.ts';
import type { AccountRef } from '../streams.ts';
import { enqueueReport } from './plan.ts';

/** A report that the marketplace is still making after so long is given up and asked for anew. */
export const GIVE_UP_HOURS = 24;
const UNFINISHED = ['planned', 'requested', 'ready', 'downloaded'];
const RETRY_LOAD_MS = 2_000;

/** A report as its steps see it. Times are ISO. */
export interface ReportRow {
  id: string;
  account_id: string;
  plan: string;
  report_type: string;
  marketplace_ids: string[];
  data_from: string | null;
  data_to: string | null;
  /** What it is about beside its sites and period; '' for most. */
  subject: string;
  generation: number;
  report_id: string | null;
  remote_document_id: string | null;
  status: string;
  document_id: string | null;
  attempts: number;
  priority: number;
  /** Of the history, not of what is new. */
  past: boolean;
  /** Last asked for. */
  requested_at: string | null;
  /** From when on, by the marketplace's clock, a call may have asked for it that got no answer. */
  creating_since: string | null;
  /** Asked for longer ago than anybody should wait. */
  overdue: boolean;
  /** Seconds since the call that may have asked for it. */
  creating_for_sec: number;
}

/** Columns that a step writes. */
export type Change = Partial<
  Omit<ReportRow, 'id' | 'overdue' | 'creating_for_sec' | 'requested_at' | 'creating_since'>
> & {
  error?: string | null;
  rows?: number;
  requested_at?: unknown;
  asked_before?: unknown;
  empty_at?: unknown;
  creating_since?: unknown;
  creating_at?: unknown;
  finished_at?: unknown;
};

/**
 * What a step comes to: its columns, when the next one is due (undefined: never), what else is written with them, and what
 * it used of the limits.
 */
export interface Outcome {
  change: Change;
  afterMs: number | undefined;
  usage?: Usage;
  also?: (ctx: Ctx) => Promise<void>;
}

export const finished = { finished_at: sql`kit.now()` };
/** Whether a row of report_request counts as read: it was, or Amazon had nothing, be it that it is asked once more. */
export const IS_READ = sql<boolean>`(status IN ('loaded', 'empty') OR status <> 'failed' AND empty_at IS NOT NULL)`;
/** No call may have asked for it. */
export const NOT_ASKED = { creating_since: null, creating_at: null };

/** Named, because a statement that says * is planned anew each time. */
const FIELDS = [
  'id',
  'account_id',
  'plan',
  'report_type',
  'marketplace_ids',
  'data_from',
  'data_to',
  'subject',
  'generation',
  'report_id',
  'remote_document_id',
  'status',
  'document_id',
  'attempts',
  'priority',
  'past',
  'requested_at',
  'creating_since',
] as const satisfies readonly (keyof ReportRow)[];

/** A report that is not finished, with its account; undefined where it is, or where the account is gone. */
export async function readReport(runtime: Runtime, companyId: string, requestId: string) {
  return inTenant(
    runtime,
    systemPrincipal(companyId),
    async (ctx) => {
      const row = await ctx.db
        .selectFrom('marketplace.report_request')
        .select(FIELDS)
        .select([
          sql<boolean>`coalesce(requested_at, created_at) < kit.now() - make_interval(hours => ${GIVE_UP_HOURS})`.as(
            'overdue',
          ),
          sql<number>`coalesce(extract(epoch FROM kit.now() - creating_at), 0)::float8`.as('creating_for_sec'),
        ])
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
 * lost. A load holds its row to its end; one that meets another comes again. Answers whether it was written.
 */
export async function step(ctx: Ctx, row: ReportRow, { change, afterMs, also, usage }: Outcome): Promise<boolean> {
  const held = asFound(ctx, row).forUpdate();
  const loads = row.status === 'downloaded';
  const moved = await ctx.db
    .updateTable('marketplace.report_request')
    .set({
      ...change,
      ...(usage && { calls: sql`calls + ${usage.calls}::int`, throttled: sql`throttled + ${usage.throttled}::int` }),
      taken_until: null,
      next_at: sql`kit.now() + make_interval(secs => ${(afterMs ?? 0) / 1000})`,
    } as never)
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', loads ? held.skipLocked() : held)
    .returning('id')
    .executeTakeFirst();
  const comesAgain = moved ? afterMs : loads && (await asFound(ctx, row).executeTakeFirst()) && RETRY_LOAD_MS;
  if (typeof comesAgain === 'number') {
    await enqueueReport(ctx, row.id, change.priority ?? row.priority, new Date(ctx.runtime.clock.ms() + comesAgain));
  }
  if (moved) await also?.(ctx);
  return moved !== undefined;
}

/** As step, in a transaction of its own. */
export function writeStep(runtime: Runtime, account: AccountRef, row: ReportRow, outcome: Outcome): Promise<boolean> {
  return inTenant(runtime, systemPrincipal(account.companyId), (ctx) => step(ctx, row, outcome), { prepared: true });
}
