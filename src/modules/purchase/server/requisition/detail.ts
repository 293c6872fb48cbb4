import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { type RequisitionLineRow, requisition } from '../../contract/requisition.ts';
import { requisitionRow } from './list.ts';

type DbLine = Omit<RequisitionLineRow, 'product' | 'warehouse'> & { productId: string; warehouseId: string };

/** Lines in warehouses that the caller may see. Prices and amounts in the line's currency. */
async function linesOf(ctx: Ctx, id: string): Promise<RequisitionLineRow[]> {
  const { rows } = await sql<DbLine>`
    SELECT l.id, l.way, l.product_id AS "productId", l.warehouse_id AS "warehouseId", s.short_name AS supplier, l.qty,
           l.unit_price::text AS "unitPrice", l.amount::text AS amount, l.currency, l.need_by AS "needBy",
           l.used_for AS "usedFor", coalesce(o.number, w.number) AS result, l.order_id AS "orderId", l.process_id AS "processId"
      FROM purchase.requisition_line AS l
      LEFT JOIN supplier.supplier AS s ON s.company_id = l.company_id AND s.id = l.supplier_id
      LEFT JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
      LEFT JOIN purchase.process_order AS w ON w.company_id = l.company_id AND w.id = l.process_id
     WHERE l.company_id = ${ctx.companyId} AND l.requisition_id = ${id} ORDER BY l.line_no`.execute(ctx.db);
  const places = await warehouses(ctx);
  const products = await localProducts(
    ctx,
    rows.map((row) => row.productId),
  );
  return rows.map(({ productId, warehouseId, ...row }) => ({
    ...row,
    product: products.get(productId)?.cell ?? { name: '—', code: '—' },
    warehouse: places.get(warehouseId)?.name ?? '',
  }));
}

/** Everything that the page of a plan shows. @throws notFound */
export async function requisitionDetail(ctx: Ctx, id: string) {
  const plan = await requisitionRow(ctx, id);
  if (!plan) throw notFound();
  const codes = Object.values(requisition.transitions).map((rule) => rule.permission);
  return {
    plan,
    lines: await linesOf(ctx, id),
    actions: actionsOf(requisition, plan.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, requisition.name, id),
  };
}
