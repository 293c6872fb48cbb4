import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedgerWorld, openAccount, type World } from './support.ts';

/** What only the ledger writes. */
const LEDGER = ['posting', 'entry', 'open_item', 'balance'];
const SRC = fileURLToPath(new URL('../../..', import.meta.url));
const WRITE = new RegExp(
  `(?:INSERT\\s+INTO|UPDATE|DELETE\\s+FROM|TRUNCATE|MERGE\\s+INTO|COPY|(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*['"\`])\\s*(?:ONLY\\s+)?"?finance"?\\."?(?:${LEDGER.join('|')})\\b`,
  'gi',
);

let world: World;
const company = randomUUID();

beforeAll(async () => {
  world = await createLedgerWorld();
  await openAccount(world, company, '现金', { amount: '5' });
});
afterAll(() => world.close());

/** Places in the sources that write what only the ledger may write. */
function writers(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|tsx|sql)$/.test(name));
  return files.flatMap((name) => {
    if (/(^|\/)test\//.test(name)) return [];
    return (readFileSync(join(SRC, name), 'utf8').match(WRITE) ?? []).map((text) => `${name}: ${text}`);
  });
}

describe('nobody but the ledger writes money', () => {
  it('no source file does, save the functions of the ledger', () => {
    const found = writers();
    expect(found.filter((line) => !/^modules\/finance\/stored\/\w+\.sql:/.test(line))).toEqual([]);
    // The walk sees the ledger's own writes, so it would see others.
    expect(found.length).toBeGreaterThan(7);
    expect('await sql`UPDATE finance.balance SET'.match(WRITE)).toHaveLength(1);
    expect(`db.insertInto('finance.open_item')`.match(WRITE)).toHaveLength(1);
  });

  it.each(LEDGER)('the database refuses to write %s to the application, past every door', async (table) => {
    for (const role of ['erp_app', 'erp_scoped']) {
      for (const command of [
        `UPDATE finance.${table} SET company_id = company_id`,
        `DELETE FROM finance.${table}`,
        `TRUNCATE finance.${table}`,
        `INSERT INTO finance.${table} DEFAULT VALUES`,
        `COPY finance.${table} FROM STDIN`,
      ]) {
        const attempt = world.runtime.connections.tenant(company, (_db, client) =>
          client.query(`SET LOCAL ROLE ${role}; ${command}`),
        );
        await expect(attempt, `${role}: ${command}`).rejects.toThrow(/permission denied/);
      }
    }
  });

  it('nobody changes an entry, not even the ledger', async () => {
    for (const table of ['posting', 'entry', 'open_item']) {
      const { rows } = await world.admin.query<{ may: boolean }>(
        `SELECT has_table_privilege('erp_money', 'finance.${table}', 'UPDATE') OR has_table_privilege('erp_money', 'finance.${table}', 'DELETE') AS may`,
      );
      expect(rows, table).toEqual([{ may: false }]);
    }
  });

  it('the inner functions of the ledger are closed, and those that are open are these', async () => {
    const { rows } = await world.admin.query<{ name: string; definer: boolean; open: boolean }>(
      `SELECT proname AS name, prosecdef AS definer, has_function_privilege('erp_app', oid, 'EXECUTE') AS open
         FROM pg_proc WHERE pronamespace = 'finance'::regnamespace AND pg_get_userbyid(proowner) = 'erp_money'`,
    );
    const open = rows.filter((row) => row.open).map((row) => row.name);
    expect(open.sort()).toEqual(['post', 'rebuild_balances', 'reverse', 'set_overdraft']);
    expect(rows.filter((row) => row.definer !== row.open)).toEqual([]);
    expect(rows.length).toBeGreaterThan(8);
  });

  it('the role of the ledger owns nothing and is bound by row-level security', async () => {
    const { rows } = await world.admin.query(
      `SELECT rolsuper AS super, rolbypassrls AS bypass, rolcanlogin AS login,
              (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owns FROM pg_roles AS r WHERE rolname = 'erp_money'`,
    );
    expect(rows).toEqual([{ super: false, bypass: false, login: false, owns: 0 }]);
  });
});
