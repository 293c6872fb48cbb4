import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { OutOfCalls } from '../api/port.ts';
import { enqueueReport } from './plan.ts';
import type { ReportRow } from './step.ts';

interface Waiting {
  id: string;
  priority: number;
  ms: number;
}

/**
 * Reports of an account that wait for the same call as `row`, and for which none is left either, with their places: the
 * first takes the next call that comes, each further one the call after it.
 */
const others = (ctx: Ctx, row: ReportRow, { afterMs, perCallMs }: OutOfCalls) =>
  sql<Waiting>`
  WITH line AS (SELECT id, ${afterMs}::float8 + ${perCallMs}::float8 * (row_number() OVER (ORDER BY priority, id) - 1) AS ms
                  FROM marketplace.report_request
                 WHERE company_id = ${ctx.companyId} AND account_id = ${row.account_id} AND status = ${row.status}
                   AND past >= ${row.past}::boolean AND creating_since IS NULL),
       free AS (SELECT id FROM marketplace.report_request
                 WHERE company_id = ${ctx.companyId} AND id IN (SELECT id FROM line) AND id <> ${row.id}
                   AND status = ${row.status} AND next_at <= kit.now()
                   AND (taken_until IS NULL OR taken_until < kit.now())
                   FOR NO KEY UPDATE SKIP LOCKED)
  UPDATE marketplace.report_request AS r SET next_at = kit.now() + make_interval(secs => line.ms / 1000)
    FROM free JOIN line USING (id)
   WHERE r.company_id = ${ctx.companyId} AND r.id = free.id
  RETURNING r.id, r.priority, line.ms`.execute(ctx.db);

/** How many reports of the account wait for the same call and come first. */
async function ahead(ctx: Ctx, row: ReportRow): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM marketplace.report_request
     WHERE company_id = ${ctx.companyId} AND account_id = ${row.account_id} AND status = ${row.status}
       AND status IN ('planned', 'ready') AND (priority, id) < (${row.priority}::int, ${row.id}::uuid)`.execute(ctx.db);
  return Number(rows[0]?.n ?? 0);
}

/**
 * A report found no call left. Each that waits for the same call takes the time of one, so this one need not look before
 * those that come first have had theirs. Nor need any of the others: each of them would take a turn of a worker to learn
 * the same, and a store with two years to ask for would keep the stores waiting that still have calls. Answers for how long
 * `row` stands behind others, ms.
 */
export async function queueUp(ctx: Ctx, row: ReportRow, out: OutOfCalls): Promise<number> {
  if (row.creating_since === null && (row.status === 'planned' || row.status === 'ready')) {
    const { rows } = await others(ctx, row, out);
    for (const one of rows) {
      await enqueueReport(ctx, one.id, one.priority, new Date(ctx.runtime.clock.ms() + one.ms));
    }
  }
  return (await ahead(ctx, row)) * out.perCallMs;
}
