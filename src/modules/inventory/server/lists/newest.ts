import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Facts, factsOf, type GoodsFilter } from './base.ts';

/** Rows of the newest report of each stock; of the days asked for where the filter names some. */
export function newestOf(ctx: Ctx, table: string, reportType: string, filter: GoodsFilter): Facts {
  const query = factsOf(ctx, table, filter);
  if (filter.dates?.from || filter.dates?.to) return query;
  // By the days that were told: a newer report without rows says that nothing is left.
  return query.where(
    sql<boolean>`f.day >= (SELECT coalesce(max(n.day), f.day) FROM inventory.fact_day AS n
       WHERE n.company_id = ${ctx.companyId} AND n.account_id = f.account_id AND n.stock = f.stock
         AND n.report_type = ${reportType})`,
  );
}
