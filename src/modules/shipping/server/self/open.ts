import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { LEFT_OF_LINE, packageCounts } from '#modules/order/server/index.ts';

/**
 * What documents take of line `l` of an order before the platform knows of it: whole pieces. Those whose package was
 * reported are the order's own business from then on. `except`: a document that is left out.
 */
const taken = (except: string | null) => sql<number>`coalesce((
  SELECT sum(dl.qty) FROM shipping.self_line dl
    JOIN shipping.self_order so ON so.company_id = dl.company_id AND so.doc_id = dl.doc_id
     AND so.selling_partner_id = dl.selling_partner_id AND so.amazon_order_id = dl.amazon_order_id AND NOT so.over
   WHERE dl.company_id = l.company_id AND dl.selling_partner_id = l.selling_partner_id
     AND dl.amazon_order_id = l.amazon_order_id AND dl.order_item_id = l.order_item_id
     AND dl.doc_id IS DISTINCT FROM ${except}::uuid
     AND NOT ${packageCounts(sql.ref('so.company_id'), sql.ref('so.write_id'))}), 0)::int`;

/** What of line `l` can still go into a document, from 0; `left`: what of it is to be sent at all. */
export const openOfLine = (except: string | null = null, left = LEFT_OF_LINE) =>
  sql<number>`greatest(0, ${left} - ${taken(except)})`;

export interface OpenOrderLine {
  sellingPartnerId: string;
  orderId: string;
  orderItemId: string;
  msku: string;
  asin: string | null;
  open: number;
}

/**
 * The lines of orders with what can still be sent of each; read for the whole company, because pieces that a document of
 * another warehouse takes are taken all the same. Whoever decides by it has locked the orders.
 */
export async function openOf(
  ctx: Ctx,
  orders: readonly { sellingPartnerId: string; orderId: string }[],
  except: string | null = null,
  left = LEFT_OF_LINE,
): Promise<OpenOrderLine[]> {
  if (orders.length === 0) return [];
  const keys = orders.map(({ sellingPartnerId, orderId }) => ({ seller: sellingPartnerId, number: orderId }));
  const { rows } = await unscoped(ctx, () =>
    sql<OpenOrderLine>`
      SELECT l.selling_partner_id AS "sellingPartnerId", l.amazon_order_id AS "orderId",
             l.order_item_id AS "orderItemId", l.seller_sku AS msku, l.asin, ${openOfLine(except, left)} AS open
        FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k(seller text, number text)
        JOIN "order".amazon_order_line l ON l.company_id = ${ctx.companyId} AND l.selling_partner_id = k.seller
         AND l.amazon_order_id = k.number
       WHERE l.superseded_by IS NULL AND l.order_item_id IS NOT NULL
       ORDER BY l.amazon_order_id, l.item_key`.execute(ctx.db),
  );
  return rows;
}
