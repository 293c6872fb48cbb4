import { sql } from 'kysely';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { listAll } from '../api/list-all.ts';
import { OutcomeUnknown, type SpApi } from '../api/port.ts';
import { marketplaceNow } from '../settings.ts';
import type { AccountRef } from '../streams.ts';
import { optionsOf } from './limits.ts';
import { NOT_ASKED, type Outcome, type ReportRow } from './step.ts';
import { askedTimes } from './window.ts';

/** A report that was asked for shows in the list within so long. */
const SHOWS_AFTER_SEC = 30;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** By which both clocks may differ. */
const SLACK_MS = 2 * 60_000;
const PATH = '/reports/2021-06-30/reports';

/** The period that a report is asked for; nothing for a report of the present. */
function periodOf({ report_type: type, marketplace_ids: sites, data_from: from, data_to: to }: ReportRow) {
  return from !== null && to !== null ? askedTimes(type, sites, [new Date(from), new Date(to)]) : undefined;
}

/** What is written once the marketplace has the order. */
const ordered = (runtime: Runtime, reportId: string): Outcome => ({
  change: {
    report_id: reportId,
    status: 'requested',
    attempts: 0,
    error: null,
    asked_before: sql`requested_at`,
    requested_at: sql`kit.now()`,
    ...NOT_ASKED,
  },
  afterMs: runtime.config.retryBaseMs,
});

/** Notes, before the call leaves, that it may have its effect. @throws OutcomeUnknown where another worker has the row */
async function announce(runtime: Runtime, account: AccountRef, row: ReportRow): Promise<void> {
  const since = new Date((await marketplaceNow(runtime)).getTime() - SLACK_MS);
  const noted = await inTenant(runtime, systemPrincipal(account.companyId), (ctx) =>
    ctx.db
      .updateTable('marketplace.report_request')
      .set({ creating_since: since, creating_at: sql`kit.now()` })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', row.id)
      .where('status', '=', row.status)
      .where('attempts', '=', row.attempts)
      .where('creating_since', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  );
  if (!noted) throw new OutcomeUnknown(runtime.config.retryBaseMs, '报表正由另一进程申请');
}

/** Orders a report, once: what leaves without an answer is looked for before there is another order. */
async function create(runtime: Runtime, api: SpApi, account: AccountRef, row: ReportRow): Promise<Outcome> {
  const period = periodOf(row);
  const { body } = await api.call<{ reportId: string }>({
    operation: 'createReport',
    method: 'POST',
    path: PATH,
    body: {
      reportType: row.report_type,
      marketplaceIds: row.marketplace_ids,
      ...period,
      ...optionsOf(row.report_type, period, row.subject),
    },
    once: true,
    announce: () => announce(runtime, account, row),
  });
  return ordered(runtime, body.reportId);
}

interface Listed {
  reports: { reportId: string; marketplaceIds?: string[]; dataStartTime?: string; dataEndTime?: string }[];
  nextToken?: string;
}

function listed(api: SpApi, row: ReportRow): Promise<Listed['reports']> {
  const createdSince = new Date(row.creating_since ?? 0).toISOString();
  const query = { reportTypes: [row.report_type], createdSince, pageSize: 100 };
  return listAll<Listed, Listed['reports'][number]>(
    api,
    { operation: 'getReports', path: PATH, query },
    ({ reports }) => reports,
  );
}

/** Whether a listed report is about the same sites and period. */
function isAlike(row: ReportRow, one: Listed['reports'][number]): boolean {
  const period = periodOf(row);
  const sites = one.marketplaceIds ?? [];
  const same = (told: string | undefined, asked: string) =>
    told !== undefined && Date.parse(told) === Date.parse(asked);
  return (
    sites.length === row.marketplace_ids.length &&
    row.marketplace_ids.every((id) => sites.includes(id)) &&
    (!period || (same(one.dataStartTime, period.dataStartTime) && same(one.dataEndTime, period.dataEndTime)))
  );
}

async function notOurs(runtime: Runtime, account: AccountRef, ids: readonly string[]): Promise<string[]> {
  const known = await inTenant(runtime, systemPrincipal(account.companyId), (ctx) =>
    ctx.db
      .selectFrom('marketplace.report_request')
      .select('report_id')
      .where('company_id', '=', ctx.companyId)
      .where('account_id', '=', account.id)
      .where('report_id', '=', sql<string>`ANY (${[...ids]}::text[])`)
      .execute(),
  );
  return ids.filter((id) => !known.some((row) => row.report_id === id));
}

async function unclaimed(runtime: Runtime, api: SpApi, account: AccountRef, row: ReportRow) {
  const alike = (await listed(api, row)).filter((one) => isAlike(row, one)).map(({ reportId }) => reportId);
  return alike.length > 0 ? (await notOurs(runtime, account, alike))[0] : undefined;
}

/**
 * Nobody knows whether the order arrived: the marketplace's list says. A report of the same sites and period that no other
 * row of ours holds is as good as it; none means that it never arrived, once the list has had time to show it. The list does
 * not say which products a report names: one that must name some is ordered anew.
 */
async function lookForIt(runtime: Runtime, api: SpApi, account: AccountRef, row: ReportRow): Promise<Outcome> {
  const found = row.subject === '' ? await unclaimed(runtime, api, account, row) : undefined;
  if (found !== undefined) return ordered(runtime, found);
  const patience = Math.min(SHOWS_AFTER_SEC, runtime.config.leaseSec);
  if (row.creating_for_sec < patience) {
    throw new OutcomeUnknown((patience - row.creating_for_sec) * 1000, '等待亚马逊确认是否已收到申请');
  }
  // A marketplace that answers no order is asked more and more seldom.
  const afterMs = Math.min(LONGEST_PAUSE_MS, runtime.config.retryBaseMs * 2 ** row.attempts);
  // Should it have arrived, the next order comes too soon after it.
  const since = row.subject === '' ? {} : { requested_at: sql`creating_at` };
  return { change: { ...NOT_ASKED, ...since, attempts: row.attempts + 1 }, afterMs };
}

/** Orders a report, or finds the order that got no answer; what is to be written of it. */
export function orderReport(runtime: Runtime, api: SpApi, account: AccountRef, row: ReportRow): Promise<Outcome> {
  return row.creating_since === null ? create(runtime, api, account, row) : lookForIt(runtime, api, account, row);
}
