import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** One file of stored code: a function, procedure, trigger or view, named as the file. */
interface StoredFile {
  name: string;
  sql: string;
  hash: string;
}

/** What a file has made, as PostgreSQL names it: DROP takes `type` and `identity` as they are. */
interface Made {
  type: string;
  identity: string;
}

/** The same name with another type of answer or of default: PostgreSQL wants the old one gone first. */
const CANNOT_REPLACE = new Set(['42P13', '42P16']);

/** Whatever hangs on another goes before it. */
const DROP_ORDER = ['trigger', 'view', 'function', 'procedure'];

async function load(directory: string): Promise<StoredFile[]> {
  const names = await readdir(directory).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map(async (name) => {
        const sql = await readFile(join(directory, name), 'utf8');
        return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
      }),
  );
}

/** Every function, trigger and view of our own, each with the version of the row that describes it. */
async function objects(client: pg.Client): Promise<Map<string, Made>> {
  const { rows } = await client.query<Made & { version: string }>(`
    SELECT type, identity, version FROM (
      SELECT 'pg_proc'::regclass AS class, p.oid, p.xmin::text AS version FROM pg_proc AS p
       WHERE p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      UNION ALL SELECT 'pg_trigger'::regclass, t.oid, t.xmin::text FROM pg_trigger AS t WHERE NOT t.tgisinternal
      UNION ALL SELECT 'pg_class'::regclass, c.oid, c.xmin::text || '/' ||
             (SELECT r.xmin::text FROM pg_rewrite AS r WHERE r.ev_class = c.oid AND r.rulename = '_RETURN') FROM pg_class AS c
       WHERE c.relkind = 'v' AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    ) AS o, pg_identify_object(o.class, o.oid, 0)`);
  return new Map(rows.map(({ type, identity, version }) => [`${type} ${identity} ${version}`, { type, identity }]));
}

async function drop(client: pg.Client, gone: readonly Made[]): Promise<void> {
  const order = ({ type }: Made) => DROP_ORDER.indexOf(type);
  for (const { type, identity } of gone.toSorted((a, b) => order(a) - order(b))) {
    await client.query(`DROP ${type} IF EXISTS ${identity}`);
  }
}

/** Runs one file and answers what it has made or made anew. */
async function apply(client: pg.Client, file: StoredFile, before: readonly Made[]): Promise<Made[]> {
  const known = await objects(client);
  await client.query('SAVEPOINT stored');
  try {
    await client.query(file.sql);
  } catch (error) {
    if (!CANNOT_REPLACE.has((error as { code?: string }).code ?? '')) throw error;
    await client.query('ROLLBACK TO SAVEPOINT stored');
    await drop(client, before);
    await client.query(file.sql);
  }
  return [...(await objects(client))].filter(([key]) => !known.has(key)).map(([, made]) => made);
}

/**
 * Brings a module's functions, procedures, triggers and views to what its files say, in one transaction: each file whose
 * text has changed runs again, and what its former text made and no text makes now is dropped. Bodies may name what later
 * files bring; {@link validateStored} reads them once all are there.
 * @returns how many files ran or went
 */
export async function applyStored(client: pg.Client, module: string, directory: string): Promise<number> {
  const files = await load(directory);
  const { rows } = await client.query<{ name: string; hash: string; made: Made[] }>(
    'SELECT name, hash, made FROM kit.stored WHERE module = $1',
    [module],
  );
  const applied = new Map(rows.map((row) => [row.name, row]));
  const changed = files.filter(({ name, hash }) => applied.get(name)?.hash !== hash);
  const gone = rows.filter(({ name }) => !files.some((file) => file.name === name));
  if (changed.length + gone.length === 0) return 0;

  let at = '';
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL check_function_bodies = off');
    const old = gone.flatMap(({ made }) => made);
    const kept = new Set<string>();
    for (const file of changed) {
      at = file.name;
      const before = applied.get(file.name)?.made ?? [];
      const made = await apply(client, file, before);
      old.push(...before);
      for (const { type, identity } of made) kept.add(`${type} ${identity}`);
      await client.query(
        `INSERT INTO kit.stored (module, name, hash, made) VALUES ($1, $2, $3, $4)
         ON CONFLICT (module, name) DO UPDATE SET hash = EXCLUDED.hash, made = EXCLUDED.made`,
        [module, file.name, file.hash, JSON.stringify(made)],
      );
    }
    at = 'what no file makes any more';
    await drop(
      client,
      old.filter(({ type, identity }) => !kept.has(`${type} ${identity}`)),
    );
    await client.query('DELETE FROM kit.stored WHERE module = $1 AND name = ANY ($2)', [
      module,
      gone.map(({ name }) => name),
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`${module}/${at}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  return changed.length + gone.length;
}

/**
 * Has PostgreSQL read the bodies of all stored code, now that everything they name is there. A file with a body that names
 * what is nowhere counts as not applied, so that the next start finds it again.
 */
export async function validateStored(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ module: string; name: string; check: string }>(`
    SELECT s.module, s.name, format('SELECT %I(%s)', CASE l.lanname WHEN 'sql' THEN 'fmgr_sql_validator'
             ELSE 'plpgsql_validator' END, p.oid) AS check
      FROM kit.stored AS s, jsonb_to_recordset(s.made) AS made(type text, identity text)
      JOIN pg_proc AS p ON p.oid = made.identity::regprocedure
      JOIN pg_language AS l ON l.oid = p.prolang AND l.lanname IN ('sql', 'plpgsql')
     WHERE made.type IN ('function', 'procedure')`);
  for (const { module, name, check } of rows) {
    try {
      await client.query(check);
    } catch (error) {
      await client.query("UPDATE kit.stored SET hash = '' WHERE module = $1 AND name = $2", [module, name]);
      throw new Error(`${module}/${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}
