import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { masked } from '#kit/server/audit.ts';
import { logout } from '#modules/identity/contract/session.ts';
import { saveStore } from '#modules/marketplace/contract/stores.ts';
import { routes } from '#src/app/api.ts';
import { createWorld, type Person, type World } from './support/world.ts';
import { addressOf, adminOf, bodyOf, complaints, fire, inputFor, mint, nameOf } from './walk.ts';

const NOBODY = '01900000-0000-7000-8000-000000000000';

let world: World;
let admin: pg.Pool;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
  owner = await world.owner();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

interface Entry {
  action: string;
  resource: string;
  actor_id: string;
  ip: string;
  before: unknown;
  after: unknown;
}

async function entriesOf(companyId: string): Promise<Entry[]> {
  const { rows } = await admin.query<Entry>('SELECT * FROM kit.audit WHERE company_id = $1 ORDER BY id', [companyId]);
  return rows;
}

test('every call that changed something left a trace, every call that did not left none', async () => {
  const changing = routes.filter((route) => route.kind === 'tenant' && route.endpoint.access === 'write');
  let succeeded = 0;
  const found = await complaints(changing, async ({ endpoint }) => {
    // A company for each call, so that the traces are told apart.
    const person = await world.owner();
    const input = inputFor(endpoint, { id: NOBODY, all: false });
    const reply = await fire(world, {
      method: endpoint.method,
      url: addressOf(endpoint, input),
      session: await mint(admin, person),
      ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
    });
    const done = !reply.type.includes('application/json') || bodyOf(reply).code === 201;
    const entries = await entriesOf(person.companyId);
    if (!done) return entries.length === 0 ? undefined : `${nameOf(endpoint)}: refused, and yet audited`;
    succeeded += 1;
    const whole = entries.every(
      (entry) => entry.actor_id === person.userId && entry.ip && entry.action && entry.resource,
    );
    return entries.length > 0 && whole ? undefined : `${nameOf(endpoint)}: ${JSON.stringify(entries)}`;
  });
  expect(found).toEqual([]);
  expect(succeeded).toBeGreaterThan(3);
});

test('reads leave no trace and cannot write', async () => {
  const before = (await entriesOf(owner.companyId)).length;
  for (const { endpoint } of routes.filter((route) => route.kind === 'tenant' && route.endpoint.access === 'read')) {
    const input = inputFor(endpoint, { id: NOBODY, all: false });
    await fire(world, {
      method: endpoint.method,
      url: addressOf(endpoint, input),
      session: await mint(admin, owner),
      ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
    });
  }
  expect(await entriesOf(owner.companyId)).toHaveLength(before);
  const attempt = world.runtime.connections.tenant(
    owner.companyId,
    (_db, client) => client.query('DELETE FROM kit.sequence'),
    {
      readOnly: true,
    },
  );
  await expect(attempt).rejects.toThrow('read-only transaction');
});

test('a change says what was and what is', async () => {
  const id = await owner.call(saveStore, { body: { name: '旧名' } });
  await owner.call(saveStore, { body: { id, name: '新名' } });
  const [made, renamed] = (await entriesOf(owner.companyId)).filter((entry) => entry.resource === 'marketplace.store');
  expect(made).toMatchObject({ action: '新增店铺', before: null, after: { name: '旧名' } });
  expect(renamed).toMatchObject({ action: '修改店铺', before: { name: '旧名' }, after: { id, name: '新名' } });
});

test('a call without words of its own is named by its title', async () => {
  const person = await world.owner();
  await person.call(logout, {});
  expect(await entriesOf(person.companyId)).toMatchObject([{ action: '退出登录', actor_id: person.userId }]);
});

test('secrets are masked at any depth, and nothing floods the log', () => {
  const shown = masked({
    account: 'a@example.com',
    password: 'x',
    nested: [{ refreshToken: 'y', clientSecret: 'z', verifition: 'v' }],
    long: 'l'.repeat(5000),
    list: Array.from({ length: 500 }, (_, index) => index),
  }) as { nested: unknown; long: string; list: unknown[] };
  expect(shown).toMatchObject({ account: 'a@example.com', password: '***' });
  expect(shown.nested).toEqual([{ refreshToken: '***', clientSecret: '***', verifition: '***' }]);
  expect([shown.long.length, shown.list.length]).toEqual([2001, 50]);
  let deep: unknown = 'bottom';
  for (let i = 0; i < 100; i += 1) deep = { deep };
  expect(JSON.stringify(masked(deep)).length).toBeLessThan(200);
});
