import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as desk from '#modules/approval/contract/desk.ts';
import { simulateFlow } from '#modules/approval/contract/flows.ts';
import { createHouse, type House } from '#test/support/house.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { INBOUND, instanceOf, step, submitted, switchOn, taskOf } from './support.ts';

let world: World;
let house: House;
let near: Person;
let far: Person;
let boss: Person;

/** The role that somebody was hired with. */
const roleOf = (person: Person) =>
  world.as(house.owner, async (ctx) => {
    const { role_id: role } = await ctx.db
      .selectFrom('identity.member_role')
      .select('role_id')
      .where('company_id', '=', ctx.companyId)
      .where('member_id', '=', person.userId)
      .executeTakeFirstOrThrow();
    return role;
  });

/** Gives a role exactly these warehouses. */
const grant = (role: string, warehouses: readonly string[]) =>
  world.as(house.owner, async (ctx) => {
    await sql`DELETE FROM identity.role_scope WHERE company_id = ${ctx.companyId} AND role_id = ${role}`.execute(
      ctx.db,
    );
    await sql`
      INSERT INTO identity.role_scope (company_id, role_id, dimension, mode, ids)
      VALUES (${ctx.companyId}, ${role}, 'warehouse', 'LIST', ${warehouses}::uuid[])`.execute(ctx.db);
  });

let roles: string[];
beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A']);
  const hire = (codes: string[]) => world.member(house.owner, codes);
  [near, far, boss] = [await hire(['erp:inv:view']), await hire(['erp:inv:view']), await hire([])];
  roles = [await roleOf(near), await roleOf(far)];
  await world.as(house.owner, (ctx) =>
    sql`UPDATE identity.company SET scope_dimensions = '{warehouse}' WHERE company_id = ${ctx.companyId}`.execute(
      ctx.db,
    ),
  );
  await grant(roles[0] ?? '', [house.main]);
  await grant(roles[1] ?? '', [house.second]);
  const who = [{ from: 'roles' as const, ids: roles, within: true }];
  const only = { mode: 'all' as const, empty: 'people' as const, emptyPeople: [boss.userId] };
  await switchOn(house.owner, [step('a1', '仓库主管', [], { who, ...only })]);
});
afterAll(() => world.close());

const asked = async (id: string) => {
  const { tasks } = await house.owner.call(desk.readInstance, { params: { id: await instanceOf(house.clerk, id) } });
  return tasks.map(({ personId }) => personId);
};

it('a role limited to data rights asks those alone who reach the warehouse of the document', async () => {
  const { id } = await submitted(house, 10, '2', house.main);
  expect(await asked(id)).toEqual([near.userId]);
  const other = await submitted(house, 10, '2', house.second);
  expect(await asked(other.id)).toEqual([far.userId]);
  await far.call(desk.approveTask, { body: { taskId: await taskOf(far, other.id) } });
});

it('where nobody reaches it the step says who is asked, and without the limit all of the role are', async () => {
  const { id, number } = await submitted(house, 10, '2', house.overseas);
  expect(await asked(id)).toEqual([boss.userId]);
  const people = async (within: boolean) => {
    const definition = { steps: [step('a1', '仓库主管', [], { who: [{ from: 'roles', ids: roles, within }] })] };
    return (await house.owner.call(simulateFlow, { body: { docType: INBOUND, number, definition } })).path[0];
  };
  expect((await people(false))?.people).toHaveLength(2);
  expect((await people(true))?.people).toEqual([]);
  await grant(roles[0] ?? '', [house.overseas, house.main]);
  const found = await people(true);
  expect([found?.people.length, found?.whys]).toEqual([1, ['角色（数据范围内）']]);
});
