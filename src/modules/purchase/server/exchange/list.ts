import { sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import { type ExchangeEnding, type ExchangeFilter, ExchangeRow, type ExchangeState } from '../../contract/exchange.ts';
import { withFirstProduct } from '../first-product.ts';

function matching(ctx: Ctx, filter: ExchangeFilter) {
  let query = ctx.db
    .selectFrom('purchase.exchange_order as x')
    .innerJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'x.company_id').onRef('o.id', '=', 'x.order_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'x.company_id').onRef('s.id', '=', 'x.supplier_id'),
    )
    .where('x.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('x.state', '=', filter.state);
  if (filter.supplier?.length) query = query.where('x.supplier_id', 'in', filter.supplier);
  const day = sql<string>`kit.day(x.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([eb('x.number', 'ilike', like), eb('o.number', 'ilike', like), eb('x.tracking_no', 'ilike', like)]),
    );
  }
  return query;
}

interface Sums {
  skus: number;
  first: string | null;
  qty: number;
  receivedQty: number;
  openQty: number;
  cost: string | null;
  credit: string | null;
}

const SUMS = sql<Sums>`(SELECT jsonb_build_object('skus', count(DISTINCT l.product_id),
    'first', (array_agg(l.product_id ORDER BY l.line_no))[1], 'qty', coalesce(sum(l.qty), 0),
    'receivedQty', coalesce(sum(l.received), 0),
    'openQty', CASE WHEN x.state = 'receiving' THEN sum(l.qty - l.received - l.ended) ELSE 0 END,
    'cost', sum(l.cost)::text, 'credit', sum(l.credit)::text)
   FROM purchase.exchange_line AS l WHERE l.company_id = x.company_id AND l.exchange_id = x.id)`;

function selected(ctx: Ctx, filter: ExchangeFilter) {
  return matching(ctx, filter).select([
    'x.id',
    'x.number',
    'x.state',
    'x.order_id',
    'o.number as order',
    'o.currency',
    's.short_name as supplier',
    'x.warehouse_id',
    'x.target_id',
    'x.takes_stock',
    'x.tracking_no',
    'x.reason',
    'x.ending',
    'x.created_by_name',
    'x.created_at',
    'x.confirmed_by_name',
    'x.confirmed_at',
    'x.version',
    SUMS.as('sums'),
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, places: ReadonlyMap<string, Pick<Warehouse, 'name'>>) {
  const { skus, first, ...sums } = row.sums;
  return {
    id: row.id,
    number: row.number,
    product: null,
    productId: first,
    more: skus - 1,
    state: row.state as ExchangeState,
    order: row.order,
    orderId: row.order_id,
    supplier: row.supplier,
    ...sums,
    takesStock: row.takes_stock,
    warehouse: row.takes_stock ? (places.get(row.warehouse_id)?.name ?? '') : '',
    target: places.get(row.target_id)?.name ?? '',
    currency: row.currency,
    reason: row.reason,
    ending: row.ending as ExchangeEnding | null,
    trackingNo: row.tracking_no,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    confirmedByName: row.confirmed_by_name,
    confirmedAt: row.confirmed_at,
    version: row.version,
  };
}
type ListRow = ReturnType<typeof toRow>;

async function listDef(ctx: Ctx, filter: ExchangeFilter): Promise<ListDef<DbRow, ListRow>> {
  const places = await warehouses(ctx);
  return {
    row: ExchangeRow,
    query: listQuery(selected(ctx, filter)),
    sort: { number: 'x.number', createdAt: 'x.created_at' },
    order: [['x.id', 'desc']],
    key: 'x.id',
    map: (row) => toRow(row, places),
  };
}

/** One page of exchanges, the newest first. */
export async function exchangePage(ctx: Ctx, request: PageRequest<ExchangeFilter>): Promise<PageOf<ExchangeRow>> {
  const found = await page(ctx, request, await listDef(ctx, request.filter));
  return { ...found, records: await withFirstProduct(ctx, found.records) };
}

/** One exchange as its list shows it. */
export async function exchangeRow(ctx: Ctx, id: string): Promise<ExchangeRow | undefined> {
  const found = await selected(ctx, {}).where('x.id', '=', id).executeTakeFirst();
  if (!found) return undefined;
  const [row] = await withFirstProduct(ctx, [toRow(found, await warehouses(ctx))]);
  return row;
}

/** How many exchanges are in each state under the other filters; "all" is their sum. */
export async function exchangeCounts(
  ctx: Ctx,
  { state: _, ...others }: ExchangeFilter,
): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 'x.state');
}

/** All exchanges of the filter as a file. */
export function exportExchanges(open: OpenCtx, body: ExportRequest<ExchangeFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购换货-${ctx.clock.today()}`,
      sheet: '换货',
      format: body.format,
      columns: exportColumns(ctx, ExchangeRow, body.columns).filter((column) => column.key !== 'product'),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购换货', resource: 'purchase.exchange', filter: body.filter },
    }),
  );
}
