import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { issuedValuesSelect } from '#modules/warehouse/server/index.ts';
import { COST } from '../../contract/freight/fields.ts';
import type { OrdersFilter } from '../../contract/report/fields.ts';
import { orderConditions, SENT } from './orders.ts';

const NOTHING = sql`SELECT NULL::uuid AS line_id, NULL::numeric AS value WHERE false`;

/**
 * SELECT of (line_id, value): what was sent of each line of the orders of a filter cost, CNY, by the layers that its dispatch
 * took from, as month ends have corrected them. The last dispatch counts, as one that was taken back is not a dispatch. Of
 * orders that moved none of our stock nothing is known; who may not see costs gets none.
 */
export function worthOf(ctx: Ctx, filter: OrdersFilter): RawBuilder<unknown> {
  if (!can(ctx, COST)) return NOTHING;
  return sql`
    WITH left_by AS MATERIALIZED (
      SELECT DISTINCT ON (e.order_id) e.posting_id, e.lines
        FROM shipping.ship_order AS o
        JOIN shipping.ship_order_event AS e ON e.company_id = o.company_id AND e.order_id = o.id AND e.event = 'ship'
       WHERE ${orderConditions(ctx, filter)} AND o.state IN ${SENT} AND o.stock_mode <> 'PLATFORM'
       ORDER BY e.order_id, e.seq DESC)
    SELECT p.line_id, sum(v.amount) AS value
      FROM left_by AS d
     CROSS JOIN LATERAL jsonb_array_elements(d.lines) WITH ORDINALITY AS m (noted, no)
      JOIN (${issuedValuesSelect(sql`SELECT posting_id FROM left_by`)}) AS v ON v.posting_id = d.posting_id AND v.move_no = m.no
      JOIN shipping.ship_order_part AS p ON p.company_id = ${ctx.companyId} AND p.id = (m.noted ->> 'part')::uuid
     GROUP BY p.line_id`;
}
