import { type RawBuilder, sql } from 'kysely';

/**
 * JOIN of what ended the amounts of a document `d`: the release of a deferred one, which is a transaction of its own, or the
 * settlement that has it.
 */
export const ENDINGS = sql`
  LEFT JOIN settlement.source_doc AS r ON r.company_id = d.company_id AND r.id = d.superseded_by AND d.superseded_why = 'RELEASED'
  LEFT JOIN settlement.settlement AS s ON s.company_id = d.company_id AND s.id = d.superseded_by AND d.superseded_why = 'SETTLED'`;

/** Documents `d` whose amounts were open for a while: transactions that were read well, in their last reading. */
export const SPANNED = sql<boolean>`d.kind = 'TRANSACTION' AND d.state <> 'QUARANTINED'
  AND d.superseded_why IS DISTINCT FROM 'NEW_VERSION'`;

/**
 * UTC day from which a document `d` was open no more; null while it is. Of one that names a settlement whose file is not here
 * nobody knows the end: it is never open, as in the list of today.
 */
export const CLOSED_ON = sql<string | null>`CASE
  WHEN d.state = 'ACTIVE' THEN CASE WHEN d.settlement_id IS NOT NULL THEN '-infinity'::date END
  ELSE coalesce(r.posted_at, s.end_at)::date END`;

/** Condition: amounts `l` of a document `d` were open at the end of a day. */
export const wasOpen = (
  day: string,
): RawBuilder<boolean> => sql`(${SPANNED} AND l.posted_date <= ${day}::date AND EXISTS (
  SELECT FROM (SELECT d.*) AS d ${ENDINGS} WHERE coalesce(${CLOSED_ON} > ${day}::date, true)))`;
