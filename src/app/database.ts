import pg from 'pg';
import { ConfigError } from '#kit/server/config.ts';
import { migrate } from '#kit/server/db/migrate.ts';
import { migrationSets } from './migrations.ts';
import { connectionProblem, databaseProblem } from './problems.ts';

const PROBE_TIMEOUT_MS = 10_000;

const unusable = (reason: string) => new ConfigError(`无法使用数据库：${reason}`);

/** Connects once; @throws ConfigError with one line whatever kept it from that, be it the address, the host or the log-in. */
export async function ensureReachable(url: string): Promise<void> {
  try {
    const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
    // A peer that speaks something else makes the driver report more than one error; the first one is told.
    probe.on('error', () => {});
    await probe.connect();
    await probe.end();
  } catch (error) {
    throw unusable(connectionProblem(error));
  }
}

/** Migrates a database; what is wrong with the address or its rights becomes one line. */
export async function migrated(url: string): Promise<void> {
  await ensureReachable(url);
  try {
    await migrate(url, migrationSets());
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = databaseProblem(error);
    if (reason) throw unusable(reason);
    throw error;
  }
}
