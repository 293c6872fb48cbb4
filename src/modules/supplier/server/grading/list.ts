import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type ScoreFilter, ScoreRow, ScoreState } from '../../contract/grading.ts';
import type { Grade } from '../../contract.ts';
import { quarterOf } from '../quarter.ts';

function matching(ctx: Ctx, filter: ScoreFilter) {
  let query = ctx.db
    .selectFrom('supplier.quarter_score as q')
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'q.company_id').onRef('s.id', '=', 'q.supplier_id'),
    )
    .where('q.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('q.state', '=', filter.state);
  if (filter.quarter) query = query.where('q.quarter', '=', filter.quarter);
  if (filter.grade?.length) query = query.where('q.grade', 'in', filter.grade);
  if (filter.search) {
    const like = containing(filter.search);
    query = query.where((eb) =>
      eb.or([eb('s.code', 'ilike', like), eb('s.short_name', 'ilike', like), eb('s.full_name', 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: ScoreFilter) {
  return matching(ctx, filter)
    .select(['q.supplier_id as supplierId', 's.short_name as supplier', 's.code', 'q.quarter'])
    .select([
      's.grade as currentGrade',
      'q.grade',
      'q.grade_before as gradeBefore',
      'q.total',
      'q.delivery',
      'q.quality',
    ])
    .select(['q.price', 'q.service', 'q.lines', 'q.lead_days as leadDays', 'q.state', 's.grade_locked as locked'])
    .select(['q.reason', 'q.decided_by_name as decidedBy', 'q.decided_at as decidedAt', 'q.computed_at as computedAt']);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): ScoreRow {
  return {
    ...row,
    currentGrade: row.currentGrade as Grade,
    grade: row.grade as Grade | null,
    gradeBefore: row.gradeBefore as Grade | null,
    state: row.state as ScoreState,
  };
}

function listDef(ctx: Ctx, filter: ScoreFilter): ListDef<DbRow, ScoreRow> {
  return {
    row: ScoreRow,
    query: selected(ctx, filter) as unknown as ListDef<DbRow, ScoreRow>['query'],
    sort: { total: 'q.total', supplier: 's.short_name' },
    order: [
      ['q.quarter', 'desc'],
      // Those without a total come last.
      ['coalesce(q.total, -1)', 'desc'],
    ],
    key: 'q.quarter || q.supplier_id',
    map: toRow,
  };
}

/** One page of scorecards: the newest quarter first, and in it the best supplier. */
export function scorePage(ctx: Ctx, request: PageRequest<ScoreFilter>): Promise<PageOf<ScoreRow>> {
  return page<DbRow, ScoreRow>(ctx, request, listDef(ctx, request.filter));
}

/** Numbers of scorecards by state under the other filters. */
export async function scoreCounts(ctx: Ctx, { state: _, ...others }: ScoreFilter): Promise<Record<string, number>> {
  return {
    ...Object.fromEntries(ScoreState.options.map((state) => [state, 0])),
    ...(await countsBy(matching(ctx, others), 'q.state')),
  };
}

/** All scorecards of the filter as a file. */
export function exportScoreFile(open: OpenCtx, body: ExportRequest<ScoreFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `供应商评分${body.filter.quarter ? `-${body.filter.quarter}` : ''}`,
      sheet: '供应商评分',
      format: body.format,
      columns: exportColumns(ctx, ScoreRow, body.columns),
      rows: streamed<DbRow, ScoreRow>(ctx, body, listDef(ctx, body.filter)),
      audit: { action: '导出供应商评分', resource: 'supplier.grading', filter: body.filter },
    }),
  );
}

/** Quarters that somebody has a score in, and the running one, the newest first; and the one with open proposals. */
export async function quartersOf(ctx: Ctx): Promise<{ running: string; waiting: string | null; quarters: string[] }> {
  const running = quarterOf(ctx.clock.today());
  const rows = await ctx.db
    .selectFrom('supplier.quarter_score')
    .select(['quarter', sql<boolean>`bool_or(state = 'proposed')`.as('waits')])
    .where('company_id', '=', ctx.companyId)
    .groupBy('quarter')
    .execute();
  const quarters = new Set([running, ...rows.map((row) => row.quarter)]);
  return {
    running,
    waiting: rows.find((row) => row.waits)?.quarter ?? null,
    quarters: [...quarters].sort().reverse(),
  };
}
