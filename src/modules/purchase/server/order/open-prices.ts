import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/**
 * SELECT of what a piece costs that is ordered and has not come, CNY by the rate of its order, share of freight and fees
 * included: the mean over the open lines of a product for a warehouse, else over the lines of its last order.
 */
export function openPricesSelect({
  companyId,
}: Pick<Ctx, 'companyId'>): RawBuilder<{ product_id: string; warehouse_id: string; unit: string }> {
  return sql`
    SELECT l.product_id, o.warehouse_id,
           coalesce(sum((l.amount + l.charge) * o.rate * l.open_qty / l.qty) FILTER (WHERE l.open_qty > 0)
               / nullif(sum(l.open_qty) FILTER (WHERE l.open_qty > 0), 0),
             sum((l.amount + l.charge) * o.rate) / sum(l.qty)) AS unit
      FROM purchase.order_line AS l
      JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
       AND o.state IN ('ordered', 'closed') AND o.rate IS NOT NULL
     WHERE l.company_id = ${companyId} AND NOT l.gift
     GROUP BY 1, 2`;
}
