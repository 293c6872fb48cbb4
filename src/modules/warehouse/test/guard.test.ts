import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedgerWorld, createStock, receive, type Stock, type World, within } from './support.ts';

/** What only the ledger writes. */
const LEDGER = [
  'stock_posting',
  'stock_entry',
  'stock_balance',
  'cost_layer',
  'layer_consumption',
  'reservation',
  'reservation_move',
  'daily_snapshot',
  'snapshot_progress',
  'revaluation',
  'average_pool',
];
const SRC = fileURLToPath(new URL('../../..', import.meta.url));
const WRITE = new RegExp(
  `(?:INSERT\\s+INTO|UPDATE|DELETE\\s+FROM|TRUNCATE|MERGE\\s+INTO|COPY|(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*['"\`])\\s*(?:ONLY\\s+)?"?warehouse"?\\."?(?:${LEDGER.join('|')})\\b`,
  'gi',
);

let world: World;
let stock: Stock;

beforeAll(async () => {
  world = await createLedgerWorld();
  stock = await createStock(world, ['ONE']);
  await receive(world, stock, 'ONE', 5, '1');
});
afterAll(() => world.close());

/** Places in the sources that write what only the ledger may write. */
function writers(): string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|tsx|sql)$/.test(name));
  return files.flatMap((name) => {
    if (/(^|\/)test\//.test(name)) return [];
    const found = readFileSync(join(SRC, name), 'utf8').match(WRITE) ?? [];
    return found.map((text) => `${relative(SRC, join(SRC, name))}: ${text}`);
  });
}

describe('nobody but the ledger writes stock', () => {
  it('no source file does, save the functions of the ledger', () => {
    const found = writers();
    const elsewhere = found.filter((line) => !/^modules\/warehouse\/stored\/\w+\.sql:/.test(line));
    expect(elsewhere).toEqual([]);
    // The walk sees the ledger's own writes, so it would see others.
    expect(found.length).toBeGreaterThan(15);
    expect(`await sql\`UPDATE warehouse.stock_balance SET`.match(WRITE)).toHaveLength(1);
    expect(`db.insertInto('warehouse.cost_layer')`.match(WRITE)).toHaveLength(1);
  });

  it.each(LEDGER)('the database refuses to write %s to the application, past every door', async (table) => {
    const columns = await world.admin.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = ('warehouse.' || $1)::regclass AND attnum > 0 LIMIT 1`,
      [table],
    );
    const column = columns.rows[0]?.name ?? '';
    const parts = await world.admin.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = ('warehouse.' || $1)::regclass`,
      [table],
    );
    for (const name of [`warehouse.${table}`, ...parts.rows.map((row) => row.name)]) {
      for (const role of ['erp_app', 'erp_scoped']) {
        for (const command of [
          `UPDATE ${name} SET ${column} = ${column}`,
          `DELETE FROM ${name}`,
          `TRUNCATE ${name}`,
          `INSERT INTO ${name} DEFAULT VALUES`,
          `COPY ${name} FROM STDIN`,
        ]) {
          const attempt = world.runtime.connections.tenant(stock.companyId, (_db, client) =>
            client.query(`SET LOCAL ROLE ${role}; ${command}`),
          );
          await expect(attempt, `${role}: ${command}`).rejects.toThrow(/permission denied/);
        }
      }
    }
  });

  it('the inner functions of the ledger are closed, and those that are open are these', async () => {
    const { rows } = await world.admin.query<{ name: string; definer: boolean; open: boolean }>(
      `SELECT proname AS name, prosecdef AS definer, has_function_privilege('erp_app', oid, 'EXECUTE') AS open
         FROM pg_proc WHERE pronamespace = 'warehouse'::regnamespace AND pg_get_userbyid(proowner) = 'erp_ledger'`,
    );
    expect(
      rows
        .filter((row) => row.open)
        .map((row) => row.name)
        .sort(),
    ).toEqual([
      'add_cost',
      'add_value',
      'ensure_virtual',
      'expire',
      'fold_snapshots',
      'month_gather',
      'month_price',
      'month_write',
      'pick',
      'post',
      'rebuild_balances',
      'reserve',
      'reverse',
    ]);
    expect(rows.filter((row) => row.definer !== row.open)).toEqual([]);
    expect(rows.length).toBeGreaterThan(12);
  });

  it('the role of the ledger is bound to the company of the transaction like any other', async () => {
    const other = await createStock(world, ['ONE']);
    const { rows } = await world.admin.query<{ super: boolean; bypass: boolean; login: boolean; owns: number }>(
      `SELECT rolsuper AS super, rolbypassrls AS bypass, rolcanlogin AS login,
              (SELECT count(*) FROM pg_class WHERE relowner = r.oid) AS owns FROM pg_roles AS r WHERE rolname = 'erp_ledger'`,
    );
    expect(rows).toEqual([{ super: false, bypass: false, login: false, owns: 0 }]);
    // Somebody else's warehouse does not exist here.
    const foreign = within(world, other, (ctx) =>
      ctx.client.query(`SELECT warehouse.post($1)`, [
        JSON.stringify({
          type: 't',
          id: '1',
          event: 'e',
          seq: 0,
          number: 'n',
          operator: 'x',
          note: '',
          backdate: 0,
          date: null,
          moves: [
            {
              n: 1,
              p: stock.products.get('ONE'),
              q: 1,
              fw: stock.main,
              fl: stock.main,
              fb: stock.products.get('ONE'),
              fs: 'AVAILABLE',
              tw: other.main,
              tl: other.main,
              tb: stock.products.get('ONE'),
              ts: 'AVAILABLE',
            },
          ],
        }),
      ]),
    );
    await expect(foreign).rejects.toThrow('仓库不存在或已删除');
  });
});
