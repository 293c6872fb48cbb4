import type { Ctx } from '#kit/server/context.ts';
import { listAll } from '../api/list-all.ts';
import type { SpApi } from '../api/port.ts';
import type { AccountRef, ReachingPlan, ReportPlan } from '../streams.ts';
import { enqueueReport } from './plan.ts';

interface RemoteReport {
  reportId: string;
  reportType: string;
  reportDocumentId?: string;
  processingStatus: string;
  marketplaceIds?: string[];
  dataStartTime?: string;
  dataEndTime?: string;
  createdTime: string;
}

interface ReportList {
  reports: RemoteReport[];
  nextToken?: string;
}

const DAY_MS = 86_400_000;
/** Look a little further back than the last look: reports appear late and under several marketplaces. */
const OVERLAP_DAYS = 3;
/** The marketplace lists reports of the last 90 days. */
const LIST_DAYS = 90;
const PAGE_SIZE = 100;

export interface FoundReports {
  count: number;
  /** Writes a request row for each report not seen before and queues its download; returns how many were new. */
  land: (ctx: Ctx, account: AccountRef) => Promise<number>;
}

/** Lists the reports of a type that the marketplace made by itself since the last look. */
export async function lookForReports(
  api: SpApi,
  plan: ReachingPlan,
  watermark: string | null,
  now: Date,
): Promise<FoundReports> {
  const oldest = now.getTime() - Math.min(LIST_DAYS, plan.historyDays) * DAY_MS + 60_000;
  const since = Math.max(oldest, watermark === null ? 0 : Date.parse(watermark) - OVERLAP_DAYS * DAY_MS);
  const createdSince = new Date(since).toISOString();
  const query = { reportTypes: [plan.reportType], createdSince, pageSize: PAGE_SIZE };
  const found = await listAll<ReportList, RemoteReport>(
    api,
    { operation: 'getReports', path: '/reports/2021-06-30/reports', query },
    ({ reports }) => reports,
  );
  const done = found.filter((report) => report.processingStatus === 'DONE' && report.reportDocumentId);
  return { count: done.length, land: (ctx, account) => landFound(ctx, account, plan, done) };
}

async function landFound(
  ctx: Ctx,
  account: AccountRef,
  plan: ReportPlan,
  reports: readonly RemoteReport[],
): Promise<number> {
  const unique = [...new Map(reports.map((report) => [report.reportId, report])).values()];
  if (unique.length === 0) return 0;
  const rows = await ctx.db
    .insertInto('marketplace.report_request')
    .values(
      unique.map((report) => ({
        company_id: ctx.companyId,
        account_id: account.id,
        plan: plan.code,
        report_type: plan.reportType,
        marketplace_ids: report.marketplaceIds ?? [...account.marketplaceIds],
        report_id: report.reportId,
        remote_document_id: report.reportDocumentId ?? null,
        status: 'ready',
        priority: plan.priority,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'account_id', 'report_id']).where('report_id', 'is not', null).doNothing(),
    )
    .returning(['id', 'priority'])
    .execute();
  for (const row of rows) await enqueueReport(ctx, row.id, row.priority);
  return rows.length;
}
