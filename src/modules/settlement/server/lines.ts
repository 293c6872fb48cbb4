import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { DownloadSpec } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { listQuery, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { feeTitle } from '../contract/fees.ts';
import { type LineFilter, MoneyLineRow } from '../contract/settlements.ts';
import { settlementRow } from './list.ts';

export interface LineDbRow {
  source_doc_id: string;
  line_no: number;
  part: number;
  posted_at: string;
  posted_date: string;
  transaction_type: string;
  amount_type: string;
  amount_description: string;
  fee_code: string;
  ref_value: string | null;
  sku: string;
  quantity: number | null;
  currency: string;
  amount: string;
  marketplace_id: string;
  marketplace_from: string;
}

/** Columns of a ledger line that `lineRow` reads; `l` is the table's alias. */
export const LINE_COLUMNS = [
  'l.source_doc_id',
  'l.line_no',
  'l.part',
  'l.posted_at',
  'l.posted_date',
  'l.transaction_type',
  'l.amount_type',
  'l.amount_description',
  'l.fee_code',
  'l.ref_value',
  'l.sku',
  'l.quantity',
  'l.currency',
  'l.amount',
  'l.marketplace_id',
  'l.marketplace_from',
] as const;

/** A stored line as a drill-down shows it. */
export function lineRow(row: LineDbRow): MoneyLineRow {
  return {
    key: `${row.source_doc_id}:${row.line_no}:${row.part}`,
    lineNo: row.line_no,
    postedAt: row.posted_at,
    postedDate: row.posted_date,
    transactionType: row.transaction_type,
    amountType: row.amount_type,
    amountDescription: row.amount_description,
    feeTitle: feeTitle(row.fee_code),
    reference: row.ref_value,
    sku: row.sku,
    quantity: row.quantity,
    currency: row.currency,
    amount: row.amount,
    site: countryOf(row.marketplace_id),
    siteFrom: row.marketplace_from as MoneyLineRow['siteFrom'],
  };
}

function linesOf(ctx: Ctx, id: string, filter: LineFilter) {
  let query = ctx.db
    .selectFrom('settlement.money_line as l')
    .where('l.company_id', '=', ctx.companyId)
    .where('l.source_doc_id', '=', id);
  if (filter.sections?.length) query = query.where('l.pl_section', 'in', filter.sections);
  if (filter.feeCode) query = query.where('l.fee_code', '=', filter.feeCode);
  if (filter.amountDescription !== undefined)
    query = query.where('l.amount_description', '=', filter.amountDescription);
  if (filter.transactionType) query = query.where('l.transaction_type', '=', filter.transactionType);
  if (filter.shop === true) query = query.where('l.sku', '=', '');
  if (filter.shop === false) query = query.where('l.sku', '<>', '');
  if (filter.ordered === true) query = query.where('l.order_id', 'is not', null);
  if (filter.ordered === false) query = query.where('l.order_id', 'is', null);
  if (filter.sku) query = query.where('l.sku', '=', filter.sku);
  if (filter.order) query = query.where('l.ref_value', '=', filter.order);
  return query;
}

const SORT = {
  lineNo: 'l.line_no',
  postedAt: 'l.posted_at',
  amount: 'l.amount',
  sku: 'l.sku',
  transactionType: 'l.transaction_type',
};

function listDef(ctx: Ctx, id: string, filter: LineFilter) {
  return {
    row: MoneyLineRow,
    query: listQuery<LineDbRow>(linesOf(ctx, id, filter).select(LINE_COLUMNS)),
    sort: SORT,
    order: [['l.line_no', 'asc']] as const,
    key: 'l.part',
    map: lineRow,
  };
}

async function sumsOf(ctx: Ctx, id: string, filter: LineFilter): Promise<Record<string, string | number | null>> {
  return linesOf(ctx, id, filter)
    .select([
      sql<string>`coalesce(sum(l.amount), 0)`.as('amount'),
      sql<number | null>`sum(l.quantity)::bigint`.as('quantity'),
      sql<number>`count(DISTINCT l.order_id)`.as('orders'),
      sql<string | null>`min(l.currency)`.as('currency'),
    ])
    .executeTakeFirstOrThrow();
}

async function mustExist(ctx: Ctx, id: string): Promise<string> {
  const settlement = await settlementRow(ctx, id);
  if (!settlement) throw notFound('结算单不存在或已被新版本替换');
  return settlement.settlementId;
}

/** Lines of a settlement in the order of its file, with the sum of the whole filter. */
export async function linePage(ctx: Ctx, id: string, request: PageRequest<LineFilter>): Promise<PageOf<MoneyLineRow>> {
  await mustExist(ctx, id);
  return page<LineDbRow, MoneyLineRow>(ctx, request, {
    ...listDef(ctx, id, request.filter),
    countLimit: 2_000_000,
    totals: () => sumsOf(ctx, id, request.filter),
  });
}

/** All lines of the filter as a file. */
export async function lineFile(ctx: Ctx, id: string, body: ExportRequest<LineFilter>): Promise<DownloadSpec> {
  const settlementId = await mustExist(ctx, id);
  return {
    name: `结算明细-${settlementId}`,
    sheet: '结算明细',
    format: body.format,
    columns: exportColumns(ctx, MoneyLineRow, body.columns),
    rows: streamed<LineDbRow, MoneyLineRow>(ctx, body, listDef(ctx, id, body.filter)),
    audit: { action: '导出结算明细', resource: 'settlement.settlement', filter: { id, ...body.filter } },
  };
}
