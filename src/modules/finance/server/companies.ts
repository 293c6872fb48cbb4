import { sql } from 'kysely';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';

/** Ids of the companies that keep money here. */
export async function companies(runtime: Runtime): Promise<string[]> {
  const { rows } = await inSystem(runtime, (db) =>
    sql<{ id: string }>`SELECT company_id AS id FROM identity.company`.execute(db),
  );
  return rows.map((row) => row.id);
}
