import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';

/**
 * What a worker's time goes to: the present, what was missed, and the past. Of ten slots seven, two and one are theirs; what
 * a class does not need the others have.
 */
export type SlotClass = 'live' | 'gap' | 'backfill';

/** A turn costs its time, but never less than this nor more than that, seconds: what idle slots did is no debt for long. */
const LEAST_SEC = 1;
const MOST_SEC = 30;

/** All classes, the one first that has had least of its share. */
export async function classesInOrder(db: Db): Promise<SlotClass[]> {
  const { rows } = await sql<{ class: SlotClass }>`
    SELECT class FROM marketplace.slot_class ORDER BY pass + ${LEAST_SEC}::float8 / share, share DESC`.execute(db);
  return rows.map((row) => row.class);
}

/**
 * Charges a class with the beginning of a turn. Those before it that had nothing to do save nothing up: they are at least
 * where it was.
 */
export async function begin(db: Db, served: SlotClass, idle: readonly SlotClass[]): Promise<void> {
  await sql`
    WITH held AS (SELECT class, pass, share FROM marketplace.slot_class ORDER BY class FOR UPDATE),
         mine AS (SELECT pass FROM held WHERE class = ${served})
    UPDATE marketplace.slot_class AS c
       SET pass = CASE WHEN c.class = ${served} THEN c.pass + ${LEAST_SEC}::float8 / c.share
                       ELSE greatest(c.pass, mine.pass) END
      FROM held, mine
     WHERE c.class = held.class AND (c.class = ${served} OR c.class = ANY (${[...idle]}::text[]))`.execute(db);
}

/** Charges a class with the rest of a turn that is over. */
export async function charge(runtime: Runtime, served: SlotClass, tookMs: number): Promise<void> {
  const rest = Math.min(MOST_SEC, tookMs / 1000) - LEAST_SEC;
  if (rest <= 0) return;
  await inSystem(
    runtime,
    (db) =>
      sql`UPDATE marketplace.slot_class SET pass = pass + ${rest}::float8 / share WHERE class = ${served}`.execute(db),
    { prepared: true },
  );
}
