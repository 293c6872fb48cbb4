// Field rights: a colleague with every permission but those of single fields.
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { columnsOf } from '#kit/contract/columns.ts';
import { protects } from '#kit/contract/rights.ts';
import { modules } from '#src/app/modules.ts';
import { fillTables } from './catalogue.ts';
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
  WALK_MS,
  worthTrying,
} from './walk.ts';

let world: World;
let admin: pg.Pool;
let owner: Person;
let colleague: Person;
let ids: string[];
/** Rows of the company, by table. */
let rowsThere: [table: string, id: string][];

const rows = modules.flatMap((module) => Object.values(module.lists ?? {}));

/** Codes that some field of a list or an answer asks for. */
const fieldCodes = new Set(
  rows.flatMap((row) => columnsOf(row).flatMap((column) => (column.permission ? [column.permission] : []))),
);

/** Names of the fields of a schema that need one of these codes. */
function withheldKeys(schema: z.ZodType): string[] {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const keys = new Set<string>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, property] of Object.entries((node as { properties?: object }).properties ?? {})) {
      const { permission } = property as { permission?: string };
      if (permission && fieldCodes.has(permission)) keys.add(key);
    }
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(json);
  return [...keys];
}

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  owner = await world.owner('一家公司');
  const filled = await fillTables(admin, owner.companyId, '样例');
  rowsThere = [...filled.ids].flatMap(([table, found]) => found.map((id): [string, string] => [table, id]));
  ids = rowsThere.map(([, id]) => id);
  colleague = await world.member(
    owner,
    [...world.runtime.codes].filter((code) => !fieldCodes.has(code)),
  );
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

const sessions = new Map<Person, string>();

async function textOf(person: Person, endpoint: (typeof endpoints)[number], id: string): Promise<string> {
  const input = inputFor(endpoint, { id, all: false });
  const payload = input.body === undefined ? {} : { payload: JSON.stringify(input.body) };
  const session = sessions.get(person) ?? (await mint(admin, person));
  sessions.set(person, session);
  const reply = await fire(world, { method: endpoint.method, url: addressOf(endpoint, input), session, ...payload });
  return reply.text;
}

test('some calls answer with fields that not everybody may see', () => {
  expect(fieldCodes.size).toBeGreaterThan(1);
  expect(endpoints.filter((endpoint) => protects(endpoint.reply)).length).toBeGreaterThan(3);
});

test('no answer names a field that the caller may not see', { timeout: WALK_MS }, async () => {
  const guarded = endpoints.filter((endpoint) => endpoint.access === 'read' && withheldKeys(endpoint.reply).length > 0);
  const seen = new Set<string>();
  const found = await complaints(guarded, async (endpoint) => {
    const keys = withheldKeys(endpoint.reply);
    for (const [, id] of worthTrying(endpoint, rowsThere)) {
      const told = await textOf(colleague, endpoint, id);
      const leaked = keys.find((key) => told.includes(`"${key}":`));
      if (leaked) return `${nameOf(endpoint)} tells ${leaked}: ${told.slice(0, 200)}`;
      const all = await textOf(owner, endpoint, id);
      if (keys.some((key) => all.includes(`"${key}":`))) seen.add(nameOf(endpoint));
      // A call that takes no id answers all ids alike.
      if (!JSON.stringify(inputFor(endpoint, { id, all: false })).includes(id)) break;
    }
    return undefined;
  });
  expect(found).toEqual([]);
  // The owner got such fields by the same calls, or nothing would have been shown here.
  expect(seen.size).toBeGreaterThan(0);
});

test('no file has a column that the caller may not see', { timeout: WALK_MS }, async () => {
  const open = new Set(
    rows.flatMap((row) => columnsOf(row).flatMap((column) => (column.permission ? [] : [column.title]))),
  );
  const withheld = rows
    .flatMap((row) => columnsOf(row))
    .filter((column) => column.permission && fieldCodes.has(column.permission) && !open.has(column.title))
    .map((column) => column.title);
  expect(withheld.length).toBeGreaterThan(2);
  const exports = endpoints.filter(
    (endpoint) => endpoint.file && endpoint.body instanceof z.ZodObject && 'format' in endpoint.body.shape,
  );
  expect(exports.length).toBeGreaterThan(2);
  const session = await mint(admin, colleague);
  const found = await complaints(exports, async (endpoint) => {
    const columns = rows.flatMap((row) => columnsOf(row).map((column) => column.key));
    for (const extra of [{}, { columns: [...new Set(columns)].slice(0, 200) }]) {
      const input = inputFor(endpoint, { id: ids[0] ?? '', all: false });
      const payload = JSON.stringify({ ...(input.body as object), format: 'csv', ...extra });
      const reply = await fire(world, { method: endpoint.method, url: addressOf(endpoint, input), session, payload });
      const titles = (reply.text.split(/\r?\n/)[0] ?? '').replace(/^\uFEFF/, '').split(',');
      const title = withheld.find((name) => titles.includes(name));
      if (title) return `${nameOf(endpoint)} has a column ${title}`;
    }
    return undefined;
  });
  expect(found).toEqual([]);
});

test('a list cannot be sorted by what its reader may not see', async () => {
  const lists = endpoints.filter((endpoint) => {
    const { reply } = endpoint;
    return withheldKeys(reply).length > 0 && reply instanceof z.ZodObject && 'records' in reply.shape;
  });
  expect(lists.length).toBeGreaterThan(1);
  const session = await mint(admin, colleague);
  const found = await complaints(lists, async (endpoint) => {
    for (const sort of withheldKeys(endpoint.reply)) {
      const input = inputFor(endpoint, { id: ids[0] ?? '', all: false });
      const payload = JSON.stringify({ ...(input.body as object), sort });
      const reply = await fire(world, { method: endpoint.method, url: addressOf(endpoint, input), session, payload });
      if (bodyOf(reply).code === 201) return `${nameOf(endpoint)} sorts by ${sort}`;
    }
    return undefined;
  });
  expect(found).toEqual([]);
});
