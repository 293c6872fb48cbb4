import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { ConfigError } from '../config.ts';
import { applyStored, validateStored } from './stored.ts';
import { runUnforced } from './unforced.ts';

export interface MigrationSet {
  /** Module name; also the name of its PostgreSQL schema. */
  module: string;
  /** Files that change tables and rows, each run once. */
  directory: string;
  /** Files of functions, procedures, triggers and views, each run again whenever its text changes. */
  stored?: string;
}

interface Migration {
  module: string;
  name: string;
  sql: string;
  hash: string;
}

const MIGRATION_LOCK = 7_261_001;

/** What has run, and what stored code stands. */
const BOOKS = `
  CREATE SCHEMA IF NOT EXISTS kit;
  CREATE TABLE IF NOT EXISTS kit.migration (module text, name text, hash text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (module, name));
  CREATE TABLE IF NOT EXISTS kit.stored (module text, name text, hash text NOT NULL, made jsonb NOT NULL,
    PRIMARY KEY (module, name))`;

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

/** A database of before there was a release is not carried on: its tables came about in another way. */
async function refuseEarlyDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ early: boolean }>(
    "SELECT to_regclass('kit.migration') IS NOT NULL AND to_regclass('kit.stored') IS NULL AS early",
  );
  if (rows[0]?.early) {
    throw new ConfigError(
      '数据库由首次发布之前的版本创建，本版本不能沿用：请用 npm start -- --fresh 重新开始，或换一个 DATA_DIR（DATABASE_URL）',
    );
  }
}

async function refuseNewerDatabase(client: pg.Client, known: Migration[]): Promise<Set<string>> {
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
  return new Set(applied.rows.map((row) => `${row.module}/${row.name}`));
}

async function applyMigration(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await runUnforced(client, migration.sql);
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

/**
 * Brings the database to this version: the job queue's own tables, then each set in the order given, first its migrations,
 * each once and in its own transaction, then its stored code where that has changed. Safe to run from several processes at
 * once. Throws ConfigError if the database is newer, or older than the first release.
 * @returns how many files ran
 */
export async function migrate(url: string, sets: MigrationSet[]): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'erp-migrate' });
  await client.connect();
  try {
    const version = await client.query<{ v: number }>("SELECT current_setting('server_version_num')::int AS v");
    if ((version.rows[0]?.v ?? 0) < 180000) throw new ConfigError('需要 PostgreSQL 18 或更高版本');
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseEarlyDatabase(client);
    await client.query(BOOKS);
    const all = await Promise.all(sets.map(load));
    const applied = await refuseNewerDatabase(client, all.flat());
    const open = all.map((migrations) => migrations.filter((m) => !applied.has(`${m.module}/${m.name}`)));
    if (open.some(({ length }) => length > 0)) await runMigrations({ connectionString: url });
    let ran = 0;
    let stored = 0;
    for (const [index, set] of sets.entries()) {
      for (const migration of open[index] ?? []) await applyMigration(client, migration);
      ran += open[index]?.length ?? 0;
      if (set.stored) stored += await applyStored(client, set.module, set.stored);
    }
    if (stored > 0) await validateStored(client);
    return ran + stored;
  } finally {
    await client.end();
  }
}
