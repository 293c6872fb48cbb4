import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '../runtime.ts';
import { type JobDef, job } from './define.ts';

/**
 * A job, for a cron with `atStart`, that has `fold` ask for the rollup of each company with marks in `table` (schema.table with
 * a company_id). Events ask by themselves when they mark; this is for marks that a migration left.
 */
export const sweepOf = (name: string, table: string, fold: (ctx: Ctx) => Promise<void>): JobDef =>
  job<object>(name, async (runtime: Runtime) => {
    const companies = await inSystem(runtime, (db) =>
      db.selectFrom('identity.company').select('company_id').where('status', '=', 'active').execute(),
    );
    for (const { company_id } of companies) {
      await inTenant(runtime, systemPrincipal(company_id), async (ctx) => {
        const { rows } = await sql`
          SELECT 1 AS marked FROM ${sql.table(table)} WHERE company_id = ${company_id} LIMIT 1`.execute(ctx.db);
        if (rows.length > 0) await fold(ctx);
      });
    }
  });
