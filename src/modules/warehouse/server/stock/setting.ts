import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { PeriodRow, StockSetting } from '../../contract/costs.ts';

const DEFAULTS: StockSetting = { fifoBy: 'DATE', backdateDays: 3, shelfLifeDays: 105 };

/** How the company keeps its stock; a company that never said so keeps it by the defaults. */
export async function stockSetting(ctx: Ctx): Promise<StockSetting> {
  const row = await ctx.db
    .selectFrom('warehouse.setting')
    .select(['fifo_by as fifoBy', 'backdate_days as backdateDays', 'shelf_life_days as shelfLifeDays'])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ? { ...row, fifoBy: row.fifoBy as StockSetting['fifoBy'] } : DEFAULTS;
}

export async function saveSetting(ctx: Ctx, setting: StockSetting): Promise<StockSetting> {
  const before = await stockSetting(ctx);
  const values = {
    fifo_by: setting.fifoBy,
    backdate_days: setting.backdateDays,
    shelf_life_days: setting.shelfLifeDays,
  };
  await ctx.db
    .insertInto('warehouse.setting')
    .values({ company_id: ctx.companyId, ...values })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(values))
    .execute();
  await audit(ctx, { action: '修改库存设置', resource: 'warehouse.setting', before, after: setting });
  return setting;
}

/** Months from the first posting to this one, the newest first; a month that nobody closed is open. */
export async function periods(ctx: Ctx): Promise<PeriodRow[]> {
  const { rows } = await unscoped(ctx, () =>
    sql<PeriodRow>`
      WITH posted AS (
        SELECT date_trunc('month', business_date)::date AS month, count(*)::int AS n FROM warehouse.stock_posting
         WHERE company_id = ${ctx.companyId} GROUP BY 1
      )
      SELECT to_char(m, 'YYYY-MM') AS month, coalesce(p.state, 'OPEN') AS state, coalesce(o.n, 0) AS postings,
             coalesce(p.changed_by_name, '') AS "changedBy", p.changed_at AS "changedAt",
             m + interval '1 month' <= warehouse.today() AS over
        FROM generate_series((SELECT min(month) FROM posted), date_trunc('month', warehouse.today()), interval '1 month') AS m
        LEFT JOIN posted AS o ON o.month = m::date
        LEFT JOIN warehouse.inventory_period AS p ON p.company_id = ${ctx.companyId} AND p.month = m::date
       ORDER BY m DESC`.execute(ctx.db),
  );
  return rows;
}
