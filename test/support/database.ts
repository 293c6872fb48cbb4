import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { type Clock, machineClock } from '#kit/server/clock.ts';

export interface TestDatabase {
  url: string;
  /** Has connections that are opened from now on tell a later time, and what the queue holds due by that much earlier. */
  advance(ms: number): Promise<void>;
  drop(): Promise<void>;
}

/** Address of this worker's server. */
export function serverUrl(database: string): string {
  const urls = inject('databaseUrls');
  const worker = Number(process.env.VITEST_POOL_ID ?? 1) - 1;
  const url = urls[worker % urls.length];
  if (!url) throw new Error('no server was started for the tests');
  return url.replace('{database}', database);
}

async function withServer(database: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl(database) });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

const onServer = (command: string, database = 'postgres'): Promise<void> =>
  withServer(database, async (client) => {
    await client.query(command);
  });

const GOODBYE_MS = 2_000;

/**
 * Drops a database once its connections have said goodbye: a pool that was closed still has some on their way out, and one
 * that is thrown out instead of leaving fails in a test that it has nothing to do with. Whoever stays is thrown out.
 */
const dropQuietly = (name: string): Promise<void> =>
  withServer('postgres', async (client) => {
    const deadline = Date.now() + GOODBYE_MS;
    for (let left = 1; left > 0 && Date.now() < deadline; ) {
      const { rows } = await client.query<{ n: number }>(
        'SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
      left = rows[0]?.n ?? 0;
      if (left > 0) await sleep(20);
    }
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

/** A database of its own for one test file, cloned from the migrated one or, for a newcomer's story, with nothing in it. */
export async function createDatabase(
  template: 'erp' | 'template0' = 'erp',
  clock: Clock = machineClock,
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying the files takes a tenth of what writing every page anew takes.
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  // What tests ask of the database directly is told by the same clock.
  const follow = () => onServer(`ALTER DATABASE ${name} SET app.clock_shift = '${clock.shiftMs} milliseconds'`);
  await follow();
  return {
    url: serverUrl(name),
    async advance(ms) {
      await follow();
      await withServer(name, async (client) => {
        const { rows } = await client.query<{ id: string }>('SELECT id FROM graphile_worker._private_jobs');
        // One by one: whoever held several while others are changed could wait for one who waits for him.
        for (const { id } of rows) {
          await client.query(
            `UPDATE graphile_worker._private_jobs SET run_at = run_at - interval '${ms} milliseconds' WHERE id = $1`,
            [id],
          );
        }
      });
    },
    drop: () => dropQuietly(name),
  };
}
