import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import {
  type Comparison,
  type InquiryFilter,
  InquiryRow,
  type InquiryState,
  inquiryDocument,
} from '../../contract/inquiry.ts';
import { offersOf } from './offers.ts';

function matching(ctx: Ctx, filter: InquiryFilter) {
  let query = ctx.db
    .selectFrom('product.inquiry as i')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'i.company_id').onRef('p.id', '=', 'i.product_id'),
    )
    .leftJoin('supplier.supplier as w', (join) =>
      join.onRef('w.company_id', '=', 'i.company_id').onRef('w.id', '=', 'i.awarded_supplier_id'),
    )
    .where('i.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('i.state', '=', filter.state);
  const suppliers = filter.supplierId;
  if (suppliers?.length) {
    query = query.where(
      sql<boolean>`EXISTS (SELECT FROM product.offer AS o WHERE o.company_id = i.company_id AND o.inquiry_id = i.id
        AND o.supplier_id = ANY (${suppliers}::uuid[]))`,
    );
  }
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('i.number', 'ilike', like), eb('p.sku', 'ilike', like), eb('p.name', 'ilike', like)]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: InquiryFilter) {
  return matching(ctx, filter).select([
    'i.id',
    'i.number',
    'i.state',
    'i.version',
    'i.qty',
    'i.due_on as dueOn',
    'i.remark',
    'i.product_id as productId',
    'i.awarded_supplier_id as awardedSupplierId',
    'w.short_name as awarded',
    'i.created_by_name as createdByName',
    'i.created_at as createdAt',
    sql<InquiryRow['product']>`jsonb_build_object('name', p.name, 'code', p.sku, 'image', p.image)`.as('product'),
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function listDef(ctx: Ctx, filter: InquiryFilter): ListDef<DbRow, DbRow> {
  return {
    row: InquiryRow,
    query: selected(ctx, filter) as unknown as ListDef<DbRow, DbRow>['query'],
    sort: { number: 'i.number', dueOn: 'i.due_on', createdAt: 'i.created_at' },
    order: [['i.id', 'desc']],
    key: 'i.id',
  };
}

/** Rows with their best offers, which rates and validity of today decide. */
async function withOffers(ctx: Ctx, rows: readonly DbRow[]): Promise<InquiryRow[]> {
  const offers = await offersOf(ctx, new Map(rows.map((row) => [row.id, row.qty])));
  return rows.map(({ productId: _, awardedSupplierId: __, ...row }) => {
    const own = offers.get(row.id) ?? [];
    const best = own.find((one) => one.best);
    return {
      ...row,
      state: row.state as InquiryState,
      offers: own.length,
      bestSupplier: best?.supplier ?? null,
      bestUnit: best?.baseUnit ?? null,
      bestAmount: best?.baseAmount ?? null,
    };
  });
}

/** One page of inquiries, the newest first. */
export async function inquiryPage(ctx: Ctx, request: PageRequest<InquiryFilter>): Promise<PageOf<InquiryRow>> {
  const found = await page(ctx, request, listDef(ctx, request.filter));
  return { ...found, records: await withOffers(ctx, found.records) };
}

/** How many inquiries are in each state under the other filters; "all" is their sum. */
export async function inquiryCounts(ctx: Ctx, { state: _, ...others }: InquiryFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'i.state');
}

interface ExportBody {
  filter: InquiryFilter;
  columns?: string[] | undefined;
  format: 'xlsx' | 'csv';
}

/** Inquiries are written by hand, so that a file of them has an end; offers are read for so many at once. */
const MOST = 50_000;
const CHUNK = 500;

async function* chunked(ctx: Ctx, body: ExportBody): AsyncGenerator<object> {
  const { query } = listDef(ctx, body.filter);
  const rows = await query
    .orderBy('i.id' as never, 'desc')
    .limit(MOST)
    .execute();
  for (let from = 0; from < rows.length; from += CHUNK) yield* await withOffers(ctx, rows.slice(from, from + CHUNK));
}

/** Inquiries of the filter with their best offers as a file, the newest first, at most 50,000. */
export function inquiryFile(open: OpenCtx, body: ExportBody): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `询价单-${ctx.clock.today()}`,
      sheet: '询价单',
      format: body.format,
      columns: exportColumns(ctx, InquiryRow, body.columns),
      rows: chunked(ctx, body),
      audit: { action: '导出询价单', resource: inquiryDocument.name, filter: body.filter },
    }),
  );
}

/** An inquiry with its offers side by side, for its own pieces or for others. @throws notFound */
export async function comparison(ctx: Ctx, input: { id: string; qty?: number | undefined }): Promise<Comparison> {
  const row = await selected(ctx, {}).where('i.id', '=', input.id).executeTakeFirst();
  if (!row) throw notFound('询价单不存在或已删除');
  const offers = await offersOf(ctx, new Map([[row.id, input.qty ?? row.qty]]));
  const { awarded: _, state, ...facts } = row;
  return { ...facts, state: state as InquiryState, offers: offers.get(row.id) ?? [] };
}
