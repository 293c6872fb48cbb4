import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { localProducts, productIdsBySku } from '#modules/product/server/index.ts';
import { availableOf, warehouses } from '#modules/warehouse/server/index.ts';
import { type PlanFilter, PlanRow, type PlanState } from '../../contract/plan.ts';

async function matching(ctx: Ctx, filter: PlanFilter) {
  let query = ctx.db.selectFrom('purchase.plan_line as p').where('p.company_id', '=', ctx.companyId);
  if (filter.state) query = query.where('p.state', '=', filter.state);
  if (filter.warehouse?.length) query = query.where('p.warehouse_id', 'in', filter.warehouse);
  if (filter.sku?.length) {
    const ids = [...(await productIdsBySku(ctx, filter.sku)).values()];
    query = ids.length === 0 ? query.where(sql<boolean>`false`) : query.where('p.product_id', 'in', ids);
  }
  return query;
}

const AWAITED = sql<number>`(SELECT coalesce(sum(l.open_qty), 0)::int FROM purchase.order_line AS l
    JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
   WHERE l.company_id = p.company_id AND l.product_id = p.product_id AND l.open_qty > 0 AND o.state = 'ordered'
     AND o.warehouse_id = p.warehouse_id)`;

const selected = async (ctx: Ctx, filter: PlanFilter) =>
  (await matching(ctx, filter))
    .leftJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 'p.company_id').onRef('s.id', '=', 'p.supplier_id'),
    )
    .leftJoin('purchase.purchase_order as o', (join) =>
      join.onRef('o.company_id', '=', 'p.company_id').onRef('o.id', '=', 'p.order_id'),
    )
    .leftJoin('purchase.process_order as w', (join) =>
      join.onRef('w.company_id', '=', 'p.company_id').onRef('w.id', '=', 'p.process_id'),
    )
    .leftJoin('purchase.requisition as r', (join) =>
      join.onRef('r.company_id', '=', 'p.company_id').onRef('r.id', '=', 'p.requisition_id'),
    )
    .select([
      'p.id',
      'p.product_id',
      'p.state',
      'p.warehouse_id',
      'p.qty',
      'p.need_by',
      'p.supplier_id',
      's.short_name as supplier',
      'p.remark',
      'p.order_id',
      sql<string | null>`coalesce(o.number, w.number)`.as('order'),
      'p.process_id',
      'p.requisition_id',
      'r.number as requisition',
      'p.created_by_name',
      'p.created_at',
      'p.version',
      AWAITED.as('awaited'),
    ]);
type DbRow = Awaited<ReturnType<Awaited<ReturnType<typeof selected>>['execute']>>[number];

async function rowsOf(ctx: Ctx, found: readonly DbRow[]): Promise<PlanRow[]> {
  const places = await warehouses(ctx);
  const ids = found.map((row) => row.product_id);
  const products = await localProducts(ctx, ids);
  const stock = new Map<string, Awaited<ReturnType<typeof availableOf>>>();
  for (const place of new Set(found.map((row) => row.warehouse_id))) {
    stock.set(place, await availableOf(ctx, place, ids));
  }
  return found.map((row) => ({
    id: row.id,
    product: products.get(row.product_id)?.cell ?? { name: '—', code: '—' },
    productId: row.product_id,
    state: row.state as PlanState,
    warehouse: places.get(row.warehouse_id)?.name ?? '',
    warehouseId: row.warehouse_id,
    available: stock.get(row.warehouse_id)?.get(row.product_id)?.available ?? 0,
    awaited: row.awaited,
    qty: row.qty,
    needBy: row.need_by,
    supplier: row.supplier,
    supplierId: row.supplier_id,
    remark: row.remark,
    order: row.order,
    orderId: row.order_id,
    processId: row.process_id,
    requisition: row.requisition,
    requisitionId: row.requisition_id,
    createdByName: row.created_by_name,
    createdAt: row.created_at,
    version: row.version,
  }));
}

/** One page of the plan, the newest first, with the stock and what is on its way. */
export async function planPage(ctx: Ctx, request: PageRequest<PlanFilter>): Promise<PageOf<PlanRow>> {
  const def: ListDef<DbRow, DbRow> = {
    row: PlanRow,
    query: listQuery(await selected(ctx, request.filter)),
    sort: { qty: 'p.qty', needBy: 'p.need_by', createdAt: 'p.created_at' },
    order: [['p.id', 'desc']],
    key: 'p.id',
  };
  const found = await page(ctx, request, def);
  return { ...found, records: await rowsOf(ctx, found.records) };
}

/** How many lines are in each state under the other filters; "all" is their sum. */
export async function planCounts(ctx: Ctx, { state: _, ...others }: PlanFilter): Promise<Record<string, number>> {
  return countsBy(await matching(ctx, others), 'p.state');
}
