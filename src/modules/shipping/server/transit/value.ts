import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { transitCosts } from '#modules/warehouse/server/index.ts';
import { COST } from '../../contract/claim/claim.ts';

interface Rest {
  order: string;
  warehouse: string;
  product: string;
  qty: number;
}

/**
 * What the pieces of orders that are still on their way are worth, CNY with two decimals, by order: at the average cost of
 * what is on its way to the same stock. Orders that moved nothing of ours are left out. Empty for whoever may not see cost.
 */
export async function awayValues(ctx: Ctx, orders?: readonly string[]): Promise<Map<string, string>> {
  if (!can(ctx, COST)) return new Map();
  const narrowed = orders ? sql`AND l.order_id = ANY (${[...orders]}::uuid[])` : sql``;
  const { rows } = await sql<Rest>`
    SELECT o.id AS order, o.to_warehouse_id AS warehouse, p.product_id AS product,
           sum((l.shipped_qty - l.received_qty - l.lost_qty) * p.qty_per)::int AS qty
      FROM shipping.ship_order_line AS l
      JOIN shipping.ship_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
      JOIN shipping.ship_order_part AS p ON p.company_id = l.company_id AND p.line_id = l.id
     WHERE l.company_id = ${ctx.companyId} AND l.shipped_qty > l.received_qty + l.lost_qty
       AND o.to_warehouse_id IS NOT NULL ${narrowed} GROUP BY 1, 2, 3`.execute(ctx.db);
  // Amazon's stock may be out of the caller's data rights; what he sent there is not.
  const units = await unscoped(ctx, () => transitCosts(ctx, rows));
  const sums = new Map<string, Decimal>();
  for (const { order, warehouse, product, qty } of rows) {
    const value = new Decimal(units.get(`${warehouse}:${product}`) ?? 0).times(qty);
    sums.set(order, (sums.get(order) ?? new Decimal(0)).plus(value));
  }
  return new Map([...sums].map(([order, value]) => [order, value.toFixed(2)]));
}
