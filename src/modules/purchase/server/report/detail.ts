import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { productIdsBySku } from '#modules/product/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { type DetailFilter, DetailRow } from '../../contract/report.ts';
import { PLACED, placedLines } from './summary.ts';

interface Came {
  first: string | null;
  last: string | null;
  /** Mean days from placing to receipt, by piece: Σ qty · days ÷ Σ qty. */
  lead: string | null;
}

const CAME = sql<Came>`(SELECT jsonb_build_object('first', min(t.received_on), 'last', max(t.received_on),
    'lead', round(sum(c.qty * (t.received_on - kit.day(o.placed_at)))::numeric / sum(c.qty), 1)::text)
   FROM purchase.receipt_line AS c
   JOIN purchase.receipt AS t ON t.company_id = c.company_id AND t.id = c.receipt_id AND t.state <> 'reversed'
  WHERE c.company_id = l.company_id AND c.order_line_id = l.id)`;

/** Days after the first promise: of what is still open until today. */
const LATE = sql<number | null>`greatest(0, (SELECT max(t.received_on) FROM purchase.receipt_line AS c
     JOIN purchase.receipt AS t ON t.company_id = c.company_id AND t.id = c.receipt_id AND t.state <> 'reversed'
    WHERE c.company_id = l.company_id AND c.order_line_id = l.id) - l.promised_on,
   CASE WHEN l.open_qty > 0 THEN kit.today() - l.promised_on END)`;

async function selected(ctx: Ctx, { sku, open, ...filter }: DetailFilter) {
  let query = placedLines(ctx, filter);
  if (open) query = query.where('l.open_qty', '>', 0);
  if (sku?.length) {
    const ids = [...(await productIdsBySku(ctx, sku)).values()];
    query = ids.length === 0 ? query.where(sql<boolean>`false`) : query.where('l.product_id', 'in', ids);
  }
  return query.select([
    'l.id',
    'o.number as order',
    'o.id as orderId',
    'p.sku',
    'p.name',
    'p.image',
    's.short_name as supplier',
    'o.warehouse_id as place',
    'l.qty',
    'l.unit_price as unitPrice',
    'l.amount',
    'o.currency',
    'l.received',
    'l.rejected',
    'l.returned',
    'l.cancelled',
    'l.open_qty as open',
    'l.due',
    PLACED.as('placedOn'),
    'l.promised_on as promisedOn',
    'o.created_by_name as buyer',
    CAME.as('came'),
    LATE.as('lateDays'),
  ]);
}
type DbRow = Awaited<ReturnType<Awaited<ReturnType<typeof selected>>['execute']>>[number];

async function listDef(ctx: Ctx, filter: DetailFilter): Promise<ListDef<DbRow, DetailRow>> {
  const places = await warehouses(ctx);
  return {
    row: DetailRow,
    query: listQuery(await selected(ctx, filter)),
    sort: { order: 'o.number', qty: 'l.qty', amount: 'l.amount', placedOn: 'o.placed_at', promisedOn: 'l.promised_on' },
    order: [['l.id', 'desc']],
    key: 'l.id',
    map: ({ place, came, name, image, ...row }) => ({
      ...row,
      product: { name: name || row.sku, code: row.sku, image },
      warehouse: places.get(place)?.name ?? '',
      firstOn: came.first,
      lastOn: came.last,
      leadDays: came.lead,
    }),
  };
}

/** Lines of placed orders with what came of them, the newest first. */
export async function detailPage(ctx: Ctx, request: PageRequest<DetailFilter>): Promise<PageOf<DetailRow>> {
  return page(ctx, request, await listDef(ctx, request.filter));
}

export function exportDetail(open: OpenCtx, body: ExportRequest<DetailFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购明细-${ctx.clock.today()}`,
      sheet: '采购明细',
      format: body.format,
      columns: exportColumns(ctx, DetailRow, body.columns).filter((column) => column.key !== 'product'),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购明细', resource: 'purchase.order', filter: body.filter },
    }),
  );
}
