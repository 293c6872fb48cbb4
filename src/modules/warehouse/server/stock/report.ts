import { type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { type exportStock, type StockFilter, StockRow } from '../../contract/inventory.ts';
import { productHas } from './filter.ts';

const COLUMNS = {
  expected: 'EXPECTED',
  inTransit: 'IN_TRANSIT',
  quarantine: 'QUARANTINE',
  available: 'AVAILABLE',
  reserved: 'RESERVED',
  processing: 'PROCESSING',
  defective: 'DEFECTIVE',
} as const;
type Column = keyof typeof COLUMNS;

type DbRow = Record<Column | 'total', number> & {
  id: string;
  product_id: string;
  warehouse_id: string;
  sku: string;
  name: string;
  image: string | null;
  warehouse: string;
  value: string | null;
};

const quantities = Object.entries(COLUMNS).map(([key, status]) =>
  sql.raw<number>(`coalesce(sum(b.qty) FILTER (WHERE b.status = '${status}'), 0)`).as(key as Column),
);

/** Ids of the products that a filter names. */
function productsOf(ctx: Ctx, filter: StockFilter) {
  let query = ctx.db.selectFrom('product.local_product as p').select('p.id').where('p.company_id', '=', ctx.companyId);
  if (filter.keyword) query = query.where(productHas(filter.keyword));
  if (filter.skus?.length) query = query.where('p.sku', 'in', filter.skus);
  return query;
}

/** Balances `b` by product and warehouse, joined with the product `p` and the warehouse `w`. */
function rowsOf(ctx: Ctx, filter: StockFilter) {
  let stock = ctx.db
    .selectFrom('warehouse.stock_balance as b')
    .select(['b.product_id', 'b.warehouse_id'])
    .select(quantities)
    .select(sql<number>`coalesce(sum(b.qty) FILTER (WHERE b.status <> 'EXPECTED'), 0)`.as('total'))
    .where('b.company_id', '=', ctx.companyId)
    .where('b.status', '<>', 'OUTSIDE')
    .groupBy(['b.product_id', 'b.warehouse_id']);
  if (filter.warehouses?.length) stock = stock.where('b.warehouse_id', 'in', filter.warehouses);
  // Products are found before their balances are added up, not after those of all.
  if (filter.keyword || filter.skus?.length) stock = stock.where('b.product_id', 'in', productsOf(ctx, filter));
  let query = ctx.db
    .selectFrom(stock.as('s'))
    .innerJoin('product.local_product as p', (join) =>
      join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', 's.product_id'),
    )
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.on('w.company_id', '=', ctx.companyId).onRef('w.id', '=', 's.warehouse_id'),
    );
  if (filter.hasStock !== undefined) query = query.where('s.total', filter.hasStock ? '>' : '=', 0);
  return query;
}

const VALUE = `(SELECT sum(l.amount_remaining) FROM warehouse.cost_layer AS l
  WHERE l.company_id = kit.company() AND l.product_id = s.product_id AND l.warehouse_id = s.warehouse_id AND l.open)`;

function listDef(ctx: Ctx, filter: StockFilter): ListDef<DbRow, StockRow> {
  const query = rowsOf(ctx, filter).selectAll('s').select(['p.sku', 'p.name', 'p.image', 'w.name as warehouse']);
  return {
    row: StockRow,
    query: query as unknown as SelectQueryBuilder<never, never, DbRow>,
    // The value is looked up for the rows of the page only.
    around: (rows) =>
      ctx.db
        .selectFrom((rows as unknown as typeof query).as('s'))
        .selectAll('s')
        .select(sql.raw<string | null>(can(ctx, 'erp:inv:cost') ? VALUE : 'NULL::numeric').as('value')) as never,
    sort: {
      product: 'sku',
      warehouse: 'warehouse',
      ...Object.fromEntries([...Object.keys(COLUMNS), 'total'].map((key) => [key, `s."${key}"`])),
    },
    order: [['sku', 'asc']],
    key: 's.warehouse_id',
    map: (row) => ({
      id: `${row.product_id}.${row.warehouse_id}`,
      product: { name: row.name || row.sku, code: row.sku, image: row.image },
      warehouse: row.warehouse,
      expected: row.expected,
      inTransit: row.inTransit,
      quarantine: row.quarantine,
      available: row.available,
      reserved: row.reserved,
      processing: row.processing,
      defective: row.defective,
      total: row.total,
      value: row.value,
      productId: row.product_id,
      warehouseId: row.warehouse_id,
    }),
  };
}

/** Number and sums of the rows of a filter; the value is added up from the layers, not row by row. */
async function totals(
  ctx: Ctx,
  filter: StockFilter,
): Promise<{ rows: number; sums: Record<string, number | string | null> }> {
  const sums = [...Object.keys(COLUMNS), 'total'].map((key) =>
    sql.raw<number>(`coalesce(sum(s."${key}"), 0)::bigint`).as(key),
  );
  const found = rowsOf(ctx, filter);
  const { rows, ...row } = await found
    .select(sums)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  const { value } = can(ctx, 'erp:inv:cost')
    ? await ctx.db
        .selectFrom('warehouse.cost_layer as l')
        .select(sql<string | null>`sum(l.amount_remaining)`.as('value'))
        .where('l.company_id', '=', ctx.companyId)
        .where('l.open', '=', true)
        .where((eb) =>
          eb(
            eb.refTuple('l.product_id', 'l.warehouse_id'),
            'in',
            found.select(['s.product_id', 's.warehouse_id']).$asTuple('product_id', 'warehouse_id'),
          ),
        )
        .executeTakeFirstOrThrow()
    : { value: null };
  return { rows, sums: { ...(row as unknown as Record<string, number>), value } };
}

/** One page of stock by product and warehouse with the sums over the filter. */
export function stockPage(ctx: Ctx, request: PageRequest<StockFilter>): Promise<PageOf<StockRow>> {
  // The sums know the number of rows as well.
  let summed: ReturnType<typeof totals> | undefined;
  const once = () => {
    summed ??= totals(ctx, request.filter);
    return summed;
  };
  return page(ctx, request, {
    ...listDef(ctx, request.filter),
    count: async () => (await once()).rows,
    totals: async () => (await once()).sums,
    asOf: async () => new Date().toISOString(),
  });
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportStock.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '库存报表',
    sheet: '库存报表',
    format: request.format,
    columns: exportColumns(ctx, StockRow, request.columns),
    rows: streamed(ctx, request, listDef(ctx, request.filter)) as AsyncIterable<object>,
    audit: { action: '导出库存报表', resource: 'warehouse.stock', filter: request.filter },
  }));
}
