import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** A period that a plan of reports asked for and that is not read: on its way, or failed. */
export interface MissingWindow {
  account_id: string;
  marketplace_ids: string[];
  /** ISO instants, [data_from, data_to). */
  data_from: string;
  data_to: string;
  failed: boolean;
}

/**
 * SELECT of the periods of a plan whose report has not been read, for joins. A period that was asked for again counts by its
 * last report.
 */
export function missingWindowsSelect(ctx: Pick<Ctx, 'companyId'>, plan: string): RawBuilder<MissingWindow> {
  return sql`
    SELECT account_id, marketplace_ids, data_from, data_to, status = 'failed' AS failed
      FROM (SELECT DISTINCT ON (account_id, marketplace_ids, data_from, data_to, subject)
                   account_id, marketplace_ids, data_from, data_to, status
              FROM marketplace.report_request
             WHERE company_id = ${ctx.companyId} AND plan = ${plan} AND data_from IS NOT NULL
             ORDER BY account_id, marketplace_ids, data_from, data_to, subject, generation DESC) AS newest
     WHERE status NOT IN ('loaded', 'empty')`;
}
