import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** An order by which products were bought: what an invoice shows, prices left out. */
export interface PurchaseProof {
  id: string;
  number: string;
  supplier: string;
  /** The company's day. */
  placedOn: string;
  lines: { product: string; qty: number; received: number }[];
}

/** Orders of each product that are enough to show where it comes from. */
const EACH = 3;

/**
 * The last orders by which products were bought and that had brought some of them, placed up to a day; the newest first.
 * Only what the caller may see.
 */
export async function purchaseProofs(ctx: Ctx, products: readonly string[], until: string): Promise<PurchaseProof[]> {
  const { rows } = await sql<PurchaseProof>`
    WITH bought AS (
      SELECT p.product, x.order_id, x.qty, x.received FROM unnest(${[...new Set(products)]}::uuid[]) AS p (product)
      CROSS JOIN LATERAL (
        SELECT l.order_id, sum(l.qty)::int AS qty, sum(l.received)::int AS received, o.placed_at
          FROM purchase.order_line AS l
          JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
         WHERE l.company_id = ${ctx.companyId} AND l.product_id = p.product AND l.received > 0
           AND o.state IN ('ordered', 'closed') AND kit.day(o.placed_at) <= ${until}::date
         GROUP BY l.order_id, o.placed_at ORDER BY o.placed_at DESC LIMIT ${EACH}) AS x)
    SELECT o.id, o.number, coalesce(nullif(s.full_name, ''), s.short_name) AS supplier, kit.day(o.placed_at) AS "placedOn",
           jsonb_agg(jsonb_build_object('product', b.product, 'qty', b.qty, 'received', b.received) ORDER BY b.product) AS lines
      FROM bought AS b
      JOIN purchase.purchase_order AS o ON o.company_id = ${ctx.companyId} AND o.id = b.order_id
      JOIN supplier.supplier AS s ON s.company_id = o.company_id AND s.id = o.supplier_id
     GROUP BY o.id, o.number, 3, o.placed_at ORDER BY o.placed_at DESC, o.id`.execute(ctx.db);
  return rows;
}
