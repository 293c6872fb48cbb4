import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { ConfigError } from '../config.ts';

export interface MigrationSet {
  /** Module name; also the name of its PostgreSQL schema. */
  module: string;
  directory: string;
}

interface Migration {
  module: string;
  name: string;
  sql: string;
  hash: string;
}

const MIGRATION_LOCK = 7_261_001;

async function load(set: MigrationSet): Promise<Migration[]> {
  const names = await readdir(set.directory).catch(() => []);
  const files = names.filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (name) => {
      const sql = await readFile(join(set.directory, name), 'utf8');
      return { module: set.module, name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function refuseNewerDatabase(client: pg.Client, known: Migration[]): Promise<Map<string, string>> {
  const applied = await client.query<{ module: string; name: string; hash: string }>(
    'SELECT module, name, hash FROM kit.migration',
  );
  const hashes = new Map(known.map((m) => [`${m.module}/${m.name}`, m.hash]));
  for (const row of applied.rows) {
    const key = `${row.module}/${row.name}`;
    const hash = hashes.get(key);
    if (hash === undefined) {
      throw new ConfigError(`数据库由更新的版本创建（${key} 在本版本中不存在），请升级程序后再启动`);
    }
    if (hash !== row.hash) throw new ConfigError(`迁移 ${key} 在执行后被修改过，拒绝启动`);
  }
  return new Map(applied.rows.map((row) => [`${row.module}/${row.name}`, row.hash]));
}

/**
 * Brings the database to this version: the job queue's own tables, then each set in the order given, each file once and
 * in its own transaction. Safe to run from several processes at once. Throws ConfigError if the database is newer.
 */
export async function migrate(url: string, sets: MigrationSet[]): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'erp-migrate' });
  await client.connect();
  try {
    const version = await client.query<{ v: number }>("SELECT current_setting('server_version_num')::int AS v");
    if ((version.rows[0]?.v ?? 0) < 180000) throw new ConfigError('需要 PostgreSQL 18 或更高版本');
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query('CREATE SCHEMA IF NOT EXISTS kit');
    await client.query(
      'CREATE TABLE IF NOT EXISTS kit.migration (module text, name text, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (module, name))',
    );
    const all = (await Promise.all(sets.map(load))).flat();
    const applied = await refuseNewerDatabase(client, all);
    const open = all.filter((m) => !applied.has(`${m.module}/${m.name}`));
    if (open.length === 0) return 0;
    await runMigrations({ connectionString: url });
    for (const migration of open) {
      await client.query('BEGIN');
      try {
        await client.query(migration.sql);
        await client.query('INSERT INTO kit.migration (module, name, hash) VALUES ($1, $2, $3)', [
          migration.module,
          migration.name,
          migration.hash,
        ]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(`${migration.module}/${migration.name}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
    return open.length;
  } finally {
    await client.end();
  }
}
