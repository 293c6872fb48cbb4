import type { Ctx } from '#kit/server/context.ts';
import type { AccountRef, ReportPlan } from '../streams.ts';
import type { FoundReports } from './look.ts';
import { enqueueReport } from './plan.ts';
import { askedFor, groupsOf } from './stocks.ts';

/** Asks for a report of the present state; the row is written before the call, as for every report. */
export function snapshotRequest(plan: ReportPlan, now: Date): FoundReports {
  return { count: 1, land: (ctx, account) => landRequest(ctx, account, plan, now) };
}

async function landRequest(ctx: Ctx, account: AccountRef, plan: ReportPlan, now: Date): Promise<number> {
  const groups = groupsOf(plan, (await askedFor(ctx, account, plan)).marketplaceIds);
  if (groups.length === 0) return 0;
  const rows = await ctx.db
    .insertInto('marketplace.report_request')
    .values(
      groups.map((sites) => ({
        company_id: ctx.companyId,
        account_id: account.id,
        plan: plan.code,
        report_type: plan.reportType,
        marketplace_ids: sites,
        data_from: now,
        data_to: now,
        priority: plan.priority,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'priority'])
    .execute();
  for (const row of rows) await enqueueReport(ctx, row.id, row.priority);
  return rows.length;
}
