import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';

/**
 * JOIN of what ended the amounts of a document `d`: the release of a deferred one, which is a transaction of its own, or the
 * settlement that has it.
 */
const ENDINGS = sql`
  LEFT JOIN settlement.source_doc AS r ON r.company_id = d.company_id AND r.id = d.superseded_by AND d.superseded_why = 'RELEASED'
  LEFT JOIN settlement.settlement AS s ON s.company_id = d.company_id AND s.id = d.superseded_by AND d.superseded_why = 'SETTLED'`;

/** Documents `d` whose amounts were open for a while: transactions that were read well, in their last reading. */
const SPANNED = sql<boolean>`d.kind = 'TRANSACTION' AND d.state <> 'QUARANTINED'
  AND d.superseded_why IS DISTINCT FROM 'NEW_VERSION'`;

/**
 * UTC day from which a document `d` was open no more; null while it is. Of one that names a settlement whose file is not here
 * nobody knows the end: it is never open, as in the list of today.
 */
const CLOSED_ON = sql<string | null>`CASE
  WHEN d.state = 'ACTIVE' THEN CASE WHEN d.settlement_id IS NOT NULL THEN '-infinity'::date END
  ELSE coalesce(r.posted_at, s.end_at)::date END`;

/** Condition: amounts `l` of a document `d` were open at the end of a day. */
export const wasOpen = (
  day: string,
): RawBuilder<boolean> => sql`(${SPANNED} AND l.posted_date <= ${day}::date AND EXISTS (
  SELECT FROM (SELECT d.*) AS d ${ENDINGS} WHERE coalesce(${CLOSED_ON} > ${day}::date, true)))`;

/**
 * SELECT of (company_id, id, closed, deferred): documents that were open at the end of some day from `since` on, with CLOSED_ON.
 * They are found by what has ended them after that day, so that not all of the money of years is read.
 */
export function openSince(ctx: Ctx, since: string): RawBuilder<unknown> {
  const next = `${dayAfter(since, 1)}T00:00:00Z`;
  const ended = (why: string, at: string, by: RawBuilder<unknown>) => sql`
    SELECT d.company_id, d.id, (${sql.raw(at)})::date AS closed, d.status <> 'RELEASED' AS deferred
      FROM ${by} JOIN settlement.source_doc AS d ON d.company_id = e.company_id AND d.superseded_by = e.id
     WHERE e.company_id = ${ctx.companyId} AND ${sql.raw(at)} >= ${next}::timestamptz
       AND d.state = 'SUPERSEDED' AND d.superseded_why = ${why} AND ${SPANNED}`;
  return sql`
    SELECT d.company_id, d.id, NULL::date AS closed, d.status <> 'RELEASED' AS deferred FROM settlement.source_doc AS d
     WHERE d.company_id = ${ctx.companyId} AND d.state = 'ACTIVE' AND d.settlement_id IS NULL AND ${SPANNED}
    UNION ALL ${ended('RELEASED', 'e.posted_at', sql`settlement.source_doc AS e`)} AND e.kind = 'TRANSACTION'
    UNION ALL ${ended('SETTLED', 'e.end_at', sql`settlement.settlement AS e`)}`;
}
