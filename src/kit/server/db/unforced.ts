import type pg from 'pg';

/**
 * Tables that a migration names and on which row-level security binds their owner as well. A role that bypasses it, a
 * superuser for one, is bound by none.
 */
const BOUND = `
  SELECT c.oid::regclass::text AS name
    FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_roles AS r ON r.rolname = current_user AND NOT r.rolsuper AND NOT r.rolbypassrls
   WHERE c.relkind IN ('r', 'p') AND c.relforcerowsecurity AND position(n.nspname || '.' || c.relname IN $1) > 0`;

/** Tables that have row-level security and spare their owner. Those of the job queue always do: their owner works with them. */
const FREE = `
  SELECT c.oid::regclass::text AS name FROM pg_class AS c
   WHERE c.relkind IN ('r', 'p') AND c.relrowsecurity AND NOT c.relforcerowsecurity`;

async function names(client: pg.Client, query: string, values: readonly string[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query, [...values]);
  return rows.map(({ name }) => name);
}

/**
 * Runs a migration's text in the open transaction so that it sees and fills the rows of every company, whatever role it
 * runs as: row-level security binds owners, and without a company they see nothing and may write nothing. What was freed
 * or made meanwhile is bound when it returns; a transaction that is rolled back has freed nothing.
 */
export async function runUnforced(client: pg.Client, sql: string): Promise<void> {
  const others = new Set(await names(client, FREE));
  // kit.tenant_table binds no owner while this is on.
  await client.query("SET LOCAL kit.filling = 'on'");
  for (const name of await names(client, BOUND, [sql])) {
    await client.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
  }
  await client.query(sql);
  for (const name of await names(client, FREE)) {
    if (!others.has(name)) await client.query(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
  }
}
