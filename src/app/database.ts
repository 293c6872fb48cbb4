import pg from 'pg';
import { ConfigError } from '#kit/server/config.ts';
import { migrate } from '#kit/server/db/migrate.ts';
import { migrationSets } from './migrations.ts';
import { databaseProblem } from './problems.ts';

/** Migrates a database; what is wrong with the address or its rights becomes one line. */
export async function migrated(url: string): Promise<void> {
  const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await probe.connect();
    await probe.end();
    await migrate(url, migrationSets());
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = databaseProblem(error);
    if (reason) throw new ConfigError(`无法使用数据库：${reason}`);
    throw error;
  }
}
