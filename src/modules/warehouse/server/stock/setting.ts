import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { PeriodRow, StockSetting, StockSettingNow } from '../../contract/costs.ts';
import { chooseValuation, valuationOf } from '../ledger/valuation.ts';

const DEFAULTS = { fifoBy: 'DATE', backdateDays: 3, shelfLifeDays: 105 } as const;

/** How the company keeps its stock; a company that never said so keeps it by the defaults. */
export async function stockSetting(ctx: Ctx): Promise<StockSettingNow> {
  const row = await ctx.db
    .selectFrom('warehouse.setting')
    .select(['fifo_by as fifoBy', 'backdate_days as backdateDays', 'shelf_life_days as shelfLifeDays'])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const { chosen, now, from } = await valuationOf(ctx);
  const kept = row ? { ...row, fifoBy: row.fifoBy as StockSetting['fifoBy'] } : DEFAULTS;
  return { valuation: chosen, ...kept, valuationNow: now, valuationFrom: from };
}

/** Keeps the setting; another method of valuation waits for the beginning of a period. */
export async function saveSetting(ctx: Ctx, setting: StockSetting): Promise<StockSettingNow> {
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
  if (setting.valuation !== before.valuation) await chooseValuation(ctx, setting.valuation);
  const after = await stockSetting(ctx);
  await audit(ctx, { action: '修改库存设置', resource: 'warehouse.setting', before, after });
  return after;
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
             coalesce(p.valuation, CASE WHEN s.next_from <= m::date THEN s.next_valuation ELSE s.valuation END, 'FIFO') AS valuation,
             (SELECT sum(c.amount)::text FROM warehouse.issue_cost AS c
               WHERE c.company_id = ${ctx.companyId} AND c.month = m::date AND c.kind = 'OUT') AS restated,
             coalesce(p.changed_by_name, '') AS "changedBy", p.changed_at AS "changedAt",
             m + interval '1 month' <= warehouse.today() AS over,
             CASE WHEN t.state IN ('queued', 'running', 'failed', 'cancelled') THEN jsonb_build_object('id', t.id,
               'state', t.state, 'progress', t.progress, 'detail', t.detail, 'error', t.error, 'userName', t.created_by_name,
               'mine', t.created_by = ${ctx.userId}::uuid IS TRUE) END AS task
        FROM generate_series((SELECT min(month) FROM posted), date_trunc('month', warehouse.today()), interval '1 month') AS m
        LEFT JOIN posted AS o ON o.month = m::date
        LEFT JOIN warehouse.setting AS s ON s.company_id = ${ctx.companyId}
        LEFT JOIN warehouse.inventory_period AS p ON p.company_id = ${ctx.companyId} AND p.month = m::date
        LEFT JOIN kit.task AS t ON t.company_id = ${ctx.companyId} AND t.id = p.task_id
       ORDER BY m DESC`.execute(ctx.db),
  );
  return rows;
}
