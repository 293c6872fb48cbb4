import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type LoginLogFilter, LoginLogRow } from '../../contract/security.ts';
import { deviceOf } from '../self/devices.ts';

type DbRow = Omit<LoginLogRow, 'device' | 'result'> & { ok: boolean; userAgent: string | null };

/** Attempts on accounts of the company; those on accounts that nobody has belong to no company. */
async function filtered(ctx: Ctx, filter: LoginLogFilter) {
  let query = ctx.db
    .selectFrom('identity.login_log as l')
    .leftJoin('identity.member as m', (join) =>
      join.onRef('m.company_id', '=', 'l.company_id').onRef('m.id', '=', 'l.member_id'),
    )
    .where('l.company_id', '=', ctx.companyId);
  if (filter.result) query = query.where('l.ok', '=', filter.result === 'ok');
  if (filter.ip) query = query.where('l.ip', 'like', containing(filter.ip));
  if (filter.search) {
    const text = containing(filter.search);
    query = query.where((eb) => eb.or([eb('l.account', 'ilike', text), eb('m.name', 'ilike', text)]));
  }
  const { from, to } = filter.at ?? {};
  if (from || to) {
    const zone = sql`(SELECT time_zone FROM identity.company WHERE company_id = ${ctx.companyId})`;
    if (from) query = query.where('l.at', '>=', sql<string>`${from}::timestamp AT TIME ZONE ${zone}`);
    if (to) query = query.where('l.at', '<', sql<string>`(${to}::date + 1)::timestamp AT TIME ZONE ${zone}`);
  }
  return query;
}

async function listDef(ctx: Ctx, filter: LoginLogFilter) {
  const query = (await filtered(ctx, filter)).select([
    'l.id',
    'l.at',
    'l.account',
    'm.name as userName',
    'l.ok',
    'l.reason',
    'l.ip',
    'l.user_agent as userAgent',
  ]);
  return {
    row: LoginLogRow,
    query: listQuery<DbRow>(query),
    sort: { at: 'l.at', account: 'l.account', ip: 'l.ip' },
    order: [['l.at', 'desc']] as const,
    key: 'l.id',
    map: ({ ok, userAgent, ...row }: DbRow): LoginLogRow => ({
      ...row,
      result: ok ? 'ok' : 'failed',
      device: deviceOf(userAgent).name,
    }),
  };
}

export async function loginLogPage(ctx: Ctx, request: PageRequest<LoginLogFilter>): Promise<PageOf<LoginLogRow>> {
  return page<DbRow, LoginLogRow>(ctx, request, await listDef(ctx, request.filter));
}

export async function loginLogCounts(ctx: Ctx, { result: _, ...filter }: LoginLogFilter) {
  const rows = await (await filtered(ctx, filter))
    .select(['l.ok', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('l.ok')
    .execute();
  const of = (ok: boolean) => rows.find((row) => row.ok === ok)?.n ?? 0;
  return { ok: of(true), failed: of(false) };
}

export function loginLogFile(open: OpenCtx, request: ExportRequest<LoginLogFilter>) {
  return download(open, async (ctx) => ({
    name: '登录日志',
    sheet: '登录日志',
    format: request.format,
    columns: exportColumns(ctx, LoginLogRow, request.columns),
    rows: streamed<DbRow, LoginLogRow>(ctx, request, await listDef(ctx, request.filter)),
    audit: { action: '导出登录日志', resource: 'identity.login_log', filter: request.filter },
  }));
}
