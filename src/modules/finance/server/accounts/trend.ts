import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { purposeTitle } from '../words.ts';

const MAX_DAYS = 400;

interface Asked {
  id: string;
  from: string;
  to: string;
}

/**
 * Closing balance, income and outgo of an account for every day from `from` to `to` (the company's days), in its currency, and what
 * they were for; moves between accounts are no use of it. @throws notFound, refused B0917 beyond 400 days
 */
export async function trend(ctx: Ctx, { id, from, to }: Asked) {
  const account = await ctx.db
    .selectFrom('finance.cash_account')
    .select('currency')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!account) throw notFound('账户不存在或已删除');
  const span = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (span < 0 || span > MAX_DAYS) throw refused(`请选择 ${MAX_DAYS} 天以内的日期范围`, 'B0917');
  const days = await sql<{ day: string; income: string; outgo: string; balance: string }>`
    WITH moved AS (
      SELECT greatest(business_date, ${from}::date - 1) AS day,
             sum(amount) AS amount, coalesce(sum(amount) FILTER (WHERE amount > 0), 0) AS income,
             coalesce(-sum(amount) FILTER (WHERE amount < 0), 0) AS outgo
        FROM finance.entry
       WHERE company_id = ${ctx.companyId} AND book = 'ACCOUNT' AND item_id = ${id} AND business_date <= ${to}::date
       GROUP BY 1
    ), closing AS (
      SELECT d::date AS day, coalesce(m.income, 0) AS income, coalesce(m.outgo, 0) AS outgo,
             sum(coalesce(m.amount, 0)) OVER (ORDER BY d) AS balance
        FROM generate_series(${from}::date - 1, ${to}::date, '1 day') AS d LEFT JOIN moved AS m ON m.day = d::date
    )
    SELECT day, income::text AS income, outgo::text AS outgo, balance::text AS balance
      FROM closing WHERE day >= ${from}::date ORDER BY day`.execute(ctx.db);
  const uses = await sql<{ category: string | null; purpose: string; direction: 'IN' | 'OUT'; amount: string }>`
    SELECT c.name AS category, e.purpose, CASE WHEN e.amount > 0 THEN 'IN' ELSE 'OUT' END AS direction,
           sum(abs(e.amount))::text AS amount
      FROM finance.entry AS e
      LEFT JOIN finance.category AS c ON c.company_id = e.company_id AND c.id = e.category_id
     WHERE e.company_id = ${ctx.companyId} AND e.book = 'ACCOUNT' AND e.item_id = ${id}
       AND e.business_date BETWEEN ${from}::date AND ${to}::date AND e.purpose NOT IN ('TRANSFER', 'OPENING')
     GROUP BY 1, 2, 3 ORDER BY sum(abs(e.amount)) DESC LIMIT 50`.execute(ctx.db);
  return {
    currency: account.currency,
    days: days.rows,
    projects: uses.rows.map(({ category, purpose, direction, amount }) => ({
      project: category ?? purposeTitle(purpose),
      direction,
      amount,
    })),
  };
}
