import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type Grade, type Stage, type SupplierFilter, SupplierRow, type SupplierState } from '../contract.ts';
import { invoiceText, termsText } from './words.ts';

function matching(ctx: Ctx, filter: SupplierFilter) {
  let query = ctx.db.selectFrom('supplier.supplier as s').where('s.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('s.state', '=', filter.state);
  if (filter.grade?.length) query = query.where('s.grade', 'in', filter.grade);
  if (filter.currency) query = query.where('s.currency', '=', filter.currency.toUpperCase());
  if (filter.search) {
    const like = containing(filter.search);
    query = query.where((eb) =>
      eb.or([eb('s.code', 'ilike', like), eb('s.short_name', 'ilike', like), eb('s.full_name', 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: SupplierFilter) {
  return matching(ctx, filter)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('supplier.contact as c')
          .select(['c.name', 'c.phone'])
          .whereRef('c.company_id', '=', 's.company_id')
          .whereRef('c.supplier_id', '=', 's.id')
          .orderBy('c.line_no')
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['s.id', 's.code', 's.short_name', 's.full_name', 's.state', 's.grade', 's.terms', 's.currency'])
    .select(['s.invoice_type', 's.invoice_rate', 's.bank_tail', 's.alibaba_member', 's.remark', 's.version'])
    .select(['s.updated_by_name', 's.updated_at', 'c.name as contact', 'c.phone']);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow): SupplierRow {
  return {
    id: row.id,
    code: row.code,
    shortName: row.short_name,
    fullName: row.full_name,
    state: row.state as SupplierState,
    grade: row.grade as Grade,
    contact: row.contact,
    phone: row.phone || null,
    terms: termsText(row.terms as unknown as Stage[]),
    currency: row.currency,
    invoice: invoiceText(row.invoice_type, row.invoice_rate),
    bankTail: row.bank_tail === null ? null : `****${row.bank_tail}`,
    alibabaMember: row.alibaba_member,
    remark: row.remark,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

function listDef(ctx: Ctx, filter: SupplierFilter): ListDef<DbRow, SupplierRow> {
  return {
    row: SupplierRow,
    query: selected(ctx, filter) as unknown as ListDef<DbRow, SupplierRow>['query'],
    sort: { code: 's.code', shortName: 's.short_name', grade: 's.grade', updatedAt: 's.updated_at' },
    order: [['s.id', 'desc']],
    key: 's.id',
    map: toRow,
  };
}

/** One page of suppliers, the newest first. */
export function supplierPage(ctx: Ctx, request: PageRequest<SupplierFilter>): Promise<PageOf<SupplierRow>> {
  return page<DbRow, SupplierRow>(ctx, request, listDef(ctx, request.filter));
}

/** Numbers of suppliers by state under the other filters. */
export async function supplierCounts(
  ctx: Ctx,
  { state: _, ...others }: SupplierFilter,
): Promise<Record<string, number>> {
  return {
    ...{ pending: 0, active: 0, suspended: 0, blacklisted: 0 },
    ...(await countsBy(matching(ctx, others), 's.state')),
  };
}

/** All suppliers of the filter as a file. */
export function exportFile(open: OpenCtx, body: ExportRequest<SupplierFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: '供应商',
      sheet: '供应商',
      format: body.format,
      columns: exportColumns(ctx, SupplierRow, body.columns),
      rows: streamed<DbRow, SupplierRow>(ctx, body, listDef(ctx, body.filter)),
      audit: { action: '导出供应商', resource: 'supplier', filter: body.filter },
    }),
  );
}
