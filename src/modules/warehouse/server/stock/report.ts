import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { type exportStock, type StockFilter, StockRow } from '../../contract/inventory.ts';
import { withAssemblable } from './assemblable.ts';
import { inChunks } from './chunks.ts';
import { productHas } from './filter.ts';
import { withPlanned } from './planned.ts';

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

/** How many rows by SKU a page reaches to, and from which end. */
interface Reach {
  rows: number;
  order: 'asc' | 'desc';
}

/** The first products by SKU with a row of the filter: as many of them as rows cover these rows. */
function firstProducts(ctx: Ctx, filter: StockFilter, { rows, order }: Reach) {
  const places = filter.warehouses?.length ? sql`AND b.warehouse_id = ANY (${filter.warehouses}::uuid[])` : sql``;
  const pieces = filter.hasStock ? sql`AND b.qty > 0 AND b.status <> 'EXPECTED'` : sql``;
  const has = sql<boolean>`EXISTS (SELECT FROM warehouse.stock_balance AS b WHERE b.company_id = p.company_id
    AND b.product_id = p.id AND b.status <> 'OUTSIDE' ${places} ${pieces})`;
  return productsOf(ctx, filter).where(has).orderBy('p.sku', order).limit(rows);
}

/** Balances now; at the end of a day in the past, less all that was posted for later days. */
function balancesAt(ctx: Ctx, day: string | undefined) {
  const now = ctx.db
    .selectFrom('warehouse.stock_balance')
    .select(['company_id', 'product_id', 'warehouse_id', 'status', 'qty'])
    .where('company_id', '=', ctx.companyId);
  if (day === undefined) return now;
  return now.unionAll(
    ctx.db
      .selectFrom('warehouse.stock_entry as e')
      .select(['e.company_id', 'e.product_id', 'e.warehouse_id', 'e.status', sql<number>`-e.qty`.as('qty')])
      .where('e.company_id', '=', ctx.companyId)
      .where('e.business_date', '>', day)
      .where(sql<boolean>`e.posted_at >= ${day}::date - interval '1 day'`),
  );
}

/** Balances by product and warehouse under a filter. */
function rowsOf(ctx: Ctx, filter: StockFilter, reach?: Reach) {
  let stock = ctx.db
    .selectFrom(balancesAt(ctx, filter.asOf).as('b'))
    .select(['b.product_id', 'b.warehouse_id'])
    .select(quantities)
    .select(sql<number>`coalesce(sum(b.qty) FILTER (WHERE b.status <> 'EXPECTED'), 0)`.as('total'))
    .where('b.company_id', '=', ctx.companyId)
    .where('b.status', '<>', 'OUTSIDE')
    .groupBy(['b.product_id', 'b.warehouse_id']);
  if (filter.warehouses?.length) stock = stock.where('b.warehouse_id', 'in', filter.warehouses);
  // Products are found before their balances are added up, not after those of all.
  if (reach) stock = stock.where('b.product_id', 'in', firstProducts(ctx, filter, reach));
  else if (filter.keyword || filter.skus?.length) stock = stock.where('b.product_id', 'in', productsOf(ctx, filter));
  const query = ctx.db.selectFrom(stock.as('s'));
  return filter.hasStock === undefined ? query : query.where('s.total', filter.hasStock ? '>' : '=', 0);
}

const VALUE = `(SELECT sum(l.amount_remaining) FROM warehouse.cost_layer AS l
  WHERE l.company_id = kit.company() AND l.product_id = s.product_id AND l.warehouse_id = s.warehouse_id AND l.open)`;

/** What a row of the report is worth, CNY: now, or less what later days brought. */
function valueAt(day: string | undefined) {
  const now = sql.raw<string | null>(VALUE);
  if (day === undefined) return now;
  return sql<string | null>`nullif(coalesce(${now}, 0) - coalesce((SELECT sum(e.amount) FROM warehouse.stock_entry AS e
    WHERE e.company_id = kit.company() AND e.product_id = s.product_id AND e.warehouse_id = s.warehouse_id
      AND e.status <> 'OUTSIDE' AND e.business_date > ${day}::date AND e.posted_at >= ${day}::date - interval '1 day'), 0), 0)`;
}

