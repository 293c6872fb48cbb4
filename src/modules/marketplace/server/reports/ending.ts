import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { SpApi } from '../api/port.ts';
import { type AccountRef, reportPlans } from '../streams.ts';
import { fatalReason } from './download.ts';
import { halvesOf, landHalves } from './halve.ts';
import { ruleOf } from './limits.ts';
import { type Change, finished, GIVE_UP_HOURS, type Outcome, type ReportRow } from './step.ts';

const MAX_GENERATIONS = 3;
const EMPTY = '亚马逊返回无数据';
/** What of the past was empty once is asked for again behind all that was not asked for at all, which it must not delay. */
const BEHIND_ALL = 200;
const TOO_SOON = '亚马逊取消：距上次申请过近';
const STUCK = `亚马逊 ${GIVE_UP_HOURS} 小时内未生成报表`;
const FAILED = '亚马逊生成报表失败';

/** Milliseconds for which Amazon wants a report of this type to be left alone. */
function intervalOf(runtime: Runtime, reportType: string): number {
  return ruleOf(reportType).intervalMin * runtime.config.reportMinuteMs;
}

/** The same once more, after the type's interval: sooner Amazon would only cancel it. */
function again(runtime: Runtime, row: ReportRow, problem: string, more: Change = {}): Outcome {
  return {
    change: {
      status: 'planned',
      generation: row.generation + 1,
      report_id: null,
      attempts: 0,
      error: problem,
      ...more,
    },
    afterMs: intervalOf(runtime, row.report_type),
  };
}

/** Whether the plan's next turns ask for this time again by themselves, or somebody looks who can. */
function comesAgain(runtime: Runtime, row: ReportRow): boolean {
  if (row.plan === 'manual') return true;
  const plan = extensionsOf(runtime.modules, reportPlans).find((one) => one.code === row.plan);
  return !row.past && (plan?.how === 'window' || plan?.how === 'snapshot');
}

/**
 * Whether the same sites were asked for about some of the same time within the type's interval before this report. Of the
 * reasons for which Amazon cancels (no data; asked for again too soon) it names none, so that only then it may be the latter.
 */
async function askedTooSoon(ctx: Ctx, row: ReportRow): Promise<boolean> {
  const seconds = intervalOf(ctx.runtime, row.report_type) / 1000;
  const present = ruleOf(row.report_type).maxDays === null;
  const { rows } = await sql<{ soon: boolean }>`
    SELECT r.asked_before > r.requested_at - i.length OR EXISTS (
             SELECT FROM marketplace.report_request AS o
              WHERE o.company_id = r.company_id AND o.account_id = r.account_id AND o.report_type = r.report_type
                AND o.marketplace_ids = r.marketplace_ids AND o.subject = r.subject AND o.id <> r.id
                AND o.requested_at > r.requested_at - i.length AND o.requested_at <= r.requested_at
                AND (${present} OR o.data_from < r.data_to AND r.data_from < o.data_to)) AS soon
      FROM marketplace.report_request AS r, (SELECT make_interval(secs => ${seconds}) AS length) AS i
     WHERE r.company_id = ${ctx.companyId} AND r.id = ${row.id}`.execute(ctx.db);
  return rows[0]?.soon ?? false;
}

async function cancelled(runtime: Runtime, account: AccountRef, row: ReportRow): Promise<Outcome> {
  const soon = await inTenant(runtime, systemPrincipal(account.companyId), (ctx) => askedTooSoon(ctx, row));
  if (soon && row.generation < MAX_GENERATIONS) return again(runtime, row, TOO_SOON);
  // Somebody else's program may have asked for the same: what nobody reads again is not believed at the first word.
  if (row.generation === 1 && !comesAgain(runtime, row)) {
    const priority = row.past ? row.priority + BEHIND_ALL : row.priority;
    return again(runtime, row, EMPTY, { empty_at: sql`kit.now()`, past: true, priority });
  }
  return { change: { status: 'empty', error: EMPTY, ...finished }, afterMs: undefined };
}

interface Remote {
  processingStatus: string;
  reportDocumentId?: string;
}

/**
 * What follows from a report that ended without a document, or that has been made for too long; undefined for one that is
 * still being made. A cancelled one has no data, unless it was asked for too soon; of the past it counts as read and is asked
 * for once more. A failed one is asked for again after its type's interval, then in halves (too much is one of the reasons),
 * and given up once a day alone fails, with Amazon's words.
 */
export async function endingOf(
  runtime: Runtime,
  api: SpApi,
  account: AccountRef,
  row: ReportRow,
  remote: Remote,
): Promise<Outcome | undefined> {
  if (remote.processingStatus === 'CANCELLED') return cancelled(runtime, account, row);
  const failed = remote.processingStatus === 'FATAL';
  if (!failed && !row.overdue) return undefined;
  const problem = failed ? FAILED : STUCK;
  if (row.generation === 1) return again(runtime, row, problem);
  const halves = failed ? halvesOf(runtime, row) : undefined;
  if (halves) {
    const afterMs = intervalOf(runtime, row.report_type);
    const change = { status: 'failed', error: problem, ...finished };
    return { change, afterMs: undefined, also: (ctx) => landHalves(ctx, row, halves, afterMs) };
  }
  if (row.generation < MAX_GENERATIONS) return again(runtime, row, problem);
  const reason = remote.reportDocumentId && (await fatalReason(api, account, remote.reportDocumentId));
  const error = reason ? `${problem}：${reason}` : problem;
  return { change: { status: 'failed', error, ...finished }, afterMs: undefined };
}
