import { type RawBuilder, sql } from 'kysely';

/** Documents `d` whose amounts were open for a while: transactions that were read well, in their last reading. */
export const SPANNED = sql<boolean>`d.kind = 'TRANSACTION' AND d.state <> 'QUARANTINED'
  AND d.superseded_why IS DISTINCT FROM 'NEW_VERSION'`;

/**
 * Day from which amounts `l` of a document `d` were open no more; null while they are. A deferred one ends with its release,
 * which is a transaction of its own, another one with the period of its settlement. Of one that names a settlement whose file
 * is not here nobody knows the end: it is never open, as in the list of today.
 */
export const CLOSED_ON = sql<string | null>`CASE
  WHEN d.state = 'ACTIVE' THEN CASE WHEN d.settlement_id IS NOT NULL THEN l.posted_date END
  WHEN d.superseded_why = 'RELEASED' THEN (
    SELECT greatest(r.posted_at::date, l.posted_date) FROM settlement.source_doc AS r
     WHERE r.company_id = d.company_id AND r.id = d.superseded_by)
  ELSE (SELECT greatest(s.end_at::date, l.posted_date) FROM settlement.settlement AS s
         WHERE s.company_id = d.company_id AND s.id = d.superseded_by) END`;

/** Condition: amounts `l` of a document `d` were open at the end of a day. */
export const wasOpen = (day: string): RawBuilder<boolean> => sql`(${SPANNED} AND l.posted_date <= ${day}::date
  AND coalesce(${CLOSED_ON} > ${day}::date, true))`;
