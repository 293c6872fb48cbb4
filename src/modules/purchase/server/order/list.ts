import { sql } from 'kysely';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type DownloadSpec, download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { productIdsBySku } from '#modules/product/server/index.ts';
import { type Warehouse, warehouses } from '#modules/warehouse/server/index.ts';
import type { OrderType } from '../../contract/fields.ts';
import { type OrderFilter, OrderRow, type OrderStage } from '../../contract/order.ts';
import { termOf } from '../../contract/oversea.ts';
import { withFirstProduct } from '../first-product.ts';
import { asTotals, keptByDay, type OrderSums, stageCounts, sumsOf } from './sums.ts';

const CREATED = sql<string>`o.made_on`;
const LATE = sql<boolean>`(o.state = 'ordered' AND o.open_qty > 0 AND o.expected_on < kit.today())`;

async function matching(ctx: Ctx, filter: OrderFilter) {
  let query = ctx.db.selectFrom('purchase.purchase_order as o').where('o.company_id', '=', ctx.companyId);
  if (filter.stage?.length) query = query.where('o.stage', 'in', filter.stage);
  if (filter.supplier?.length) query = query.where('o.supplier_id', 'in', filter.supplier);
  if (filter.warehouse?.length) query = query.where('o.warehouse_id', 'in', filter.warehouse);
  if (filter.type) query = query.where('o.type', '=', filter.type);
  if (filter.buyer) query = query.where('o.created_by_name', 'ilike', containing(filter.buyer));
  if (filter.created?.from) query = query.where(CREATED, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(CREATED, '<=', filter.created.to);
  if (filter.expected?.from) query = query.where('o.expected_on', '>=', filter.expected.from);
  if (filter.expected?.to) query = query.where('o.expected_on', '<=', filter.expected.to);
  if (filter.late) query = query.where(LATE);
  const words = filter.keyword ?? [];
  if (words.length > 0) {
    const products = [...(await productIdsBySku(ctx, words)).values()];
    const numbers = words.map((word) => containing(word));
    query = query.where((eb) =>
      eb.or([
        sql<boolean>`o.number ILIKE ANY (${numbers}::text[])`,
        ...(products.length === 0
          ? []
          : [
              eb.exists(
                eb
                  .selectFrom('purchase.order_line as l')
                  .select('l.id')
                  .whereRef('l.company_id', '=', 'o.company_id')
                  .whereRef('l.order_id', '=', 'o.id')
                  .where('l.product_id', 'in', products),
              ),
            ]),
      ]),
    );
  }
  return query;
}

// Sums and counts read no supplier: only rows that are shown have his name.
const selected = async (ctx: Ctx, filter: OrderFilter) =>
  (await matching(ctx, filter))
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'o.company_id').onRef('s.id', '=', 'o.supplier_id'),
    )
    .select([
      'o.id',
      'o.number',
      'o.state',
      'o.stage',
      'o.type',
      'o.version',
      'o.warehouse_id',
      'o.supplier_id',
      's.short_name as supplier',
      'o.qty',
      'o.sku_count',
      'o.open_qty',
      'o.received_qty',
      'o.returned_qty',
      'o.amount',
      'o.due_amount',
      'o.paid_amount',
      'o.currency',
      'o.expected_on',
      'o.overseas',
      'o.incoterm',
      'o.incoterm_place',
      'o.created_by_name',
      'o.created_at',
      'o.approved_by_name',
      'o.approved_at',
      'o.placed_at',
      'o.closed_at',
      'o.remark',
      'o.first_product_id',
      LATE.as('late'),
    ]);
type DbRow = Awaited<ReturnType<Awaited<ReturnType<typeof selected>>['execute']>>[number];

function shareOf(part: string | number, whole: string | number): string | null {
  const share = ratio(part, whole);
  return share === null ? null : Decimal.min(share, 1).toDecimalPlaces(4).toFixed();
}

