import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';

export type UnitKind = 'sync' | 'report' | 'backfill';

/** One thing that a worker does at a time: a run of a stream, a step of a report, a window of a backfill. */
export interface Unit {
  kind: UnitKind;
  companyId: string;
  id: string;
}

const TABLES = { report: 'marketplace.report_request', backfill: 'marketplace.sync_backfill' } as const;

const until = (runtime: Runtime) => sql`kit.now() + make_interval(secs => ${runtime.config.leaseSec})`;

/**
 * Gives a report or backfill to nobody else while it is worked on. False where another worker has it, or is writing it at
 * this moment: waiting for that would be waiting for a whole load. Streams have their leases.
 */
export async function holdUnit(runtime: Runtime, db: Db, { kind, companyId, id }: Unit): Promise<boolean> {
  if (kind === 'sync') return true;
  const table = sql.table(TABLES[kind]);
  const { rows } = await sql`
    UPDATE ${table} SET taken_until = ${until(runtime)}
     WHERE company_id = ${companyId}
       AND id = (SELECT id FROM ${table}
                  WHERE company_id = ${companyId} AND id = ${id} AND (taken_until IS NULL OR taken_until < kit.now())
                    FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id`.execute(db);
  return rows.length > 0;
}

async function prolong(runtime: Runtime, db: Db, { kind, companyId, id }: Unit): Promise<void> {
  if (kind === 'sync') return;
  const table = sql.table(TABLES[kind]);
  await sql`
    UPDATE ${table} SET taken_until = ${until(runtime)}
     WHERE company_id = ${companyId}
       AND id = (SELECT id FROM ${table} WHERE company_id = ${companyId} AND id = ${id} AND taken_until IS NOT NULL
                    FOR NO KEY UPDATE SKIP LOCKED)`.execute(db);
}

/** Goes on holding a unit while it takes long; returns how to stop that. */
export function keepUnit(runtime: Runtime, unit: Unit): () => void {
  const timer = setInterval(
    () => {
      inSystem(runtime, (db) => prolong(runtime, db, unit)).catch((error: unknown) =>
        runtime.log.warn({ err: error }, 'heartbeat of a report or backfill failed'),
      );
    },
    (runtime.config.leaseSec * 1000) / 3,
  );
  return () => clearInterval(timer);
}
