import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type VoucherFilter, VoucherRow, voucher } from '../contract/vouchers.ts';
import { CASH } from './statement/cash-flow.ts';

/** The vouchers of a filter, as `v`. */
export function matching(ctx: Ctx, filter: VoucherFilter) {
  let query = ctx.db.selectFrom('accounting.voucher as v').where('v.company_id', '=', ctx.companyId);
  const { state, day, type, subjects, amount, cash, keyword } = filter;
  if (state) query = query.where('v.state', '=', state);
  if (day?.from) query = query.where('v.day', '>=', day.from);
  if (day?.to) query = query.where('v.day', '<=', day.to);
  if (type?.length) query = query.where('v.type', 'in', type);
  if (amount?.from !== undefined) query = query.where('v.amount', '>=', String(amount.from));
  if (amount?.to !== undefined) query = query.where('v.amount', '<=', String(amount.to));
  if (subjects?.length) {
    query = query.where('v.id', 'in', (eb) =>
      eb
        .selectFrom('accounting.entry as e')
        .select('e.voucher_id')
        .where('e.company_id', '=', ctx.companyId)
        .where('e.subject_id', 'in', subjects),
    );
  }
  if (cash !== undefined) {
    const touching = ctx.db
      .selectFrom('accounting.entry as c')
      .innerJoin('accounting.subject as s', (join) =>
        join.onRef('s.company_id', '=', 'c.company_id').onRef('s.id', '=', 'c.subject_id'),
      )
      .select('c.voucher_id')
      .where('c.company_id', '=', ctx.companyId)
      .where(sql<string>`left(s.code, 4)`, 'in', CASH);
    query = query.where('v.id', cash ? 'in' : 'not in', touching);
  }
  if (keyword) {
    const like = containing(keyword);
    query = query.where((eb) => eb.or([eb('v.number', 'ilike', like), eb('v.summary', 'ilike', like)]));
  }
  return query;
}

function listDef(ctx: Ctx, filter: VoucherFilter): ListDef<VoucherRow, VoucherRow> {
  return {
    row: VoucherRow,
    query: listQuery<VoucherRow>(
      matching(ctx, filter)
        .select([
          'v.id',
          'v.number',
          'v.day',
          'v.type',
          'v.state',
          'v.summary',
          'v.amount',
          'v.attachments',
          'v.version',
        ])
        .select(['v.created_by_name as createdByName', 'v.created_at as createdAt'])
        .select(['v.approved_by_name as approvedByName', 'v.posted_by_name as postedByName']),
    ),
    sort: { number: 'v.number', day: 'v.day', amount: 'v.amount' },
    order: [
      ['v.day', 'desc'],
      ['v.id', 'desc'],
    ],
    key: 'v.id',
  };
}

/** One page of vouchers, the latest days first. */
export function voucherPage(ctx: Ctx, request: PageRequest<VoucherFilter>): Promise<PageOf<VoucherRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** One voucher as the list shows it. */
export async function rowOf(ctx: Ctx, id: string): Promise<VoucherRow | undefined> {
  const { query } = listDef(ctx, {});
  return query.where(sql<boolean>`v.id = ${id}::uuid`).executeTakeFirst();
}

/** How many vouchers are in each state, whatever state the filter names. */
export function voucherCounts(ctx: Ctx, filter: VoucherFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, { ...filter, state: undefined }), 'v.state');
}

/** All vouchers of a filter as a file. */
export function exportFile(open: OpenCtx, body: ExportRequest<VoucherFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `凭证-${ctx.clock.today()}`,
    sheet: '凭证',
    format: body.format,
    columns: exportColumns(ctx, VoucherRow, body.columns),
    rows: streamed(ctx, body, listDef(ctx, body.filter)),
    audit: { action: '导出凭证', resource: voucher.name, filter: body.filter },
  }));
}