/** Rows with the product `p` and the warehouse `w`. */
function listDef(ctx: Ctx, filter: StockFilter, reach?: Reach): ListDef<DbRow, StockRow> {
  const query = rowsOf(ctx, filter, reach)
    .innerJoin('product.local_product as p', (join) =>
      join.on('p.company_id', '=', ctx.companyId).onRef('p.id', '=', 's.product_id'),
    )
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.on('w.company_id', '=', ctx.companyId).onRef('w.id', '=', 's.warehouse_id'),
    )
    .selectAll('s')
    .select(['p.sku', 'p.name', 'p.image', 'w.name as warehouse']);
  return {
    row: StockRow,
    query: listQuery(query),
    // The value is looked up for the rows of the page only.
    around: (rows) =>
      listQuery(
        cutAs(ctx, rows, 's')
          .selectAll('s')
          .select((can(ctx, 'erp:inv:cost') ? valueAt(filter.asOf) : sql<string | null>`NULL::numeric`).as('value')),
      ),
    sort: {
      product: 'sku',
      warehouse: 'warehouse',
      ...Object.fromEntries([...Object.keys(COLUMNS), 'total'].map((key) => [key, `s."${key}"`])),
    },
    order: [['sku', 'asc']],
    key: '(s.product_id, s.warehouse_id)',
    map: (row) => ({
      id: `${row.product_id}.${row.warehouse_id}`,
      product: { name: row.name || row.sku, code: row.sku, image: row.image },
      warehouse: row.warehouse,
      expected: row.expected,
      inTransit: row.inTransit,
      quarantine: row.quarantine,
      available: row.available,
      reserved: row.reserved,
      planned: null,
      promisable: null,
      processing: row.processing,
      defective: row.defective,
      total: row.total,
      assemblable: null,
      value: row.value,
      productId: row.product_id,
      warehouseId: row.warehouse_id,
    }),
  };
}

/** Value of the stock of a filter, CNY; null for none. Pieces without stock have no open layer. */
async function worthOf(ctx: Ctx, filter: StockFilter): Promise<string | null> {
  if (filter.hasStock === false) return null;
  if (filter.asOf) return worthAt(ctx, filter);
  let query = ctx.db
    .selectFrom('warehouse.cost_layer as l')
    .select(sql<string | null>`sum(l.amount_remaining)`.as('value'))
    .where('l.company_id', '=', ctx.companyId)
    .where('l.open', '=', true);
  if (filter.warehouses?.length) query = query.where('l.warehouse_id', 'in', filter.warehouses);
  if (filter.keyword || filter.skus?.length) query = query.where('l.product_id', 'in', productsOf(ctx, filter));
  return (await query.executeTakeFirstOrThrow()).value;
}

/** The same at the end of a day in the past: row by row, as the layers of then are not kept. */
async function worthAt(ctx: Ctx, filter: StockFilter): Promise<string | null> {
  const rows = rowsOf(ctx, filter).select(valueAt(filter.asOf).as('value'));
  const { value } = await ctx.db
    .selectFrom(rows.as('v'))
    .select(sql<string | null>`sum(v.value)`.as('value'))
    .executeTakeFirstOrThrow();
  return value;
}

/** Number and sums of the rows of a filter; the value is added up from the layers, not row by row. */
async function totals(
  ctx: Ctx,
  filter: StockFilter,
): Promise<{ rows: number; sums: Record<string, number | string | null> }> {
  const sums = [...Object.keys(COLUMNS), 'total'].map((key) =>
    sql.raw<number>(`coalesce(sum(s."${key}"), 0)::bigint`).as(key),
  );
  const { rows, ...row } = await rowsOf(ctx, filter)
    .select(sums)
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  const value = can(ctx, 'erp:inv:cost') ? await worthOf(ctx, filter) : null;
  return { rows, sums: { ...(row as unknown as Record<string, number>), value } };
}

/** A page by SKU needs the balances of its first products only; other orders ask for all. */
function reachOf({ sort, order, currentpage, pagesize, filter }: PageRequest<StockFilter>): Reach | undefined {
  if ((sort !== undefined && sort !== 'product') || filter.hasStock === false || filter.asOf) return undefined;
  return { rows: currentpage * pagesize, order: sort === undefined ? 'asc' : (order ?? 'asc') };
}

/** What is looked up for the rows of a page or of a part of a file; plans and parts are known of now only. */
async function more(ctx: Ctx, { asOf }: StockFilter, rows: readonly StockRow[]): Promise<StockRow[]> {
  return asOf === undefined ? withPlanned(ctx, await withAssemblable(ctx, rows)) : [...rows];
}

/** One page of stock by product and warehouse with the sums over the filter. */
export async function stockPage(ctx: Ctx, request: PageRequest<StockFilter>): Promise<PageOf<StockRow>> {
  // The sums know the number of rows as well.
  let summed: ReturnType<typeof totals> | undefined;
  const once = () => {
    summed ??= totals(ctx, request.filter);
    return summed;
  };
  const found = await page(ctx, request, {
    ...listDef(ctx, request.filter, reachOf(request)),
    count: async () => (await once()).rows,
    totals: async () => (await once()).sums,
    asOf: async () => ctx.runtime.clock.now().toISOString(),
  });
  return { ...found, records: await more(ctx, request.filter, found.records) };
}

/** The same as a file. */
export function exportAll(open: OpenCtx, request: z.output<typeof exportStock.body>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: '库存报表',
    sheet: '库存报表',
    format: request.format,
    columns: exportColumns(ctx, StockRow, request.columns),
    rows: inChunks(streamed(ctx, request, listDef(ctx, request.filter)) as AsyncIterable<StockRow>, (rows) =>
      more(ctx, request.filter, rows),
    ),
    audit: { action: '导出库存报表', resource: 'warehouse.stock', filter: request.filter },
  }));
}
