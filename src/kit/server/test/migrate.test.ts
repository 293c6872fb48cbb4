import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrationSets } from '#src/app/migrations.ts';
import { serverUrl } from '#test/support/database.ts';
import { ConfigError } from '../config.ts';
import { type MigrationSet, migrate } from '../db/migrate.ts';

const made: string[] = [];
let directory: string;
let sets: MigrationSet[];

async function on<T>(database: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl(database) });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function empty(): Promise<{ name: string; url: string }> {
  const name = `migrate_${randomUUID().replaceAll('-', '')}`;
  await on('postgres', (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  made.push(name);
  return { name, url: serverUrl(name) };
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'erp-migrations-'));
});
beforeEach(() => {
  sets = [...migrationSets().slice(0, 2), { module: 'extra', directory }];
});
afterAll(async () => {
  for (const name of made)
    await on('postgres', (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  await rm(directory, { recursive: true, force: true });
});

const file = (name: string, text: string) => writeFile(join(directory, name), text);

test('an empty database gets everything, the second time nothing', async () => {
  const { name, url } = await empty();
  const count = await migrate(url, migrationSets());
  expect(count).toBeGreaterThan(3);
  expect(await migrate(url, migrationSets())).toBe(0);
  const { rows } = await on(name, (client) =>
    client.query<{ n: number }>(
      'SELECT ((SELECT count(*) FROM kit.migration) + (SELECT count(*) FROM kit.stored))::int AS n',
    ),
  );
  expect(rows[0]?.n).toBe(count);
});

test('four processes that start at once migrate once', async () => {
  const { url } = await empty();
  const counts = await Promise.all(Array.from({ length: 4 }, () => migrate(url, sets)));
  expect(counts.filter((count) => count > 0)).toHaveLength(1);
});

test('a database of a newer version is left alone, and the words say so', async () => {
  const { name, url } = await empty();
  await migrate(url, sets);
  await on(name, (client) =>
    client.query("INSERT INTO kit.migration (module, name, hash) VALUES ('kit', '999-future.sql', 'x')"),
  );
  await expect(migrate(url, sets)).rejects.toThrow(ConfigError);
  await expect(migrate(url, sets)).rejects.toThrow(
    '数据库由更新的版本创建（kit/999-future.sql 在本版本中不存在），请升级程序后再启动',
  );
});

test('a migration that was edited after it ran stops the start', async () => {
  await file('001-a.sql', 'CREATE TABLE kit.one (company_id uuid)');
  const { url } = await empty();
  await migrate(url, sets);
  await file('001-a.sql', 'CREATE TABLE kit.one (company_id uuid, name text)');
  await expect(migrate(url, sets)).rejects.toThrow('迁移 extra/001-a.sql 在执行后被修改过，拒绝启动');
});

test('files run in the order of their names; one that fails leaves nothing of itself and can be mended', async () => {
  await file('001-a.sql', 'CREATE TABLE kit.one (company_id uuid)');
  await file('002-b.sql', 'CREATE TABLE kit.two (company_id uuid); SELECT 1 / 0');
  await file('010-c.sql', 'CREATE TABLE kit.three (company_id uuid)');
  const { name, url } = await empty();
  await expect(migrate(url, sets)).rejects.toThrow(/extra\/002-b\.sql: division by zero/);
  const tables = () =>
    on(name, (client) =>
      client.query(
        "SELECT to_regclass('kit.one') AS one, to_regclass('kit.two') AS two, to_regclass('kit.three') AS three",
      ),
    );
  expect((await tables()).rows).toEqual([{ one: 'kit.one', two: null, three: null }]);
  await file('002-b.sql', 'CREATE TABLE kit.two (company_id uuid)');
  expect(await migrate(url, sets)).toBe(2);
  expect((await tables()).rows).toEqual([{ one: 'kit.one', two: 'kit.two', three: 'kit.three' }]);
});
