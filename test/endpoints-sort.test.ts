// What each list says that it can be ordered by is what it takes, no more and no less.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf } from '#kit/contract/columns.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { putOperator } from '#modules/identity/server/index.ts';
import { loadFields } from '#modules/system/contract.ts';
import { modules } from '#src/app/modules.ts';
import { fillTables } from './catalogue.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import { addressOf, adminOf, bodyOf, endpoints, fire, inputFor, mint, type Sent } from './walk.ts';

let world: World;
let admin: pg.Pool;
let owner: Person;
/** What the one list needs that is of something: the lines of a settlement. */
let settlement: string;
const sessions = { owner: '', operator: '' };

/** Rows that a list pages through; undefined for any other call. */
function rowOf({ reply }: Endpoint): z.ZodObject | undefined {
  const records = reply instanceof z.ZodObject ? reply.shape.records : undefined;
  return records instanceof z.ZodArray && records.element instanceof z.ZodObject ? records.element : undefined;
}

/** Lists whose body says by what to order them: what `PageQuery` describes. */
const lists = endpoints.flatMap((endpoint) => {
  const row = rowOf(endpoint);
  return row && endpoint.body ? [[`${endpoint.method} ${endpoint.path}`, endpoint, row] as const] : [];
});

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  owner = await world.owner();
  await putOperator(world.runtime, { account: 'operator@example.com', password: 'Geheim-2026', name: '运营' });
  const { rows } = await admin.query<{ companyId: string; userId: string }>(
    `SELECT company_id AS "companyId", id AS "userId" FROM identity.member WHERE user_type = 'operator'`,
  );
  // A company with a row of everything, so that no list stops early because there is nothing to look at.
  await fillTables(admin, owner.companyId, '样例');
  const made = await admin.query<{ id: string }>(
    `UPDATE settlement.settlement SET superseded_at = NULL, account_id = (SELECT id FROM marketplace.seller_account)
     RETURNING id`,
  );
  settlement = made.rows[0]?.id ?? '';
  sessions.owner = await mint(admin, owner);
  sessions.operator = await mint(admin, rows[0] ?? owner);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const fireAs = (endpoint: Endpoint, input: Sent, more: object) => {
  const session = world.runtime.operatorCodes.has(endpoint.permission) ? sessions.operator : sessions.owner;
  const payload = JSON.stringify({ ...(input.body as object), ...more });
  return fire(world, { method: endpoint.method, url: addressOf(endpoint, input), session, payload });
};

/** Whether a list takes an order; throws where it answers anything but its rows or that it does not. */
async function takes(endpoint: Endpoint, input: Sent, sort: string): Promise<boolean> {
  const reply = await fireAs(endpoint, input, { sort });
  const { code, msg, data } = bodyOf(reply);
  if (code === 201) return true;
  if (data?.code === 'B0030') return false;
  throw new Error(`${endpoint.path} by ${sort}: ${reply.status} ${msg}`);
}

test('there are lists to walk', () => {
  expect(lists.length).toBeGreaterThan(80);
});

test.each(lists)('%s', async (_name, endpoint, row) => {
  const input = inputFor(endpoint, { id: settlement, all: false });
  const keys = columnsOf(row).map((column) => column.key);
  const taken: string[] = [];
  for (const key of keys) if (await takes(endpoint, input, key)) taken.push(key);
  expect(taken).toEqual(keys.filter((key) => endpoint.sortable?.includes(key)));
  // A first page that is not full is its own count: behind the last page all rows have to be counted.
  const behind = bodyOf(await fireAs(endpoint, input, { currentpage: 2 }));
  expect([behind.code, behind.data], behind.msg).toEqual([201, expect.objectContaining({ total: expect.any(Number) })]);
  // Nothing is promised that is no column.
  expect(endpoint.sortable?.filter((key) => !keys.includes(key)) ?? []).toEqual([]);
});

/** Lists that are answered whole, in the order that their screens give them: they are paged and ordered by nobody. */
const WHOLE = ['marketplace/accounts', 'product/category'];

test.each(modules.flatMap((module) => Object.entries(module.lists ?? {})))(
  'the catalogue of %s says so',
  async (queryname, row) => {
    const reply = await fire(world, {
      method: 'GET',
      url: addressOf(loadFields, { query: { queryname } }),
      session: sessions.owner,
    });
    const fields = (JSON.parse(reply.text) as { data: { ffield: string; sortable: boolean }[] }).data;
    const call = lists.find(([, , other]) => other === row)?.[1];
    const sortable = fields.filter((field) => field.sortable).map((field) => field.ffield);
    const shown = new Set(fields.map((field) => field.ffield));
    expect(new Set(sortable)).toEqual(new Set(call?.sortable?.filter((key) => shown.has(key)) ?? []));
    expect(call === undefined).toBe(WHOLE.includes(queryname));
  },
);
