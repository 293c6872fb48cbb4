import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Facts, factsOf, type GoodsFilter } from './base.ts';

/**
 * Rows of the newest report of each stock; of the days asked for where the filter names some. A report that is taken over is
 * told in inventory.fact_day, also one without rows: it says that nothing is left.
 */
export function newestOf(ctx: Ctx, table: string, reportType: string, filter: GoodsFilter): Facts {
  const query = factsOf(ctx, table, filter);
  if (filter.dates?.from || filter.dates?.to) return query;
  const told = sql`(
    SELECT n.account_id, n.stock, max(n.day) AS day FROM inventory.fact_day AS n
     WHERE n.company_id = ${ctx.companyId} AND n.report_type = ${reportType} GROUP BY n.account_id, n.stock)`;
  // The oldest of those days first, known before a row is read: the index then leaves the years before it alone, while the days of
  // each stock are compared with all that is read.
  return query
    .where(sql<boolean>`f.day >= (SELECT min(t.day) FROM ${told} AS t)`)
    .where(
      sql<boolean>`EXISTS (SELECT FROM ${told} AS t WHERE t.account_id = f.account_id AND t.stock = f.stock AND f.day >= t.day)`,
    );
}
