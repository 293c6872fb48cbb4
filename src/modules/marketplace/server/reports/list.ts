import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { onDays } from '#kit/server/list/days.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { countryOf, REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import { type ReportTaskDetail, type ReportTaskFilter, ReportTaskRow } from '../../contract/report-tasks.ts';
import { reportLoaders, reportPlans } from '../streams.ts';
import { isOver } from './load.ts';

interface Row {
  id: string;
  store: string;
  region: Region;
  plan: string;
  report_type: string;
  marketplace_ids: string[];
  data_from: string | null;
  data_to: string | null;
  status: ReportTaskRow['status'];
  rows: number | null;
  set_aside: number;
  size: number | null;
  error: string | null;
  created_at: string;
  finished_at: string | null;
  document_id: string | null;
}

function rowsOf(ctx: Ctx, { authid, status, reportType, created }: ReportTaskFilter) {
  let query = ctx.db
    .selectFrom('marketplace.report_request as r')
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'r.company_id').onRef('a.id', '=', 'r.account_id'),
    )
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .where('r.company_id', '=', ctx.companyId);
  if (authid?.length) query = query.where('r.account_id', 'in', authid);
  if (status?.length) query = query.where('r.status', 'in', status);
  if (reportType?.length) query = query.where('r.report_type', 'in', reportType);
  if (created) query = query.where(onDays('r.created_at', created));
  return query;
}

function selected(ctx: Ctx, filter: ReportTaskFilter) {
  return rowsOf(ctx, filter)
    .leftJoin('marketplace.report_document as d', (join) =>
      join.onRef('d.company_id', '=', 'r.company_id').onRef('d.id', '=', 'r.document_id'),
    )
    .leftJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 'd.company_id').onRef('f.id', '=', 'd.file_id'),
    )
    .select(['r.id', 's.name as store', 'a.region', 'r.plan', 'r.report_type', 'r.marketplace_ids', 'r.data_from'])
    .select(['r.data_to', 'r.status', 'r.rows', 'r.error', 'r.created_at', 'r.finished_at', 'r.document_id', 'f.size'])
    .select(
      sql<number>`(SELECT count(*)::int FROM marketplace.quarantine_row AS q
                    WHERE q.company_id = r.company_id AND q.document_id = r.document_id AND q.state = 'open')`.as(
        'set_aside',
      ),
    );
}

/** Chinese name of a report: its plan's, else its loader's. */
export function titleOfReport(ctx: Pick<Ctx, 'runtime'>, reportType: string): string {
  const { modules } = ctx.runtime;
  const plan = extensionsOf(modules, reportPlans).find((one) => one.reportType === reportType);
  const loader = extensionsOf(modules, reportLoaders).find((one) => one.reportTypes.includes(reportType));
  return plan?.title ?? loader?.title ?? reportType;
}

function toRow(ctx: Ctx, row: Row): ReportTaskRow {
  return {
    id: row.id,
    store: `${row.store}-${REGION_NAMES[row.region]}`,
    title: titleOfReport(ctx, row.report_type),
    reportType: row.report_type,
    countries: row.marketplace_ids.map(countryOf).join(' '),
    dataFrom: row.data_from,
    dataTo: row.data_to,
    status: row.status,
    rows: row.rows,
    setAside: row.set_aside,
    size: row.size === null ? null : Number(row.size),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    error: row.error,
  };
}

/** Reports asked for or found, newest first. */
export function reportTaskPage(ctx: Ctx, request: PageRequest<ReportTaskFilter>): Promise<PageOf<ReportTaskRow>> {
  return page<Row, ReportTaskRow>(ctx, request, {
    row: ReportTaskRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: {
      createdAt: 'r.created_at',
      finishedAt: 'r.finished_at',
      status: 'r.status',
      rows: 'r.rows',
      size: 'f.size',
    },
    order: [['r.created_at', 'desc']],
    key: 'r.id',
    map: (row) => toRow(ctx, row),
  });
}

/** How many reports are in each state; "all" is their sum. */
export async function reportTaskCountsOf(ctx: Ctx, filter: ReportTaskFilter): Promise<Record<string, number>> {
  const { status: _, ...others } = filter;
  return countsBy(rowsOf(ctx, others), 'r.status');
}

interface Progress {
  report_id: string | null;
  attempts: number;
  generation: number;
  next_at: string;
  requested_at: string | null;
}

async function progressOf(ctx: Ctx, id: string): Promise<Progress> {
  return ctx.db
    .selectFrom('marketplace.report_request')
    .select(['report_id', 'attempts', 'generation', 'next_at', 'requested_at'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

async function documentOf(ctx: Ctx, id: string | null): Promise<ReportTaskDetail['document']> {
  if (id === null) return null;
  const row = await ctx.db
    .selectFrom('marketplace.report_document as d')
    .innerJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 'd.company_id').onRef('f.id', '=', 'd.file_id'),
    )
    .select(['d.id', 'f.name', 'f.size', 'd.sha256', 'd.charset', 'd.created_at', 'd.loaded_at', 'd.rows'])
    .select(['f.expires_at', isOver.as('over')])
    .where('d.company_id', '=', ctx.companyId)
    .where('d.id', '=', id)
    .executeTakeFirst();
  if (!row) return null;
  const { id: documentId, name, size, sha256, charset, rows } = row;
  const bytes = { id: documentId, fileName: name, size: Number(size), sha256, charset, rows };
  const kept = { keptUntil: row.expires_at, isKept: !row.over };
  return { ...bytes, ...kept, downloadedAt: row.created_at, loadedAt: row.loaded_at };
}

const OPEN: readonly Row['status'][] = ['planned', 'requested', 'ready', 'downloaded'];

function stepsOf(row: Row, progress: Progress, document: ReportTaskDetail['document']): ReportTaskDetail['steps'] {
  const rank = ['planned', 'requested', 'ready', 'downloaded', 'loaded'].indexOf(row.status);
  const made = rank >= 2 || document !== null;
  return [
    { title: '登记', at: row.created_at, done: true, note: null },
    {
      title: '申请',
      at: progress.requested_at,
      done: rank >= 1 || progress.report_id !== null,
      note: progress.generation > 1 ? `第 ${progress.generation} 次申请` : null,
    },
    { title: '亚马逊生成', at: null, done: made, note: row.status === 'empty' ? '无数据' : null },
    { title: '下载', at: document?.downloadedAt ?? null, done: document !== null, note: null },
    { title: '入库', at: document?.loadedAt ?? null, done: row.status === 'loaded', note: null },
  ];
}

/** One report with its steps and its document. @throws 404 */
export async function reportTaskDetail(ctx: Ctx, id: string): Promise<ReportTaskDetail> {
  const row = (await selected(ctx, {}).where('r.id', '=', id).executeTakeFirst()) as Row | undefined;
  if (!row) throw notFound('报表任务不存在');
  const progress = await progressOf(ctx, id);
  const document = await documentOf(ctx, row.document_id);
  const open = OPEN.includes(row.status);
  return {
    ...toRow(ctx, row),
    reportId: progress.report_id,
    attempts: progress.attempts,
    generation: progress.generation,
    nextAt: open ? progress.next_at : null,
    steps: stepsOf(row, progress, document),
    document,
    may: {
      retry: ['failed', 'empty'].includes(row.status) || (open && row.error !== null),
      cancel: open,
      replay: row.status === 'loaded' && document?.isKept === true,
    },
  };
}
