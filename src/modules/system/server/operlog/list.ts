import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { companiesTakenIn } from '#modules/identity/server/index.ts';
import { type OperlogFilter, OperlogRow } from '../../contract/operlog.ts';
import { refuseClosed } from './closed.ts';
import { changesOf, resourceTitle, summaryOf } from './wording.ts';

interface DbRow {
  id: string;
  at: string;
  actorName: string | null;
  action: string;
  resource: string;
  resourceId: string | null;
  before: unknown;
  after: unknown;
  ip: string | null;
  requestId: string | null;
}

/**
 * Rows of the filter. Ids begin with the time at which they were written, so a span of time is a span of the primary
 * key: a month is found as fast in a year's log as in a month's.
 */
async function filtered(ctx: Ctx, filter: OperlogFilter) {
  let query = ctx.db
    .selectFrom('kit.audit as a')
    .select([
      'a.id',
      'a.at',
      'a.actor_name as actorName',
      'a.action',
      'a.resource',
      'a.resource_id as resourceId',
      'a.before',
      'a.after',
      'a.ip',
      'a.request_id as requestId',
    ])
    .where('a.company_id', '=', ctx.companyId);
  const { from, to } = filter.at ?? {};
  if (from || to) {
    const { zone } = ctx.clock;
    if (from) query = query.where('a.id', '>=', sql<string>`system.id_at(${from}::timestamp AT TIME ZONE ${zone})`);
    if (to)
      query = query.where('a.id', '<', sql<string>`system.id_at((${to}::date + 1)::timestamp AT TIME ZONE ${zone})`);
  }
  if (filter.actors?.length) query = query.where('a.actor_id', 'in', filter.actors);
  if (filter.resource?.length) query = query.where('a.resource', 'in', filter.resource);
  if (filter.resourceId) query = query.where('a.resource_id', '=', filter.resourceId);
  if (filter.search) query = query.where('a.action', 'ilike', containing(filter.search));
  return query;
}

function rowOf(ctx: Ctx, row: DbRow): OperlogRow {
  const { modules } = ctx.runtime;
  return {
    id: row.id,
    at: row.at,
    actorName: row.actorName,
    action: row.action,
    resourceTitle: resourceTitle(modules, row.resource),
    resourceId: row.resourceId,
    summary: summaryOf(changesOf(modules, row)),
    ip: row.ip,
    resource: row.resource,
    requestId: row.requestId,
  };
}

async function listDef(ctx: Ctx, filter: OperlogFilter) {
  return {
    row: OperlogRow,
    query: listQuery<DbRow>(await filtered(ctx, filter)),
    sort: { at: 'a.id' },
    order: [['a.id', 'desc']] as const,
    key: 'a.id',
    map: (row: DbRow) => rowOf(ctx, row),
  };
}

export async function operlogPage(ctx: Ctx, request: PageRequest<OperlogFilter>): Promise<PageOf<OperlogRow>> {
  return page<DbRow, OperlogRow>(ctx, request, await listDef(ctx, request.filter));
}

/** The rows of the filter as a file; the export itself is a row of the log. */
export function exportFile(open: OpenCtx, request: ExportRequest<OperlogFilter>) {
  refuseClosed(request.filter.company, open.principal.companyId);
  return download(open, async (ctx) => ({
    name: '操作日志',
    sheet: '操作日志',
    format: request.format,
    columns: exportColumns(ctx, OperlogRow, request.columns),
    rows: streamed<DbRow, OperlogRow>(ctx, request, await listDef(ctx, request.filter)),
    audit: { action: '导出操作日志', resource: 'kit.audit', filter: request.filter },
  }));
}

/** One row with every change that it tells, undefined where this log has none of that id. */
export async function operlogById(ctx: Ctx, id: string) {
  const row = (await (await filtered(ctx, {})).where('a.id', '=', id).executeTakeFirst()) as DbRow | undefined;
  if (!row) return undefined;
  const { rows } = await sql<{ sealed: boolean }>`
    SELECT EXISTS (SELECT FROM (SELECT ids FROM system.audit_seal WHERE company_id = ${ctx.companyId}
                                 ORDER BY no DESC LIMIT 1) AS newest
                    WHERE ids[cardinality(ids)] >= ${id}::uuid) AS sealed`.execute(ctx.db);
  return {
    ...rowOf(ctx, row),
    changes: changesOf(ctx.runtime.modules, row),
    sealed: rows[0]?.sealed ?? false,
  };
}

const RECENT = 20_000;

/** Choices for the filters, from the newest rows: who did something, and to what. */
export async function filterOptions(ctx: Ctx) {
  const { rows } = await sql<{ actor: string | null; name: string | null; resource: string }>`
    SELECT DISTINCT actor_id AS actor, actor_name AS name, resource FROM (
      SELECT actor_id, actor_name, resource FROM kit.audit WHERE company_id = ${ctx.companyId}
       ORDER BY id DESC LIMIT ${RECENT}) AS recent`.execute(ctx.db);
  const actors = new Map(rows.flatMap(({ actor, name }) => (actor ? [[actor, name ?? actor] as const] : [])));
  const resources = new Map(rows.map((row) => [row.resource, resourceTitle(ctx.runtime.modules, row.resource)]));
  const options = (map: ReadonlyMap<string, string>) =>
    [...map].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label, 'zh'));
  const companies = await companiesTakenIn(ctx);
  return {
    actors: options(actors),
    resources: options(resources),
    companies: companies.map(({ id, name }) => ({ value: id, label: name })),
  };
}
