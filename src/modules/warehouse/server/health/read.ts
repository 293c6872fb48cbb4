import type { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import type { HealthRun } from '../../contract/inventory.ts';
import type { CheckResult } from './run.ts';

/**
 * The last self-check of the company; null before the first. Whoever sees a part of the warehouses only is told how many
 * offenders there are, not which.
 */
export async function latest(ctx: Ctx): Promise<z.infer<typeof HealthRun> | null> {
  const row = await ctx.db
    .selectFrom('warehouse.health_run')
    .select(['id', 'at', 'ms', 'broken', 'results'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const results = row.results as unknown as CheckResult[];
  return { ...row, results: ctx.dataScope ? results.map((result) => ({ ...result, samples: [] })) : results };
}
