import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrationSets } from '#src/app/migrations.ts';
import { serverUrl } from '#test/support/database.ts';
import { migrate } from '../db/migrate.ts';

let directory: string;
let name: string;

async function on<T>(database: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl(database) });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'erp-stored-'));
  name = `stored_${randomUUID().replaceAll('-', '')}`;
  await mkdir(join(directory, 'migrations'));
  await mkdir(join(directory, 'stored'));
  await writeFile(join(directory, 'migrations/001-extra.sql'), 'CREATE TABLE kit.thing (n int)');
  await on('postgres', (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
});
afterEach(async () => {
  await on('postgres', (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  await rm(directory, { recursive: true, force: true });
});

const say = (file: string, text: string) => writeFile(join(directory, 'stored', file), text);

/** A start of the product: how many files it ran. */
function start(): Promise<number> {
  const extra = {
    module: 'extra',
    directory: join(directory, 'migrations'),
    stored: join(directory, 'stored'),
  };
  return migrate(serverUrl(name), [...migrationSets().slice(0, 2), extra]);
}

const ask = (query: string) =>
  on(name, async (client) => (await client.query<{ answer: unknown }>(`SELECT ${query} AS answer`)).rows[0]?.answer);

const FUNCTION = 'CREATE OR REPLACE FUNCTION kit.twice';

test('a function runs as its file says; a changed file is applied again, and only that', async () => {
  await say('twice.sql', `${FUNCTION}(n int) RETURNS int LANGUAGE sql AS 'SELECT n + n'`);
  await say('thrice.sql', `CREATE OR REPLACE FUNCTION kit.thrice(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 3'`);
  await start();
  expect(await ask('kit.twice(4)')).toBe(8);
  expect(await start()).toBe(0);
  await say('twice.sql', `${FUNCTION}(n int) RETURNS int LANGUAGE sql AS 'SELECT n * 2 + 100'`);
  expect(await start()).toBe(1);
  expect([await ask('kit.twice(4)'), await ask('kit.thrice(4)')]).toEqual([108, 12]);
});

test('other arguments or another type of answer leave one function of the name', async () => {
  await say('twice.sql', `${FUNCTION}(n int) RETURNS int LANGUAGE sql AS 'SELECT n + n'`);
  await start();
  await say('twice.sql', `${FUNCTION}(n int) RETURNS text LANGUAGE sql AS $$ SELECT (n + n)::text $$`);
  await start();
  expect(await ask('kit.twice(4)')).toBe('8');
  await say('twice.sql', `${FUNCTION}(n int, m int DEFAULT 2) RETURNS int LANGUAGE sql AS 'SELECT n * m'`);
  await start();
  expect(await ask('kit.twice(4)')).toBe(8);
  expect(await ask("(SELECT count(*)::int FROM pg_proc WHERE proname = 'twice')")).toBe(1);
});

test('what a file no longer makes goes, with the file or without it: triggers, views and functions', async () => {
  const made = `CREATE OR REPLACE FUNCTION kit.count_up() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.n := NEW.n + 1; RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER count_up BEFORE INSERT ON kit.thing FOR EACH ROW EXECUTE FUNCTION kit.count_up();`;
  await say('count_up.sql', `${made}\nCREATE OR REPLACE VIEW kit.thing_seen AS SELECT n FROM kit.thing;`);
  await start();
  await on(name, (client) => client.query('INSERT INTO kit.thing VALUES (1)'));
  expect(await ask('(SELECT n FROM kit.thing_seen)')).toBe(2);
  await say('count_up.sql', made);
  await start();
  expect(await ask("to_regclass('kit.thing_seen')")).toBeNull();
  await rm(join(directory, 'stored/count_up.sql'));
  expect(await start()).toBe(1);
  expect(await ask("to_regproc('kit.count_up')")).toBeNull();
  await on(name, (client) => client.query('INSERT INTO kit.thing VALUES (5)'));
  expect(await ask('(SELECT max(n) FROM kit.thing)')).toBe(5);
});

test('a file that fails is named and changes nothing; one that calls what is nowhere is found out', async () => {
  await say('twice.sql', `${FUNCTION}(n int) RETURNS int LANGUAGE sql AS 'SELECT n + n'`);
  await start();
  await say('twice.sql', `${FUNCTION}(n int) RETURNS int LANGUAGE sql AS 'SELECT n'; SELECT 1 / 0`);
  await expect(start()).rejects.toThrow('extra/twice.sql: division by zero');
  expect(await ask('kit.twice(4)')).toBe(8);
  await say('twice.sql', `${FUNCTION}(n int) RETURNS int LANGUAGE sql AS 'SELECT kit.nowhere(n)'`);
  const refused = 'extra/twice.sql: function kit.nowhere(integer) does not exist';
  await expect(start()).rejects.toThrow(refused);
  await expect(start()).rejects.toThrow(refused);
});

test('a database of before the first release is refused in one line that says how to begin anew', async () => {
  await on(name, (client) =>
    client.query('CREATE SCHEMA kit; CREATE TABLE kit.migration (module text, name text, hash text)'),
  );
  await expect(start()).rejects.toThrow('请用 npm start -- --fresh 重新开始，或换一个 DATA_DIR（DATABASE_URL）');
});
