import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type BlocFilter, type BlocKind, BlocRow, type BlocState, blocRequest, OWN_NAME } from '../../contract/bloc.ts';

const GIVER = sql<string>`coalesce(g.name, ${sql.lit(OWN_NAME)})`;
const TAKER = sql<string>`coalesce(t.name, ${sql.lit(OWN_NAME)})`;

function matching(ctx: Ctx, filter: BlocFilter) {
  let query = ctx.db
    .selectFrom('finance.bloc_request as r')
    .leftJoin('finance.partner as g', (join) =>
      join.onRef('g.company_id', '=', 'r.company_id').onRef('g.id', '=', 'r.giver_id'),
    )
    .leftJoin('finance.partner as t', (join) =>
      join.onRef('t.company_id', '=', 'r.company_id').onRef('t.id', '=', 'r.taker_id'),
    )
    .where('r.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('r.state', '=', filter.state);
  if (filter.kind?.length) query = query.where('r.kind', 'in', filter.kind);
  if (filter.wished?.from) query = query.where('r.wished_on', '>=', filter.wished.from);
  if (filter.wished?.to) query = query.where('r.wished_on', '<=', filter.wished.to);
  const companies = filter.company;
  if (companies?.length) {
    query = query.where((eb) => eb.or([eb('r.giver_id', 'in', companies), eb('r.taker_id', 'in', companies)]));
  }
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([
        eb('r.number', 'ilike', like),
        eb('r.reason', 'ilike', like),
        eb(GIVER, 'ilike', like),
        eb(TAKER, 'ilike', like),
      ]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: BlocFilter) {
  return matching(ctx, filter)
    .select([
      'r.id',
      'r.number',
      'r.kind',
      'r.state',
      'r.version',
      'r.giver_id',
      'r.taker_id',
      'r.currency',
      'r.amount',
    ])
    .select([
      'r.payee',
      'r.reason',
      'r.remark',
      'r.wished_on',
      'r.due_on',
      'r.done_on',
      'r.created_by_name',
      'r.created_at',
    ])
    .select(['r.approved_by_name', 'r.approved_at', GIVER.as('giver'), TAKER.as('taker')]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): BlocRow {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind as BlocKind,
    state: row.state as BlocState,
    version: row.version,
    giver: row.giver,
    taker: row.taker,
    giverId: row.giver_id,
    takerId: row.taker_id,
    amount: row.amount,
    currency: row.currency,
    payee: row.payee,
    reason: row.reason,
    remark: row.remark,
    wishedOn: row.wished_on,
    dueOn: row.due_on,
    doneOn: row.done_on,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    approvedByName: row.approved_by_name,
    approvedAt: row.approved_at,
  };
}

function listDef(ctx: Ctx, filter: BlocFilter): ListDef<DbRow, BlocRow> {
  return {
    row: BlocRow,
    query: listQuery<DbRow>(selected(ctx, filter)),
    sort: {
      number: 'r.number',
      amount: 'r.amount',
      wishedOn: 'r.wished_on',
      dueOn: 'r.due_on',
      createdAt: 'r.created_at',
    },
    order: [['r.id', 'desc']],
    key: 'r.id',
    map: toRow,
  };
}

/** One page of requests between companies of the group, the newest first. */
export function blocPage(ctx: Ctx, request: PageRequest<BlocFilter>): Promise<PageOf<BlocRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** One request as its list shows it. */
export async function rowOf(ctx: Ctx, id: string): Promise<BlocRow | undefined> {
  const found = await selected(ctx, {}).where('r.id', '=', id).executeTakeFirst();
  return found && toRow(found);
}

/** How many requests are in each state, whatever state the filter names. */
export function blocCounts(ctx: Ctx, filter: BlocFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, { ...filter, state: undefined }), 'r.state');
}

/** All requests of a filter as a file. */
export function exportBlocFile(open: OpenCtx, body: ExportRequest<BlocFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `往来申请-${ctx.clock.today()}`,
    sheet: '往来申请',
    format: body.format,
    columns: exportColumns(ctx, BlocRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出往来申请', resource: blocRequest.name, filter: body.filter },
  }));
}
