import type pg from 'pg';

/** How long stores waited for a worker, in seconds; `stores` are those that wanted something. */
export interface Waits {
  stores: number;
  median: number;
  p95: number;
  longest: number;
}

type Session = Pick<pg.Client, 'query'>;

const SPREAD = `count(*)::int AS stores, coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY sec), 0)::float8 AS median,
  coalesce(percentile_cont(0.95) WITHIN GROUP (ORDER BY sec), 0)::float8 AS p95, coalesce(max(sec), 0)::float8 AS longest`;

/** Keeps when each stream is due at this moment: a run itself does not say since when it was. */
export async function noteDue(session: Session): Promise<void> {
  await session.query(
    `DROP TABLE IF EXISTS due_before;
     CREATE TABLE due_before AS SELECT id, account_id, stream, marketplace_id, not_before FROM marketplace.sync_cursor`,
  );
}

/**
 * The longest that each store waited for the first run of a stream since `noteDue`, from the time at which it was due to the
 * beginning that the run itself has recorded; by stream. What is due and has not begun has waited until now, so that
 * nobody who is forgotten is left out. A run that ends in a failure has begun all the same.
 */
export async function waitsByStream(session: Session, since: Date): Promise<Map<string, Waits>> {
  const { rows } = await session.query<Waits & { stream: string }>(
    `WITH begun AS (SELECT account_id, stream, marketplace_id, min(started_at) AS at
                      FROM marketplace.sync_run WHERE started_at >= $1 GROUP BY 1, 2, 3),
          wait AS (SELECT d.account_id, d.stream, coalesce(b.at, kit.now()) - greatest(d.not_before, $1) AS wait
                     FROM due_before AS d LEFT JOIN begun AS b USING (account_id, stream, marketplace_id)
                    WHERE d.not_before < kit.now()),
          store AS (SELECT account_id, stream, greatest(0, extract(epoch FROM max(wait)))::float8 AS sec
                      FROM wait GROUP BY 1, 2)
     SELECT stream, ${SPREAD} FROM store GROUP BY stream ORDER BY stream`,
    [since],
  );
  return new Map(rows.map(({ stream, ...waits }) => [stream, waits]));
}

/**
 * How long each store that asked for two years of orders at `since` waited until so many of the reports had
 * been ordered, by the times that the reports have recorded; who has not got so far has waited until now. All wanted the
 * same at the same moment, and the marketplace's limits allow each store nine at once.
 */
export async function waitsForPast(session: Session, since: Date, reports: number): Promise<Waits> {
  const { rows } = await session.query<Waits>(
    `WITH report AS (SELECT account_id AS who, coalesce(asked_before, requested_at, kit.now()) - $1 AS wait
                       FROM marketplace.report_request WHERE plan = 'orders.history' AND created_at >= $1),
          placed AS (SELECT who, wait, row_number() OVER (PARTITION BY who ORDER BY wait) AS place FROM report),
          store AS (SELECT who, extract(epoch FROM wait)::float8 AS sec FROM placed WHERE place = $2)
     SELECT ${SPREAD} FROM store`,
    [since, reports],
  );
  return rows[0] ?? { stores: 0, median: 0, p95: 0, longest: 0 };
}

/** The longest that anything which is due by now has waited for its beginning, s. */
export async function longestDue(session: Session): Promise<number> {
  const { rows } = await session.query<{ sec: number }>(
    `SELECT coalesce(max(extract(epoch FROM kit.now() - not_before)), 0)::float8 AS sec FROM marketplace.sync_cursor
      WHERE state = 'ready' AND not_before < kit.now() AND (lease_until IS NULL OR lease_until < kit.now())`,
  );
  return rows[0]?.sec ?? 0;
}
