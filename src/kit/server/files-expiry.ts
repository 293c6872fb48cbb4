import { sql } from 'kysely';
import { inSystem, type Runtime } from './runtime.ts';

const BATCH = 500;
const REST_MS = 3_600_000;

interface Expired {
  company_id: string;
  id: string;
  sha256: string;
  /** Whether another file of the company still has the same bytes. */
  shared: boolean;
}

async function expired(runtime: Runtime, after: string | null): Promise<Expired[]> {
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<Expired>`
      SELECT f.company_id, f.id, f.sha256,
             EXISTS (SELECT FROM kit.file AS o WHERE o.company_id = f.company_id AND o.sha256 = f.sha256
                        AND (o.expires_at IS NULL OR o.expires_at > kit.now())) AS shared
        FROM kit.file AS f
       WHERE f.expires_at <= kit.now() AND f.dropped_at IS NULL ${after === null ? sql`` : sql`AND f.id > ${after}::uuid`}
       ORDER BY f.id LIMIT ${BATCH}`.execute(db);
    return rows;
  });
}

/**
 * Takes away the bytes of files whose time is over; their records stay, to say what there was. Bytes that another file of the
 * company still has stay for that one. Returns how many files are gone for good.
 */
export async function dropExpiredFiles(runtime: Runtime, restMs = REST_MS): Promise<number> {
  let count = 0;
  let after: string | null = null;
  for (;;) {
    const files: Expired[] = await expired(runtime, after);
    const last = files.at(-1);
    if (!last) return count;
    after = last.id;
    const gone: string[] = [];
    for (const { company_id, id, sha256, shared } of files) {
      if (shared || (await runtime.files.drop(company_id, sha256, restMs))) gone.push(id);
    }
    await inSystem(runtime, (db) =>
      sql`UPDATE kit.file SET dropped_at = kit.now() WHERE id = ANY (${gone}::uuid[])`.execute(db),
    );
    count += gone.length;
  }
}
