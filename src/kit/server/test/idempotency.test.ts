import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindSeller, saveStore } from '#modules/marketplace/contract/stores.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const save = (name: string, key: string, who = owner) =>
  who.send(saveStore, { body: { name } }, { 'idempotency-key': key });

async function named(name: string, who = owner): Promise<number> {
  const { stores } = await who.call(bindSeller, {});
  return stores.filter((store) => store.gname === name).length;
}

test('a double click has one effect, and both clicks get the same answer', async () => {
  const key = randomUUID();
  const answers = await Promise.all(Array.from({ length: 6 }, () => save('双击', key)));
  expect(answers.map((answer) => answer.code)).toEqual(Array.from({ length: 6 }, () => 201));
  expect(new Set(answers.map((answer) => answer.data)).size).toBe(1);
  expect(await named('双击')).toBe(1);
});

test('a repeated call later gets the first answer, even when it could not succeed any more', async () => {
  const key = randomUUID();
  const first = await save('稍后', key);
  await save('别的', randomUUID());
  const again = await save('稍后', key);
  expect([again.code, again.data]).toEqual([201, first.data]);
  expect((await save('稍后', randomUUID())).msg).toBe('店铺名称「稍后」已存在');
});

test('the same key with another content is refused', async () => {
  const key = randomUUID();
  await save('内容一', key);
  const other = await save('内容二', key);
  expect([other.status, other.code, other.msg]).toEqual([409, 409, '请求重复且内容不一致']);
  expect(await named('内容二')).toBe(0);
});

test('a first call that failed leaves no trace and can be tried again', async () => {
  const key = randomUUID();
  await save('占用', randomUUID());
  expect((await save('占用', key)).code).toBe(400);
  const admin = world.runtime.connections;
  await admin.tenant(owner.companyId, (db) =>
    db
      .updateTable('marketplace.store')
      .set({ name: '已改名' })
      .where('company_id', '=', owner.companyId)
      .where('name', '=', '占用')
      .execute(),
  );
  expect((await save('占用', key)).code).toBe(201);
  expect(await named('占用')).toBe(1);
});

test('keys of two people do not meet, nor those of two companies', async () => {
  const key = randomUUID();
  const colleague = await world.member(owner, ['amz:store:edit', 'amz:store:view']);
  const stranger = await world.owner('另一家');
  expect((await save('甲的', key)).code).toBe(201);
  expect((await save('乙的', key, colleague)).code).toBe(201);
  expect((await save('丙的', key, stranger)).code).toBe(201);
  expect([await named('乙的'), await named('丙的', stranger)]).toEqual([1, 1]);
});

test('an endless key is refused, a missing one is none', async () => {
  expect((await save('长', 'k'.repeat(101))).data).toMatchObject({ code: 'B0020' });
  expect((await owner.send(saveStore, { body: { name: '没有键' } })).code).toBe(201);
});
