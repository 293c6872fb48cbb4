import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { Valuation } from '../../contract/costs.ts';
import { closeGate } from './gate.ts';

export interface ValuationState {
  /** The method chosen last. */
  chosen: Valuation;
  /** The one that postings of today use. */
  now: Valuation;
  /** yyyy-MM-dd: from when the chosen one holds, where it does not yet. */
  from: string | null;
}

/** By which method the company values its stock. Without a word of its own: first in, first out. */
export async function valuationOf(ctx: Ctx): Promise<ValuationState> {
  const { rows } = await sql<ValuationState>`
    SELECT coalesce(next_valuation, valuation) AS chosen,
           CASE WHEN next_from <= warehouse.today() THEN next_valuation ELSE valuation END AS now,
           CASE WHEN next_from > warehouse.today() THEN next_from END AS "from"
      FROM warehouse.setting WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0] ?? { chosen: 'FIFO', now: 'FIFO', from: null };
}

/**
 * Refuses to forget that the months before the method in force were to be priced at their end.
 * @throws refused B0814 with the month that is still to be closed
 */
async function requirePriced(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ month: string }>`
    SELECT to_char(m.month, 'YYYY-MM') AS month FROM warehouse.setting AS s
     CROSS JOIN LATERAL (SELECT (s.next_from - interval '1 month')::date AS month) AS m
     WHERE s.company_id = ${ctx.companyId} AND s.valuation = 'MONTHLY' AND s.next_from <= warehouse.today()
       AND NOT EXISTS (SELECT FROM warehouse.inventory_period AS p
         WHERE p.company_id = s.company_id AND p.month = m.month AND p.state = 'CLOSED')`.execute(ctx.db);
  const open = rows[0]?.month;
  if (open) throw refused(`请先关闭 ${open} 的账期，再更改计价方法`, 'B0814');
}

/**
 * Chooses the method. It changes only at the beginning of a period: at once where nothing was posted this month, else on
 * the first of the next. What was issued before keeps its cost. Choosing the method in use takes a planned change back.
 */
export async function chooseValuation(ctx: Ctx, chosen: Valuation): Promise<void> {
  await closeGate(ctx);
  const { now } = await valuationOf(ctx);
  if (now !== 'MONTHLY') await requirePriced(ctx);
  const change = chosen === now ? sql`NULL` : sql`${chosen}`;
  const from = sql`
    CASE WHEN ${chosen === now} THEN NULL
         WHEN EXISTS (SELECT FROM warehouse.stock_posting WHERE company_id = ${ctx.companyId}
                         AND business_date >= date_trunc('month', warehouse.today())::date)
         THEN (date_trunc('month', warehouse.today()) + interval '1 month')::date
         ELSE date_trunc('month', warehouse.today())::date END`;
  await sql`
    INSERT INTO warehouse.setting (company_id, valuation, next_valuation, next_from)
    VALUES (${ctx.companyId}, ${now}, ${change}, ${from})
    ON CONFLICT (company_id) DO UPDATE
       SET valuation = excluded.valuation, next_valuation = excluded.next_valuation, next_from = excluded.next_from`.execute(
    ctx.db,
  );
}
