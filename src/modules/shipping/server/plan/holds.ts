import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Planned, PlannedQuery } from '#modules/warehouse/server/index.ts';
import { shipOrder } from '../../contract/order.ts';

/**
 * Pieces that ship orders want and the ledger does not hold yet: those of a plan that was handed in, as long as their order
 * is a draft, and those of any order that waits for approval.
 */
export async function shipHolds(ctx: Ctx, { products, warehouses, since }: PlannedQuery): Promise<Planned[]> {
  const { rows } = await sql<Omit<Planned, 'kind' | 'path' | 'since'> & { since: string }>`
    SELECT p.product_id AS product, o.warehouse_id AS warehouse, sum(l.qty * p.qty_per)::int AS qty, o.id, o.number,
           x.since
      FROM shipping.ship_order AS o
      CROSS JOIN LATERAL (
        SELECT CASE WHEN o.state = 'pending' THEN o.updated_at
                 ELSE (SELECT max(i.submitted_at) FROM shipping.plan_item AS i
                        WHERE i.company_id = o.company_id AND i.order_id = o.id) END AS since) AS x
      JOIN shipping.ship_order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id
      JOIN shipping.ship_order_part AS p ON p.company_id = l.company_id AND p.line_id = l.id
     WHERE o.company_id = ${ctx.companyId} AND o.state IN ('draft', 'pending') AND o.stock_mode <> 'PLATFORM'
       AND x.since >= ${since.toISOString()} AND o.warehouse_id = ANY (${[...new Set(warehouses)]}::uuid[])
       AND p.product_id = ANY (${[...new Set(products)]}::uuid[])
     GROUP BY p.product_id, o.warehouse_id, o.company_id, o.id, o.number, x.since`.execute(ctx.db);
  return rows.map((row) => ({
    ...row,
    kind: '发货单',
    path: `${shipOrder.detail}?id=${row.id}`,
    since: new Date(row.since),
  }));
}
