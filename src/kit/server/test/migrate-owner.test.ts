import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationSets } from '#src/app/migrations.ts';
import { serverUrl } from '#test/support/database.ts';
import { type MigrationSet, migrate } from '../db/migrate.ts';

const key = randomUUID().replaceAll('-', '');
const database = `owned_${key}`;
const owner = `owner_${key}`;
const COMPANIES = [randomUUID(), randomUUID()];
let directory: string;
let url: string;
let sets: MigrationSet[];

async function on<T>(address: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
const asServer = (...commands: string[]) =>
  on(serverUrl('postgres'), async (client) => {
    for (const command of commands) await client.query(command);
  });

/** Rows of the tables as someone sees them whom no row-level security binds. */
const counted = (table: string) =>
  on(serverUrl(database), async (client) => {
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`);
    return rows[0]?.n;
  });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'erp-owner-'));
  await asServer(
    `CREATE ROLE ${owner} LOGIN PASSWORD 'owner' CREATEROLE`,
    `GRANT erp_app, erp_scoped, erp_ledger, erp_money, erp_books TO ${owner} WITH ADMIN OPTION`,
    `CREATE DATABASE ${database} TEMPLATE template0 OWNER ${owner}`,
  );
  const address = new URL(serverUrl(database));
  address.username = owner;
  address.password = 'owner';
  url = address.toString();
  sets = [...migrationSets(), { module: 'extra', directory }];
});
afterAll(async () => {
  await asServer(
    `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`,
    `REVOKE erp_app, erp_scoped, erp_ledger, erp_money, erp_books FROM ${owner} CASCADE`,
    `DROP OWNED BY ${owner}`,
    `DROP ROLE ${owner}`,
  );
  await rm(directory, { recursive: true, force: true });
});

test('a role that is bound by row-level security sets everything up, and its migrations fill tables of all companies', async () => {
  await migrate(url, sets);
  await writeFile(
    join(directory, '001-note.sql'),
    `CREATE TABLE kit.note (company_id uuid NOT NULL, text text NOT NULL); CALL kit.tenant_table('kit.note')`,
  );
  await migrate(url, sets);
  await on(serverUrl(database), (client) =>
    client.query('INSERT INTO kit.note (company_id, text) SELECT unnest($1::uuid[]), $2', [COMPANIES, 'a']),
  );
  await writeFile(
    join(directory, '002-word.sql'),
    `CREATE TABLE kit.word (company_id uuid NOT NULL, text text NOT NULL);
     CALL kit.tenant_table('kit.word');
     INSERT INTO kit.word SELECT company_id, text FROM kit.note;
     UPDATE kit.note SET text = 'b'`,
  );
  await migrate(url, sets);
  expect([await counted('kit.word'), await counted("kit.note WHERE text = 'b'")]).toEqual([2, 2]);
});

test('afterwards it is bound again, by what was there and by what is new, and not by the queue of jobs', async () => {
  const queue = "relnamespace = 'graphile_worker'::regnamespace";
  const free = `pg_class WHERE relrowsecurity AND NOT relforcerowsecurity AND NOT ${queue}`;
  const bound = `pg_class WHERE relforcerowsecurity AND ${queue}`;
  const all = "pg_class WHERE relrowsecurity AND relname IN ('note', 'word')";
  expect([await counted(free), await counted(all), await counted(bound)]).toEqual([0, 2, 0]);
  const seen = await on(url, async (client) => {
    await client.query(`SET app.company_id = '${COMPANIES[0]}'`);
    return (await client.query('SELECT FROM kit.note')).rowCount;
  });
  expect(seen).toBe(1);
});
