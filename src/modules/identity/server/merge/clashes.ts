import type pg from 'pg';
import type { TenantTable, UniqueKey } from './catalogue.ts';
import type { Clash } from './moves.ts';

/** A row of the company that moves which a row of the target is in the way of. */
export interface Conflict {
  /** What the rows are called, e.g. 商品 */
  title: string;
  /** The values that both have, e.g. "SKU-001". */
  value: string;
}

/** More of one kind are only counted: nobody reads longer lists. */
export const LISTED = 20;

/** Texts that number or name a row; an addition makes room for both. */
const RENAMED = ['number', 'name'];

/** A text may carry the addition several times, until nobody is in its way. */
const ATTEMPTS = 20;

/** What a clash on a key leads to: as declared, else numbers and names get an addition and anything else is refused. */
export function outcomeOf(declared: Clash | undefined, key: UniqueKey): Clash {
  if (declared) return declared;
  const column = RENAMED.find((each) => key.columns.includes(each));
  return column ? { rename: column } : 'refuse';
}

/** Keys on which rows of two companies can really meet: where a parent's key is part of one, the parents met before. */
export function freeKeys(table: TenantTable, moving: ReadonlySet<string>): UniqueKey[] {
  return table.keys.filter(
    (key) =>
      key.nullsEqual ||
      !table.references.some(
        ({ to, columns }) =>
          moving.has(to) && columns.length > 0 && columns.every((column) => key.columns.includes(column)),
      ),
  );
}

/** Condition under which a staged row `s` and a row `t` of the target have the same key. */
function same(key: UniqueKey): string {
  const equal = key.nullsEqual ? 'IS NOT DISTINCT FROM' : '=';
  return key.columns.map((column) => `s.${column} ${equal} t.${column}`).join(' AND ') || 'true';
}

/** Rows in the way, for a transaction that sees the target's rows; `staged` holds those that want to move. */
function meeting(table: TenantTable, key: UniqueKey, staged: string): string {
  const where = key.predicate ? ` WHERE ${key.predicate}` : '';
  return `FROM (SELECT * FROM ${staged}${where}) AS s JOIN (SELECT * FROM ${table.quoted}${where}) AS t ON ${same(key)}`;
}

/**
 * Lists the rows in the way, the first twenty by name and the others as a number. They leave the stage: two keys of one
 * row are one conflict.
 */
export async function listClashes(
  client: pg.PoolClient,
  table: TenantTable,
  key: UniqueKey,
  staged: string,
  title: string,
): Promise<Conflict[]> {
  const columns = key.columns.length > 0 ? key.columns : ['company_id'];
  const value = `concat_ws(' / ', ${columns.map((column) => `s.${column}`).join(', ')})`;
  const { rows } = await client.query<{ value: string; total: number }>(
    `SELECT DISTINCT ${value} AS value, count(*) OVER () AS total ${meeting(table, key, staged)} ORDER BY 1 LIMIT ${LISTED}`,
  );
  const total = rows[0]?.total ?? 0;
  if (total > 0) await giveWay(client, table, key, staged);
  const listed = rows.map((row) => ({ title, value: row.value }));
  return total > LISTED ? [...listed, { title, value: `等共${total}条` }] : listed;
}

/** Takes the staged rows that have to give way out of the staging table. */
export async function giveWay(client: pg.PoolClient, table: TenantTable, key: UniqueKey, staged: string) {
  await client.query(
    `DELETE FROM ${staged} AS gone USING (SELECT s.ctid AS place ${meeting(table, key, staged).replace('SELECT *', 'SELECT *, ctid')}) AS met
      WHERE gone.ctid = met.place`,
  );
}

/** Adds a text to a column of the staged rows that somebody is in the way of. Throws where even that does not help. */
export async function rename(
  client: pg.PoolClient,
  table: TenantTable,
  key: UniqueKey,
  staged: string,
  column: string,
  addition: (attempt: number) => string,
): Promise<void> {
  const met = meeting(table, key, staged).replace('SELECT *', 'SELECT *, ctid');
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { rowCount } = await client.query(
      `UPDATE ${staged} AS renamed SET ${column} = renamed.${column} || $1
         FROM (SELECT s.ctid AS place ${met}) AS found WHERE renamed.ctid = found.place`,
      [addition(attempt)],
    );
    if (rowCount === 0) return;
  }
  throw new Error(`no free name in ${table.name}`);
}

/** Gives the target's rows the greater of both numbers, before the staged ones give way. */
export async function keepGreatest(
  client: pg.PoolClient,
  table: TenantTable,
  key: UniqueKey,
  staged: string,
  column: string,
): Promise<void> {
  await client.query(
    `UPDATE ${table.quoted} AS t SET ${column} = s.${column} FROM ${staged} AS s
      WHERE ${same(key)} AND s.${column} > t.${column}`,
  );
  await giveWay(client, table, key, staged);
}
