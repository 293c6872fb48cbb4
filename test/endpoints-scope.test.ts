// Data rights below the company: a colleague with every permission but no store and no warehouse.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveStore } from '#modules/marketplace/contract/stores.ts';
import { fillTables, fingerprint, tablesOf } from './catalogue.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import {
  addressOf,
  adminOf,
  bodyOf,
  complaints,
  endpoints,
  fire,
  inputFor,
  mint,
  nameOf,
  type Reply,
  takesAnId,
  WALK_MS,
  worthTrying,
} from './walk.ts';

const MARKER = '别店机密';
/** Columns that bind a row to a store, an account or a warehouse. */
const BINDING = ['store_id', 'account_id', 'warehouse_id'];

/** Tables with such a column that stay open to all of the company, and why. */
const OPEN: Record<string, string> = {};

let world: World;
let admin: pg.Pool;
let owner: Person;
let colleague: Person;
/** Ids of rows that belong to a store, by table. */
let loot: [table: string, id: string][];
let bound: string[];

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  owner = await world.owner('一家公司');
  const store = await owner.call(saveStore, { body: { name: `${MARKER}店铺` } });
  const { ids } = await fillTables(admin, owner.companyId, MARKER);
  const tables = await tablesOf(admin);
  bound = tables
    .filter((table) => table.columns.some((column) => BINDING.includes(column.name)))
    .map((table) => table.name);
  loot = [
    ['marketplace.store', store],
    ...[...ids].flatMap(([table, found]) =>
      bound.includes(table) ? found.map((id): [string, string] => [table, id]) : [],
    ),
  ];
  colleague = await world.member(owner, [...world.runtime.codes]);
  await admin.query(
    `INSERT INTO identity.member_scope (company_id, member_id, dimension, mode)
     VALUES ($1, $2, 'store', 'LIST'), ($1, $2, 'warehouse', 'LIST')`,
    [colleague.companyId, colleague.userId],
  );
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

test('every table that says which store its rows belong to is bound to data rights', async () => {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT schemaname || '.' || tablename AS name FROM pg_policies WHERE policyname = 'scope_read'`,
  );
  const guarded = new Set(rows.map((row) => row.name));
  expect(bound.length).toBeGreaterThan(20);
  expect(bound.filter((table) => !guarded.has(table) && !Object.hasOwn(OPEN, table))).toEqual([]);
});

let session = '';

async function attempt(method: string, url: string, payload: object): Promise<Reply> {
  session ||= await mint(admin, colleague);
  const reply = await fire(world, { method, url, session, ...payload });
  if (reply.status !== 401) return reply;
  session = '';
  return attempt(method, url, payload);
}

test('ids of a store out of reach find nothing, change nothing and give nothing away', {
  timeout: WALK_MS,
}, async () => {
  const before = await fingerprint(admin, owner.companyId);
  const secrets = loot.map(([, id]) => id);
  const guarded = endpoints.filter((endpoint) => endpoint.permission !== 'public');
  const found = await complaints(guarded, async (endpoint) => {
    const worth = worthTrying(endpoint, loot);
    for (const [table, id] of takesAnId(endpoint) && worth.length > 0 ? worth : loot.slice(0, 1)) {
      const input = inputFor(endpoint, { id, all: true });
      const payload = input.body === undefined ? {} : { payload: JSON.stringify(input.body) };
      const reply = await attempt(endpoint.method, addressOf(endpoint, input), payload);
      const say = (what: string) =>
        `${nameOf(endpoint)} with ${table}: ${what}: ${reply.status} ${reply.text.slice(0, 200)}`;
      if (reply.status >= 500) return say('fault');
      const leaked = secrets.find((secret) => secret !== id && reply.text.includes(secret));
      if (leaked) return say(`leaked ${leaked}`);
      if (reply.type.includes('application/json')) bodyOf(reply);
    }
    return undefined;
  });
  expect(found).toEqual([]);
  const after = await fingerprint(admin, owner.companyId);
  expect(Object.fromEntries(bound.map((table) => [table, after[table]]))).toEqual(
    Object.fromEntries(bound.map((table) => [table, before[table]])),
  );
});
