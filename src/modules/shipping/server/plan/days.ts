import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { Transport } from '../../contract/fields.ts';
import type { PlanDays } from '../../contract/plan.ts';

const SAFETY = 15;
const LEAD: Record<Transport, number> = { SEA: 45, AIR: 12, EXPRESS: 7, RAIL: 25, TRUCK: 30 };

/** Days that goods take by each way, and those for which there shall be stock beyond; ways without a row by the defaults. */
export async function planDays(ctx: Ctx): Promise<PlanDays[]> {
  const rows = await ctx.db
    .selectFrom('shipping.plan_days')
    .select(['transport', 'lead_days', 'safety_days'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  const own = new Map(rows.map((row) => [row.transport, row]));
  return Transport.options.map((transport) => ({
    transport,
    leadDays: own.get(transport)?.lead_days ?? LEAD[transport],
    safetyDays: own.get(transport)?.safety_days ?? SAFETY,
  }));
}

/** Writes the days of the ways that are named; of a way that is named twice the last counts. */
export async function putPlanDays(ctx: Ctx, days: readonly PlanDays[]): Promise<PlanDays[]> {
  const before = await planDays(ctx);
  const each = [...new Map(days.map((one) => [one.transport, one])).values()];
  await sql`
    INSERT INTO shipping.plan_days (company_id, transport, lead_days, safety_days)
    SELECT ${ctx.companyId}, r.transport, r."leadDays", r."safetyDays"
      FROM jsonb_to_recordset(${JSON.stringify(each)}::jsonb) AS r(transport text, "leadDays" int, "safetyDays" int)
    ON CONFLICT (company_id, transport) DO UPDATE
       SET lead_days = excluded.lead_days, safety_days = excluded.safety_days`.execute(ctx.db);
  const after = await planDays(ctx);
  await audit(ctx, { action: '修改备货周期', resource: 'shipping.plan', before, after });
  return after;
}