function toRow(
  row: DbRow,
  places: ReadonlyMap<string, Pick<Warehouse, 'name'>>,
): Omit<OrderRow, 'product'> & { product: null; productId: string | null; more: number } {
  return {
    id: row.id,
    number: row.number,
    product: null,
    productId: row.first_product_id,
    more: row.sku_count - 1,
    stage: row.stage as OrderStage,
    state: row.state,
    type: row.type as OrderType,
    supplier: row.supplier,
    supplierId: row.supplier_id,
    warehouse: places.get(row.warehouse_id)?.name ?? '',
    warehouseId: row.warehouse_id,
    qty: row.qty,
    skuCount: row.sku_count,
    amount: row.amount,
    receivedQty: row.received_qty,
    returnedQty: row.returned_qty,
    openQty: row.state === 'ordered' ? row.open_qty : 0,
    receivedShare: shareOf(row.received_qty, row.qty) ?? '0',
    dueAmount: row.due_amount,
    paidAmount: row.paid_amount,
    paidShare: shareOf(row.paid_amount, row.amount),
    currency: row.currency,
    expectedOn: row.expected_on,
    late: row.late,
    overseas: row.overseas,
    incoterm: termOf(row.incoterm, row.incoterm_place),
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    approvedByName: row.approved_by_name,
    approvedAt: row.approved_at,
    placedAt: row.placed_at,
    closedAt: row.closed_at,
    remark: row.remark,
    version: row.version,
  };
}
type ListRow = ReturnType<typeof toRow>;

async function listDef(ctx: Ctx, filter: OrderFilter): Promise<ListDef<DbRow, ListRow>> {
  const places = await warehouses(ctx);
  let added: Promise<OrderSums[]> | undefined;
  const sums = () => {
    added ??= sumsOf(ctx, filter, () => matching(ctx, filter));
    return added;
  };
  return {
    row: OrderRow,
    query: listQuery(await selected(ctx, filter)),
    sort: {
      number: 'o.number',
      supplier: 's.short_name',
      qty: 'o.qty',
      amount: 'o.amount',
      expectedOn: 'o.expected_on',
      createdAt: 'o.created_at',
    },
    order: [['o.id', 'desc']],
    key: 'o.id',
    map: (row) => toRow(row, places),
    count: async () => (await sums()).reduce((total, row) => total + row.orders, 0),
    totals: async () => asTotals(ctx, await sums()),
  };
}

/** One page of orders, the newest first. */
export async function orderPage(ctx: Ctx, request: PageRequest<OrderFilter>): Promise<PageOf<OrderRow>> {
  const found = await page(ctx, request, await listDef(ctx, request.filter));
  return { ...found, records: await withFirstProduct(ctx, found.records) };
}

/** How many orders are in each stage under the other filters; "all" is their sum. */
export async function orderCounts(ctx: Ctx, { stage: _, ...others }: OrderFilter): Promise<Record<string, number>> {
  return keptByDay(others) ? stageCounts(ctx, others) : countsBy(await matching(ctx, others), 'o.stage');
}

/** All orders of the filter as a file. */
export function exportOrders(open: OpenCtx, body: ExportRequest<OrderFilter>): Promise<FileReply> {
  return download(
    open,
    async (ctx): Promise<DownloadSpec> => ({
      name: `采购单-${ctx.clock.today()}`,
      sheet: '采购单',
      format: body.format,
      columns: exportColumns(ctx, OrderRow, body.columns).filter((column) => column.key !== 'product'),
      rows: streamed(ctx, body, await listDef(ctx, body.filter)),
      audit: { action: '导出采购单', resource: 'purchase.order', filter: body.filter },
    }),
  );
}

/** One order as its list shows it. */
export async function orderRow(ctx: Ctx, id: string): Promise<OrderRow | undefined> {
  const found = await (await selected(ctx, {})).where('o.id', '=', id).executeTakeFirst();
  if (!found) return undefined;
  const [row] = await withFirstProduct(ctx, [toRow(found, await warehouses(ctx))]);
  return row;
}
