import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { Period, ScoredSource, SuppliersLine } from '#modules/supplier/server/index.ts';

/** Lines `l` of orders `o` whose first promise fell into the period and is not still ahead. */
const due = (ctx: Ctx, { from, to }: Period) => sql`
  o.company_id = ${ctx.companyId} AND o.state IN ('ordered', 'closed')
  AND NOT l.gift AND l.qty > l.cancelled AND l.promised_on BETWEEN ${from}::date AND ${to}::date
  AND (l.open_qty = 0 OR l.promised_on < kit.today())`;

/**
 * Facts of suppliers' scores. In time is what came good by the day after the promise; the price is compared with the mean
 * of the year before the order, in its currency, whoever supplied it then. Days of a receipt count from the day of
 * placing, in days of the company.
 */
async function lines(
  ctx: Ctx,
  { supplierIds, ...period }: Period & { supplierIds: readonly string[] },
): Promise<readonly SuppliersLine[]> {
  const { rows } = await unscoped(ctx, () =>
    sql<SuppliersLine>`
      SELECT o.supplier_id AS "supplierId", l.qty - l.cancelled AS qty, coalesce(r.good, 0)::int AS "acceptedInTime",
             l.received, l.rejected AS defective, l.unit_price::text AS "unitPrice",
             (SELECT round(avg(b.unit_price), 6)::text FROM purchase.order_line AS b
                JOIN purchase.purchase_order AS p ON p.company_id = b.company_id AND p.id = b.order_id
               WHERE b.company_id = l.company_id AND b.product_id = l.product_id AND NOT b.gift AND p.currency = o.currency
                 AND p.state <> 'void' AND p.placed_at < o.placed_at AND p.placed_at >= o.placed_at - interval '1 year'
             ) AS "comparedPrice",
             coalesce(r.receipts, '[]'::jsonb) AS receipts
        FROM purchase.purchase_order AS o
        JOIN purchase.order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id
        LEFT JOIN LATERAL (
          SELECT sum(c.qty - c.rejected) FILTER (WHERE t.received_on <= l.promised_on + 1) AS good,
                 jsonb_agg(jsonb_build_object('qty', c.qty,
                   'days', t.received_on - kit.day(o.placed_at))) AS receipts
            FROM purchase.receipt_line AS c
            JOIN purchase.receipt AS t ON t.company_id = c.company_id AND t.id = c.receipt_id AND t.state <> 'reversed'
           WHERE c.company_id = l.company_id AND c.order_line_id = l.id) AS r ON true
       WHERE o.supplier_id = ANY (${supplierIds}::uuid[]) AND ${due(ctx, period)}
       ORDER BY l.id`.execute(ctx.db),
  );
  return rows;
}

async function suppliers(ctx: Ctx, period: Period): Promise<readonly string[]> {
  const { rows } = await unscoped(ctx, () =>
    sql<{ id: string }>`
      SELECT DISTINCT o.supplier_id AS id
        FROM purchase.order_line AS l
        JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
       WHERE l.company_id = ${ctx.companyId} AND ${due(ctx, period)}`.execute(ctx.db),
  );
  return rows.map(({ id }) => id);
}

/** What purchasing knows of its suppliers. */
export const scoredSource: ScoredSource = { lines, suppliers };
