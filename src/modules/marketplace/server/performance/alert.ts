import { sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import {
  type AlertForm,
  DEFAULT_MARGIN,
  METRICS,
  type Metric,
  type MetricState,
  stateOfRate,
} from '../../contract/performance.ts';

export type Alert = AlertForm;

/** When the company wants to be warned. */
export async function alertOf(ctx: Ctx): Promise<Alert> {
  const row = await ctx.db
    .selectFrom('marketplace.health_alert')
    .select(['margin', 'muted'])
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row ? { margin: plainDecimal(row.margin), muted: row.muted } : { margin: DEFAULT_MARGIN, muted: [] };
}

/** How a metric stands by the company's rule. Counters have no way to go: above their limit the marketplace says BAD. */
export function judged(metric: Metric, alert: Alert): MetricState {
  const kind = METRICS.find((one) => one.key === metric.key)?.kind;
  if (kind === 'rate') return stateOfRate(metric, alert.margin);
  return stateOfRate({ ...metric, target: null, condition: null });
}

/** Changes when the company is warned. */
export async function putAlert(ctx: Ctx, form: AlertForm): Promise<void> {
  const unknown = form.muted.find((key) => !METRICS.some((metric) => metric.key === key));
  if (unknown !== undefined) throw refused(`没有这个指标：${unknown}`, 'B0371');
  const before = await alertOf(ctx);
  const values = { margin: form.margin, muted: form.muted, updated_by_name: ctx.userName };
  await ctx.db
    .insertInto('marketplace.health_alert')
    .values({ ...values, company_id: ctx.companyId })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet({ ...values, updated_at: sql`kit.now()` }))
    .execute();
  await audit(ctx, { action: '修改绩效预警设置', resource: 'marketplace.healthAlert', before, after: form });
}
