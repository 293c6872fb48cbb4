import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { OrderPayments } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { requestForOrder } from './request.ts';

/** Orders by their numbers, with the SKUs of their lines; those that the caller may not see are missing. */
async function find(ctx: Ctx, numbers: readonly string[]) {
  const { rows } = await sql<{ number: string; id: string; supplierId: string; skus: string[] }>`
    SELECT o.number, o.id, o.supplier_id AS "supplierId", array_agg(DISTINCT p.sku) AS skus
      FROM purchase.purchase_order AS o
      JOIN purchase.order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id
      JOIN product.local_product AS p ON p.company_id = l.company_id AND p.id = l.product_id
     WHERE o.company_id = ${ctx.companyId} AND o.number = ANY (${[...numbers]}::text[])
     GROUP BY o.number, o.id, o.supplier_id`.execute(ctx.db);
  return new Map(rows.map(({ number, ...order }) => [number, order]));
}

/** What finance asks of orders that a file of payments names. */
export const namedOrders: OrderPayments = {
  type: purchaseOrder.name,
  find,
  ask: async (ctx, asking) => {
    await requestForOrder(ctx, asking);
  },
};
