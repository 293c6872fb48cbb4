import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import type { Estimate } from '../../contract/sync.ts';
import { planOf } from '../api/limits.ts';
import { IS_READ } from '../reports/step.ts';
import { reportPlans } from '../streams.ts';

/**
 * The last so many reports tell how fast they come, of those that ended since what is left was planned; fewer than half of so
 * many tell nothing. One without data has ended when it was empty for the first time: that it is asked for once more, behind
 * all others, holds up nothing that is left.
 */
const LAST = 12;
const ENOUGH = LAST / 2;
/** A report that was asked for takes Amazon about so long, seconds. */
const MAKING_SEC = 60;

interface Row {
  /** Reports that have yet to be asked for, that have yet to be fetched, and that have not ended at all. */
  unasked: number;
  unfetched: number;
  left: number;
  /** The last reports that ended, and in how many seconds they did. */
  ended: number;
  ended_in_sec: number;
  create_rate: number | null;
  create_tokens: number | null;
  fetch_rate: number | null;
  fetch_tokens: number | null;
}

const tokensOf = (bucket: string) =>
  sql.raw(
    `least(${bucket}.burst, ${bucket}.tokens + ${bucket}.rate * greatest(0, extract(epoch FROM kit.instant() - ${bucket}.refilled_at)))`,
  );

/** Seconds until a bucket has given so many calls; one that nobody used yet is full. */
function secondsFor(calls: number, operation: string, rate: number | null, tokens: number | null): number {
  const plan = planOf(operation);
  return Math.max(0, calls - (tokens ?? plan.burst)) / (rate ?? plan.rate);
}

/**
 * When the reports that an account still waits for will have come. Each of them takes one call that asks for it and one that
 * fetches it, and Amazon allows an account a little more than one a minute of either; where they came more slowly than that
 * of late (Amazon takes long, or the machine has other work), the pace of the last dozen counts. Never better
 * than the limits allow. Null: none is left, nobody may be asked, or it is not known yet how many there will be.
 */
export async function estimateOf(ctx: Ctx, accountId: string): Promise<Estimate | null> {
  const bucket = (name: string, operation: string) => sql`
    LEFT JOIN marketplace.rate_bucket AS ${sql.raw(name)}
      ON ${sql.raw(name)}.application_id = a.application_id AND ${sql.raw(name)}.operation = ${operation}
     AND ${sql.raw(name)}.seller_key = a.selling_partner_id || '/' || a.region`;
  const plans = extensionsOf(ctx.runtime.modules, reportPlans).flatMap(({ how, code }) =>
    how === 'request' ? [] : [code],
  );
  const { rows } = await sql<Row>`
    SELECT r.*, c.rate AS create_rate, ${tokensOf('c')}::float8 AS create_tokens, d.rate AS fetch_rate,
           ${tokensOf('d')}::float8 AS fetch_tokens
      FROM marketplace.seller_account AS a
      ${bucket('c', 'createReport')} ${bucket('d', 'getReportDocument')}
     CROSS JOIN (
       SELECT count(*) FILTER (WHERE open AND status = 'planned')::int AS unasked,
              count(*) FILTER (WHERE open AND status <> 'downloaded')::int AS unfetched,
              count(*) FILTER (WHERE open)::int AS left,
              count(*) FILTER (WHERE turn <= ${LAST})::int AS ended,
              coalesce(extract(epoch FROM kit.now() - min(ended_at) FILTER (WHERE turn <= ${LAST})), 0)::float8
                AS ended_in_sec
         FROM (SELECT status, ended_at, open,
                      CASE WHEN ended_at >= min(created_at) FILTER (WHERE open) OVER ()
                           THEN row_number() OVER (ORDER BY ended_at DESC NULLS LAST) END AS turn
                 FROM (SELECT status, coalesce(empty_at, finished_at) AS ended_at, created_at, NOT ${IS_READ} AND status <> 'failed' AS open
                         FROM marketplace.report_request
                        WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND plan <> 'manual') AS p
              ) AS q) AS r
     WHERE a.company_id = ${ctx.companyId} AND a.id = ${accountId} AND a.status IN ('active', 'expiring')
       AND NOT EXISTS (SELECT FROM marketplace.sync_cursor AS s
                        WHERE s.company_id = a.company_id AND s.account_id = a.id AND s.stream = ANY (${plans}::text[])
                          AND s.state = 'ready' AND s.last_success_at IS NULL)`.execute(ctx.db);
  const row = rows[0];
  if (!row || row.left === 0) return null;
  const allowed = Math.max(
    secondsFor(row.unasked, 'createReport', row.create_rate, row.create_tokens),
    secondsFor(row.unfetched, 'getReportDocument', row.fetch_rate, row.fetch_tokens),
  );
  const paced = row.ended >= ENOUGH ? (row.left * row.ended_in_sec) / row.ended : 0;
  const seconds = Math.ceil(Math.max(allowed + MAKING_SEC, paced));
  return { left: row.left, seconds, by: paced > allowed + MAKING_SEC ? 'pace' : 'limit' };
}
