import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** SELECT of what our own ship orders have on their way to Amazon, by SKU: sent, not received and not given up. */
export function sentToAmazonSelect({
  companyId,
}: Pick<Ctx, 'companyId'>): RawBuilder<{ account_id: string; marketplace_id: string; msku: string; qty: number }> {
  return sql`
    SELECT o.account_id, o.marketplace_id, l.msku, sum(l.shipped_qty - l.received_qty - l.lost_qty)::int AS qty
      FROM shipping.ship_order_line AS l
      JOIN shipping.ship_order AS o ON o.company_id = l.company_id AND o.id = l.order_id AND o.shipped_at IS NOT NULL
       AND o.state IN ('shipped', 'receiving') AND o.stock_mode <> 'PLATFORM'
     WHERE l.company_id = ${companyId} AND l.shipped_qty > l.received_qty + l.lost_qty
     GROUP BY 1, 2, 3`;
}
