// What a leaver answers for passes on, whichever module keeps it; what is finished stays with who did it.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handOver, handoverPreview } from '#modules/identity/contract/sub-users.ts';
import { fillTables } from './catalogue.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import { adminOf } from './walk.ts';

let world: World;
let admin: pg.Pool;
let owner: Person;
let leaver: Person;
let heir: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  owner = await world.owner();
  leaver = await world.member(owner, []);
  heir = await world.member(owner, []);
  await fillTables(admin, owner.companyId, '样例');
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Kinds of documents with a table, a state in which something is left to do, and one in which nothing is. */
const DOCUMENTS = [
  ['purchase.orders', 'purchase.purchase_order', 'ordered', 'closed'],
  ['purchase.amendments', 'purchase.amendment', 'pending', 'applied'],
  ['purchase.returns', 'purchase.return_order', 'pending', 'shipped'],
  ['purchase.processes', 'purchase.process_order', 'running', 'stopped'],
  ['finance.requests', 'finance.payment_request', 'returned', 'cancelled'],
  ['finance.blocRequests', 'finance.bloc_request', 'approved', 'cancelled'],
  ['finance.settlements', 'finance.supplier_settlement', 'confirmed', 'cancelled'],
  ['warehouse.documents', 'warehouse.document', 'partial', 'done'],
] as const;

const countOf = async (key: string) =>
  (await owner.call(handoverPreview, { params: { id: leaver.userId } })).find((item) => item.key === key)?.count;

/** Writes the leaver as the maker of the one document of its kind. */
const make = (table: string, state: string) =>
  admin.query(`UPDATE ${table} SET created_by = $1, created_by_name = '离职者', state = $2 WHERE company_id = $3`, [
    leaver.userId,
    state,
    owner.companyId,
  ]);

const makerOf = async (table: string) => {
  const { rows } = await admin.query<{ id: string; name: string }>(
    `SELECT created_by AS id, created_by_name AS name FROM ${table} WHERE company_id = $1`,
    [owner.companyId],
  );
  return rows;
};

test.each(DOCUMENTS)('%s', async (key, table, open, over) => {
  const hand = () => owner.call(handOver, { body: { from: leaver.userId, to: heir.userId, keys: [key] } });
  expect((await make(table, over)).rowCount).toBe(1);
  expect(await countOf(key)).toBe(0);
  expect((await hand())[0]?.count).toBe(0);
  expect(await makerOf(table)).toEqual([{ id: leaver.userId, name: '离职者' }]);
  await make(table, open);
  expect(await countOf(key)).toBe(1);
  expect(await hand()).toMatchObject([{ key, count: 1 }]);
  expect(await countOf(key)).toBe(0);
  expect(await makerOf(table)).toEqual([{ id: heir.userId, name: expect.stringMatching(/^member-/) }]);
});
