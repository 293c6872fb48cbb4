import { type RawBuilder, sql } from 'kysely';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { type Dimension, type SummaryFilter, SummaryRow } from '../../contract/report.ts';

/** What rows are grouped by: an id and a name of it. */
const KEYS: Record<Dimension, { id: RawBuilder<string>; name: RawBuilder<string> }> = {
  SUPPLIER: { id: sql`o.supplier_id::text`, name: sql`min(s.short_name)` },
  PRODUCT: { id: sql`l.product_id::text`, name: sql`min(p.sku) || ' ' || min(p.name)` },
  BUYER: { id: sql`o.created_by_name`, name: sql`o.created_by_name` },
  MONTH: {
    id: sql`to_char(o.placed_at AT TIME ZONE kit.zone(), 'YYYY-MM')`,
    name: sql`to_char(o.placed_at AT TIME ZONE kit.zone(), 'YYYY-MM')`,
  },
};

export const PLACED = sql<string>`kit.day(o.placed_at)`;

/** Lines of orders that were placed and are not void, with their heads, suppliers and products. */
export function placedLines(ctx: Ctx, filter: Omit<SummaryFilter, 'dimension'>) {
  let query = ctx.db
    .selectFrom('purchase.order_line as l')
    .innerJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'l.company_id').onRef('o.id', '=', 'l.order_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'o.company_id').onRef('s.id', '=', 'o.supplier_id'),
    )
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'l.company_id').onRef('p.id', '=', 'l.product_id'),
    )
    .where('l.company_id', '=', ctx.companyId)
    .where('o.state', 'in', ['ordered', 'closed']);
  if (filter.supplier?.length) query = query.where('o.supplier_id', 'in', filter.supplier);
  if (filter.warehouse?.length) query = query.where('o.warehouse_id', 'in', filter.warehouse);
  if (filter.placed?.from) query = query.where(PLACED, '>=', filter.placed.from);
  if (filter.placed?.to) query = query.where(PLACED, '<=', filter.placed.to);
  return query;
}

const cny = (amount: RawBuilder<unknown>) => sql<string>`round(sum((${amount}) * o.rate), 2)`;
const price = (amount: RawBuilder<unknown>, pieces: RawBuilder<unknown>) =>
  sql<string | null>`round(sum((${amount}) * o.rate) / nullif(sum(${pieces}), 0), 4)`;

/** Sums of one group, each of them from the lines alone: nothing is joined that could count a line twice. */
const SUMS = [
  sql<number>`count(DISTINCT o.id)::int`.as('orders'),
  sql<number>`sum(l.qty)::int`.as('qty'),
  cny(sql`l.amount + l.charge`).as('amount'),
  price(sql`l.amount + l.charge`, sql`l.qty`).as('averagePrice'),
  sql<number>`sum(l.received)::int`.as('received'),
  sql<number>`sum(l.returned)::int`.as('returned'),
  sql<number>`sum(l.received - l.returned)::int`.as('net'),
  sql<number>`sum(l.open_qty)::int`.as('open'),
  cny(sql`l.due`).as('due'),
  price(sql`l.due`, sql`l.received - l.returned`).as('actualPrice'),
  sql<string | null>`round(sum(l.rejected)::numeric / nullif(sum(l.received), 0), 4)::text`.as('defectShare'),
] as const;

function groups(ctx: Ctx, { dimension = 'SUPPLIER', ...filter }: SummaryFilter) {
  const { id, name } = KEYS[dimension];
  const grouped = placedLines(ctx, filter)
    .select([id.as('id'), name.as('name'), ...SUMS])
    .groupBy(id);
  return ctx.db.selectFrom(grouped.as('g')).selectAll('g');
}

async function totalsOf(ctx: Ctx, { dimension: _, ...filter }: SummaryFilter) {
  const row = await placedLines(ctx, filter).select(SUMS).executeTakeFirst();
  return { ...row, orders: row?.orders ?? 0 };
}

function listDef(ctx: Ctx, filter: SummaryFilter): ListDef<SummaryRow, SummaryRow> {
  const sorted = ['orders', 'qty', 'amount', 'received', 'returned', 'net', 'open', 'due', 'name'];
  return {
    row: SummaryRow,
    query: listQuery(groups(ctx, filter)),
    sort: Object.fromEntries(sorted.map((key) => [key, `g.${key}`])),
    order: [['g.amount', 'desc']],
    key: 'g.id',
    totals: () => totalsOf(ctx, filter) as Promise<Record<string, string | number | null>>,
  };
}

/** Purchases by supplier, product, buyer or month, the largest amount first. */
export function summaryPage(ctx: Ctx, request: PageRequest<SummaryFilter>): Promise<PageOf<SummaryRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

export function exportSummary(open: OpenCtx, body: ExportRequest<SummaryFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购统计-${ctx.clock.today()}`,
      sheet: '采购统计',
      format: body.format,
      columns: exportColumns(ctx, SummaryRow, body.columns),
      rows: streamed(ctx, body, listDef(ctx, body.filter)),
      audit: { action: '导出采购统计', resource: 'purchase.order', filter: body.filter },
    }),
  );
}
