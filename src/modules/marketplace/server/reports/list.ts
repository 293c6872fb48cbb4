import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { page } from '#kit/server/list/page.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import { ReportTaskRow } from '../../contract/sync.ts';
import { reportPlans } from '../streams.ts';

/** Reports asked for or found, newest first. */
export function reportTaskPage(
  ctx: Ctx,
  request: PageRequest<{ authid?: string | undefined; status?: string[] | undefined }>,
): Promise<PageOf<ReportTaskRow>> {
  const titles = new Map(extensionsOf(ctx.runtime.modules, reportPlans).map((plan) => [plan.code, plan.title]));
  const { authid, status } = request.filter;
  let query = ctx.db
    .selectFrom('marketplace.report_request')
    .select(['id', 'plan', 'report_type', 'marketplace_ids', 'data_from', 'data_to', 'status', 'rows', 'error'])
    .select(['created_at', 'finished_at'])
    .where('company_id', '=', ctx.companyId);
  if (authid) query = query.where('account_id', '=', authid);
  if (status?.length) query = query.where('status', 'in', status);
  return page(ctx, request, {
    row: ReportTaskRow,
    query: query as never,
    sort: { createdAt: 'created_at', finishedAt: 'finished_at', status: 'status', rows: 'rows' },
    order: [['created_at', 'desc']],
    key: 'id',
    map: (row: {
      id: string;
      plan: string;
      report_type: string;
      marketplace_ids: string[];
      data_from: string | null;
      data_to: string | null;
      status: string;
      rows: number | null;
      error: string | null;
      created_at: string;
      finished_at: string | null;
    }) => ({
      id: row.id,
      title: titles.get(row.plan) ?? row.plan,
      reportType: row.report_type,
      countries: row.marketplace_ids.map(countryOf).join(' '),
      dataFrom: row.data_from,
      dataTo: row.data_to,
      status: row.status as ReportTaskRow['status'],
      rows: row.rows,
      createdAt: row.created_at,
      finishedAt: row.finished_at,
      error: row.error,
    }),
  });
}
