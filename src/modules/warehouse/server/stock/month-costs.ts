import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { type exportMonthCosts, type MonthCostFilter, MonthCostRow } from '../../contract/month-costs.ts';
import { productHas } from './filter.ts';

type DbRow = Omit<MonthCostRow, 'id' | 'product'> & { sku: string; name: string; image: string | null };

const DIFFERENCE = sql<string>`(m.issued_amount - m.provisional)`;
const LEFT = sql<string>`(m.amount - m.issued_amount)`;

/** Prices `m` of the filter with their product `p` and, where the caller may see it, their warehouse `w`. */
function rowsOf(ctx: Ctx, filter: MonthCostFilter) {
  let query = ctx.db
    .selectFrom('warehouse.month_cost as m')
    .innerJoin('product.local_product as p', (join) =>
      join.onRef('p.company_id', '=', 'm.company_id').onRef('p.id', '=', 'm.product_id'),
    )
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'm.company_id').onRef('w.id', '=', 'm.warehouse_id'),
    )
    .where('m.company_id', '=', ctx.companyId);
  if (filter.month) query = query.where('m.month', '=', `${filter.month}-01`);
  if (filter.warehouses?.length) query = query.where('m.warehouse_id', 'in', filter.warehouses);
  if (filter.keyword) query = query.where(productHas(filter.keyword));
  return query;
}

function listDef(ctx: Ctx, filter: MonthCostFilter): ListDef<DbRow, MonthCostRow> {
  const query = rowsOf(ctx, filter)
    .select(['p.sku', 'p.name', 'p.image', 'w.name as warehouse', 'm.qty', 'm.amount', 'm.provisional'])
    .select(['m.issued_qty as issuedQty', 'm.issued_amount as issuedAmount'])
    .select(['m.product_id as productId', 'm.warehouse_id as warehouseId'])
    .select([DIFFERENCE.as('difference'), LEFT.as('closingAmount')])
    .select(sql<number>`m.qty - m.issued_qty`.as('closingQty'))
    .select(sql<string>`to_char(m.month, 'YYYY-MM')`.as('month'))
    .select(sql<string>`round(m.amount / m.qty, 6)`.as('unitCost'));
  return {
    row: MonthCostRow,
    query: listQuery<DbRow>(query),
    sort: {
      month: 'm.month',
      product: 'p.sku',
      warehouse: 'w.name',
      issuedAmount: 'm.issued_amount',
      difference: 'm.issued_amount - m.provisional',
    },
    order: [
      ['m.month', 'desc'],
      ['p.sku', 'asc'],
    ],
    key: '(m.month, m.product_id, m.warehouse_id)',
    totals: () =>
      rowsOf(ctx, filter)
        .select(sql<string>`coalesce(sum(m.provisional), 0)`.as('provisional'))
        .select(sql<string>`coalesce(sum(m.issued_amount), 0)`.as('issuedAmount'))
        .select(sql<string>`coalesce(sum(${DIFFERENCE}), 0)`.as('difference'))
        .select(sql<number>`coalesce(sum(m.issued_qty), 0)`.as('issuedQty'))
        .executeTakeFirstOrThrow(),
    map: ({ sku, name, image, ...row }) => ({
      ...row,
      id: `${row.month}.${row.productId}.${row.warehouseId}`,
      product: { name: name || sku, code: sku, image },
    }),
  };
}

/** One page of the prices that closings gave to months, the newest month first; amounts in CNY. */
export function monthCostPage(ctx: Ctx, request: PageRequest<MonthCostFilter>): Promise<PageOf<MonthCostRow>> {
  return page(ctx, request, listDef(ctx, request.filter));
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportMonthCosts.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '月末加权结转',
    sheet: '月末加权结转',
    format: request.format,
    columns: exportColumns(ctx, MonthCostRow, request.columns),
    rows: streamed(ctx, request, listDef(ctx, request.filter)) as AsyncIterable<object>,
    audit: { action: '导出月末加权结转', resource: 'warehouse.period', filter: request.filter },
  }));
}
