import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import type { SlotClass } from './slots.ts';

/** More units of a company are not looked at to count its stores. */
const MOST_UNITS = 500;

/** Stores of a company whose past is due. */
const storesDue = (companyId: string) => sql`
  SELECT greatest(1, count(DISTINCT account_id))
    FROM ((SELECT account_id FROM marketplace.report_request
            WHERE company_id = ${companyId} AND status IN ('planned', 'requested', 'ready', 'downloaded') AND past
              AND next_at <= kit.now() LIMIT ${sql.lit(MOST_UNITS)})
          UNION ALL
          (SELECT account_id FROM marketplace.sync_backfill
            WHERE company_id = ${companyId} AND state = 'running' AND next_at <= kit.now())) AS due`;

/**
 * Puts a company that has had a turn of a class behind those that have not. At the past, of which there is always more than
 * workers can do, a company has as many turns in a round as it has stores that wait, so that no store waits longer for having
 * sisters: times there are not of the clock, a round is a second. Who comes back after a pause has lost his place and owes
 * nothing: he begins in the round that is under way.
 */
export async function noteServed(db: Db, slot: SlotClass, companyId: string): Promise<void> {
  const round = sql`interval '1 second'`;
  const place =
    slot === 'backfill'
      ? sql`greatest((SELECT served_at FROM marketplace.sync_turn WHERE class = 'backfill' AND company_id = ${companyId}),
                     (SELECT max(served_at) - ${round} FROM marketplace.sync_turn WHERE class = 'backfill'),
                     '2000-01-01'::timestamptz) + ${round} / (${storesDue(companyId)})`
      : sql`kit.instant()`;
  await sql`
    INSERT INTO marketplace.sync_turn (company_id, class, served_at) VALUES (${companyId}, ${slot}, ${place})
        ON CONFLICT (company_id, class) DO UPDATE SET served_at = excluded.served_at`.execute(db);
}
