import type { Reply } from '#kit/contract/endpoint.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { onDays } from '#kit/server/list/days.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import { type AsideDetail, type AsideFilter, AsideRow, type asideKinds } from '../../contract/quarantine.ts';
import { ORDER_LIST } from '../../contract/uploads.ts';
import { titleOfReport } from '../reports/list.ts';
import { promises } from '../sync/health.ts';
import type { RawLine } from './raw.ts';

interface Row {
  id: string;
  store: string;
  region: Region;
  kind: string;
  line_no: number | null;
  item_key: string;
  reason: string;
  raw: unknown;
  corrected: string[] | null;
  state: AsideRow['state'];
  first_seen_at: string;
  settled_at: string | null;
  settled_by_name: string | null;
  note: string | null;
  document_id: string | null;
  file_name: string | null;
}

function rowsOf(ctx: Ctx, { state, authid, kind, seen, reason }: AsideFilter) {
  let query = ctx.db
    .selectFrom('marketplace.quarantine_row as q')
    .innerJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'q.company_id').onRef('a.id', '=', 'q.account_id'),
    )
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .where('q.company_id', '=', ctx.companyId);
  if (state?.length) query = query.where('q.state', 'in', state);
  if (authid?.length) query = query.where('q.account_id', 'in', authid);
  if (kind?.length) query = query.where('q.kind', 'in', kind);
  if (seen) query = query.where(onDays('q.first_seen_at', seen));
  if (reason) {
    const like = containing(reason);
    query = query.where((eb) => eb.or([eb('q.reason', 'ilike', like), eb('q.item_key', 'ilike', like)]));
  }
  return query;
}

function selected(ctx: Ctx, filter: AsideFilter) {
  return rowsOf(ctx, filter)
    .leftJoin('marketplace.report_document as d', (join) =>
      join.onRef('d.company_id', '=', 'q.company_id').onRef('d.id', '=', 'q.document_id'),
    )
    .leftJoin('kit.file as f', (join) =>
      join.onRef('f.company_id', '=', 'd.company_id').onRef('f.id', '=', 'd.file_id'),
    )
    .select(['q.id', 's.name as store', 'a.region', 'q.kind', 'q.line_no', 'q.item_key', 'q.reason', 'q.raw'])
    .select(['q.corrected', 'q.state', 'q.first_seen_at', 'q.settled_at', 'q.settled_by_name', 'q.note'])
    .select(['q.document_id', 'f.name as file_name']);
}

/** Chinese name of a report type or of a stream. */
function titleOfKind(ctx: Ctx, kind: string): string {
  if (kind === ORDER_LIST) return '订单列表';
  return promises(ctx).get(kind)?.title ?? titleOfReport(ctx, kind);
}

const PREVIEW = 200;

const lineOf = (raw: unknown): RawLine | undefined =>
  raw !== null && typeof raw === 'object' && 'cells' in raw ? (raw as RawLine) : undefined;

function previewOf(row: Row): string {
  const line = lineOf(row.raw);
  const text = line ? line.cells.filter((cell) => cell !== '').join(' | ') : row.raw ? JSON.stringify(row.raw) : '';
  return text.slice(0, PREVIEW);
}

function toRow(ctx: Ctx, row: Row): AsideRow {
  return {
    id: row.id,
    store: `${row.store}-${REGION_NAMES[row.region]}`,
    source: titleOfKind(ctx, row.kind),
    lineNo: row.line_no,
    key: row.item_key,
    reason: row.reason,
    preview: previewOf(row),
    state: row.state,
    firstSeenAt: row.first_seen_at,
    settledAt: row.settled_at,
    settledByName: row.settled_by_name,
    note: row.note,
    fileName: row.file_name,
  };
}

function listDef(ctx: Ctx, filter: AsideFilter): ListDef<Row, AsideRow> {
  return {
    row: AsideRow,
    query: listQuery(selected(ctx, filter)),
    sort: { firstSeenAt: 'q.first_seen_at', lineNo: 'q.line_no', settledAt: 'q.settled_at' },
    order: [['q.first_seen_at', 'desc']],
    key: 'q.id',
    map: (row) => toRow(ctx, row),
  };
}

export function asidePage(ctx: Ctx, request: PageRequest<AsideFilter>): Promise<PageOf<AsideRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** How many rows are in each state; "all" is their sum. */
export async function asideCountsOf(ctx: Ctx, filter: AsideFilter): Promise<Record<string, number>> {
  const { state: _, ...others } = filter;
  return countsBy(rowsOf(ctx, others), 'q.state');
}

/** The rows of the filter as a file, streamed. */
export function exportAsideFile(open: OpenCtx, body: ExportRequest<AsideFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '隔离区',
    sheet: '隔离区',
    format: body.format,
    columns: exportColumns(ctx, AsideRow, body.columns),
    rows: streamed<Row, AsideRow>(ctx, body, listDef(ctx, body.filter)) as AsyncIterable<object>,
    audit: { action: '导出隔离区', resource: 'marketplace.quarantine', filter: body.filter },
  }));
}

/** The reports and streams that have anything in the quarantine. */
export async function kindsOf(ctx: Ctx): Promise<Reply<typeof asideKinds>> {
  const rows = await ctx.db
    .selectFrom('marketplace.quarantine_row')
    .select('kind')
    .distinct()
    .where('company_id', '=', ctx.companyId)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind }) => ({ value: kind, label: titleOfKind(ctx, kind) }));
}

/** One row with all that came. @throws 404 */
export async function asideDetailOf(ctx: Ctx, id: string): Promise<AsideDetail> {
  const row = (await selected(ctx, {}).where('q.id', '=', id).executeTakeFirst()) as Row | undefined;
  if (!row) throw notFound('隔离行不存在');
  const line = lineOf(row.raw);
  const width = Math.max(line?.headers.length ?? 0, line?.cells.length ?? 0);
  return {
    ...toRow(ctx, row),
    documentId: row.document_id,
    cells: Array.from({ length: width }, (_, at) => {
      const original = line?.cells[at] ?? '';
      return { at, header: line?.headers[at] || `第${at + 1}列`, original, value: row.corrected?.[at] ?? original };
    }),
    answer: line || row.raw === null ? null : JSON.stringify(row.raw, null, 2),
  };
}
