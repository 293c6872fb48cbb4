import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type CallDetail, type CallFilter, CallRow } from '../../contract/api-log.ts';

interface DbRow {
  id: string;
  at: string;
  store: string | null;
  region: string | null;
  caller: string | null;
  operation: string;
  status: number | null;
  ms: number;
  attempt: number;
  rate: number | null;
  request_id: string | null;
  problem: string | null;
  path: string;
}

const REGIONS: Readonly<Record<string, string>> = { na: '北美', eu: '欧洲', fe: '远东' };

function outcomeOf(status: number | null): CallRow['outcome'] {
  if (status === null || status >= 500) return 'failed';
  if (status === 429) return 'throttled';
  return status >= 400 ? 'refused' : 'ok';
}

function rowOf(row: DbRow): CallRow {
  return {
    id: row.id,
    at: row.at,
    store: row.store ? `${row.store}-${REGIONS[row.region ?? ''] ?? ''}` : (row.caller ?? '—'),
    operation: row.operation,
    outcome: outcomeOf(row.status),
    status: row.status,
    ms: row.ms,
    attempt: row.attempt,
    rate: row.rate === null ? null : String(row.rate),
    requestId: row.request_id,
    problem: row.problem,
    path: row.path,
  };
}

const OUTCOMES: Readonly<Record<CallRow['outcome'], ReturnType<typeof sql<boolean>>>> = {
  ok: sql<boolean>`c.status < 400`,
  throttled: sql<boolean>`c.status = 429`,
  refused: sql<boolean>`c.status >= 400 AND c.status < 500 AND c.status <> 429`,
  failed: sql<boolean>`(c.status IS NULL OR c.status >= 500)`,
};

function queryOf(ctx: Ctx, filter: CallFilter) {
  let query = ctx.db
    .selectFrom('marketplace.api_call as c')
    .leftJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'c.company_id').onRef('a.id', '=', 'c.account_id'),
    )
    // Calls about a consent for advertising itself belong to no account.
    .leftJoin('marketplace.ads_connection as n', (join) =>
      join.onRef('n.company_id', '=', 'c.company_id').onRef('n.id', '=', 'c.account_id'),
    )
    .leftJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'c.company_id').on(sql<boolean>`s.id = coalesce(a.store_id, n.store_id)`),
    )
    .select(['c.id', 'c.at', 'c.operation', 'c.status', 'c.ms', 'c.attempt', 'c.rate', 'c.request_id', 'c.problem'])
    .select(['c.path', 'c.caller', 's.name as store', sql<string | null>`coalesce(a.region, n.region)`.as('region')])
    .where('c.company_id', '=', ctx.companyId);
  const { from, to } = filter.at ?? {};
  if (from) query = query.where('c.at', '>=', sql<string>`${from}::date`);
  if (to) query = query.where('c.at', '<', sql<string>`${to}::date + 1`);
  if (filter.authid?.length) query = query.where('c.account_id', 'in', filter.authid);
  if (filter.outcome) query = query.where(OUTCOMES[filter.outcome]);
  if (filter.operation) query = query.where('c.operation', 'ilike', containing(filter.operation));
  if (filter.requestId) query = query.where('c.request_id', '=', filter.requestId);
  return query;
}

function listDef(ctx: Ctx, filter: CallFilter): ListDef<DbRow, CallRow> {
  return {
    row: CallRow,
    query: listQuery(queryOf(ctx, filter)),
    sort: { at: 'c.at', ms: 'c.ms', operation: 'c.operation', status: 'c.status' },
    order: [['c.at', 'desc']],
    key: 'c.id',
    map: rowOf,
  };
}

export function callPage(ctx: Ctx, request: PageRequest<CallFilter>): Promise<PageOf<CallRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** One call with its bodies. @throws 404 for one that is gone or somebody else's */
export async function callDetailOf(ctx: Ctx, id: string): Promise<CallDetail> {
  const row = await queryOf(ctx, {})
    .select(['c.method', 'c.request_body', 'c.response_body'])
    .where('c.id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('接口调用不存在或已过期');
  return {
    ...rowOf(row),
    method: row.method,
    requestBody: row.request_body,
    responseBody: row.response_body,
  };
}

/** The calls of the filter as a file, streamed. */
export function exportCallFile(open: OpenCtx, body: ExportRequest<CallFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '接口日志',
    sheet: '接口日志',
    format: body.format,
    columns: exportColumns(ctx, CallRow, body.columns),
    rows: streamed<DbRow, CallRow>(ctx, body, listDef(ctx, body.filter)) as AsyncIterable<object>,
    audit: { action: '导出接口日志', resource: 'marketplace.apiCall', filter: body.filter },
  }));
}
