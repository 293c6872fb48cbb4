import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { businessDay } from '../files/zones.ts';
import { reportPlans } from '../streams.ts';
import { isByDate, ruleOf } from './limits.ts';
import { enqueueReport } from './plan.ts';
import type { ReportRow } from './step.ts';
import { zoneOfStock } from './stocks.ts';
import { midnightOf } from './window.ts';

const DAY_MS = 86_400_000;

/**
 * Where a report's window may be cut in two, at a midnight of the zone that its windows are cut by: the instants at which
 * both parts begin and end. Undefined for a single day, for the present, and for weeks and months that make sense whole.
 */
export function halvesOf(runtime: Pick<Runtime, 'modules'>, row: ReportRow): [Date, Date, Date] | undefined {
  const { report_type: type, marketplace_ids: sites, data_from: from, data_to: to } = row;
  const { maxDays, weekly } = ruleOf(type);
  const plans = extensionsOf(runtime.modules, reportPlans);
  const plan = plans.find((one) => one.code === row.plan) ?? plans.find((one) => one.reportType === type);
  if (from === null || to === null || maxDays === null || weekly || plan?.byMonth || plan?.byWeek) return undefined;
  const byStock = isByDate(type) || (plan?.how === 'window' && row.plan === plan.code);
  const zone = byStock ? zoneOfStock(sites) : 'UTC';
  const [first, last] = [Date.parse(from), Date.parse(to) - 1].map(
    (time) => Date.parse(businessDay(time, zone)) / DAY_MS,
  );
  if (first === undefined || last === undefined || last <= first) return undefined;
  const middle = first + Math.ceil((last - first + 1) / 2);
  return [new Date(from), midnightOf(new Date(middle * DAY_MS).toISOString().slice(0, 10), zone), new Date(to)];
}

/** Two reports in place of one; a half that is known and over begins anew. They are asked for after `afterMs`. */
export async function landHalves(
  ctx: Ctx,
  row: ReportRow,
  [from, middle, to]: [Date, Date, Date],
  afterMs: number,
): Promise<void> {
  const { rows } = await sql<{ id: string; priority: number }>`
    INSERT INTO marketplace.report_request AS h
      (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to, subject, priority, past,
       generation, next_at)
    SELECT r.company_id, r.account_id, r.plan, r.report_type, r.marketplace_ids, w.from, w.to, r.subject, r.priority, r.past, 2,
           kit.now() + make_interval(secs => ${afterMs / 1000})
      FROM marketplace.report_request AS r,
           (VALUES (${from}::timestamptz, ${middle}::timestamptz), (${middle}::timestamptz, ${to}::timestamptz))
             AS w("from", "to")
     WHERE r.company_id = ${ctx.companyId} AND r.id = ${row.id}
    ON CONFLICT (company_id, account_id, report_type, marketplace_ids, data_from, data_to, subject) WHERE data_from IS NOT NULL
    DO UPDATE SET status = 'planned', generation = 2, attempts = 0, error = NULL, report_id = NULL, remote_document_id = NULL,
                  document_id = NULL, rows = NULL, finished_at = NULL, creating_since = NULL, creating_at = NULL,
                  empty_at = NULL, calls = 0, throttled = 0, next_at = excluded.next_at
     WHERE h.status IN ('loaded', 'empty', 'failed')
    RETURNING id, priority`.execute(ctx.db);
  // In its place: what is counted of a history is never asked for twice.
  await ctx.db
    .deleteFrom('marketplace.report_request')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .execute();
  const at = new Date(ctx.runtime.clock.ms() + afterMs);
  for (const half of rows) await enqueueReport(ctx, half.id, half.priority, at);
}
