import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTenant } from '#kit/server/runtime.ts';
import { bindSeller, saveStore } from '#modules/marketplace/contract/stores.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  addDepartment,
  departmentOptions,
  departmentTree,
  listDepartments,
  removeDepartment,
  saveDepartment,
} from '../contract/departments.ts';
import { addRole, saveDimensions, saveRole } from '../contract/roles.ts';
import { addSubUser, explainRight } from '../contract/sub-users.ts';
import { dataScopes, rightsOf } from '../server/data-scope.ts';
import { loginAs } from './organisation-support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner('范围公司');
});
afterAll(() => world.close());

const VIEW = 'amz:store:view';
const EDIT = 'amz:store:edit';
const list = (dimension: string, ...ids: string[]) => [{ dimension, mode: 'LIST' as const, ids }];

async function role(name: string, codes: string[], scopes: object[]): Promise<string> {
  const id = await owner.call(addRole, { body: { name } });
  await owner.call(saveRole, { params: { id }, body: { version: 0, codes, scopes: scopes as never } });
  return id;
}

describe('stores under a code', () => {
  test('two roles and a personal limit: he sees B and C, changes B, does not find A, may not change C', async () => {
    const [a, b, c, d] = await Promise.all(
      ['A店', 'B店', 'C店', 'D店'].map((name) => owner.call(saveStore, { body: { name } })),
    );
    if (!a || !b || !c || !d) throw new Error('four stores');
    const first = await role('看和改', [VIEW, EDIT, 'sys:role:view'], list('store', a, b));
    const second = await role('只看', [VIEW], list('store', c));
    const made = await owner.call(addSubUser, {
      body: { name: '五号', account: 'five@example.com', roleIds: [first, second], scopes: list('store', b, c, d) },
    });
    const person = await loginAs(world, 'five@example.com', made.password ?? '');
    const { stores } = await person.call(bindSeller, {});
    expect(stores.map((store) => store.gname).sort()).toEqual(['B店', 'C店']);
    const rename = (id: string) => person.send(saveStore, { body: { id, name: `改名${id.slice(-4)}` } });
    expect((await rename(b)).code).toBe(201);
    expect((await rename(c)).status).toBe(403);
    expect((await rename(a)).status).toBe(404);

    const why = (code: string, target: string) =>
      owner.call(explainRight, { params: { id: made.id }, query: { code, dimension: 'store', target } });
    expect((await why(EDIT, b)).allowed).toBe(true);
    const notEdit = await why(EDIT, c);
    expect([notEdit.allowed, notEdit.reasons.at(-1)?.text]).toEqual([
      false,
      '包含该权限的角色，其店铺权限不包括「C店」',
    ]);
    const notSeen = await why(VIEW, a);
    expect([notSeen.allowed, notSeen.reasons.at(-1)?.text]).toEqual([false, '该账号本人的店铺权限不包括「A店」']);
    const noCode = await why('amz:store:delete', b);
    expect(noCode.reasons.at(-1)?.text).toContain('都不包含权限「停用与删除店铺授权」');
    const self = { params: { id: made.id }, query: { code: 'no:such:code' } };
    expect((await owner.call(explainRight, self)).reasons.at(-1)?.text).toContain('没有「no:such:code」这个权限');
    const boss = { params: { id: owner.userId }, query: { code: VIEW } };
    expect((await owner.call(explainRight, boss)).allowed).toBe(true);
    const stranger = await world.owner('外人');
    expect((await stranger.send(explainRight, { params: { id: made.id }, query: { code: VIEW } })).status).toBe(404);
  });
});

describe('departments', () => {
  test('form a tree with heads summed up; circles, twins and full ones are refused', async () => {
    const top = await owner.call(addDepartment, { body: { name: '总部', sort: 1 } });
    const mid = await owner.call(addDepartment, { body: { name: '销售', parentId: top } });
    const low = await owner.call(addDepartment, { body: { name: '北美组', parentId: mid, leaderId: owner.userId } });
    await owner.call(addSubUser, { body: { name: '组员', account: 'tree@example.com', deptId: low } });
    const [root] = await owner.call(departmentTree, {});
    expect(root).toMatchObject({ name: '总部', members: 0, membersBelow: 1 });
    expect(root?.children[0]?.children[0]).toMatchObject({ name: '北美组', leader: '管理员', members: 1 });
    const options = await owner.call(departmentOptions, {});
    expect(options.find((each) => each.id === low)?.path).toBe('总部 / 销售 / 北美组');
    const put = (id: string, body: object) =>
      owner.send(saveDepartment, { params: { id }, body: { version: 0, ...body } });
    expect((await put(top, { parentId: low })).msg).toBe('上级部门不能是本部门或其下级部门');
    expect((await put(top, { parentId: top })).msg).toBe('上级部门不能是本部门或其下级部门');
    expect((await owner.send(addDepartment, { body: { name: '销售', parentId: top } })).msg).toBe(
      '同一上级下已有同名部门',
    );
    expect((await owner.send(addDepartment, { body: { name: '' } })).status).toBe(400);
    for (const id of [top, low]) {
      expect((await owner.send(removeDepartment, { params: { id } })).msg).toBe('该部门下存在用户或子部门');
    }
    expect((await put(mid, { parentId: null, name: '销售部' })).code).toBe(201);
    expect((await put(mid, { name: '晚了' })).status).toBe(409);
    await owner.call(removeDepartment, { params: { id: top } });
    expect((await owner.call(listDepartments, {})).map((dept) => dept.name)).toEqual(['销售部', '北美组']);
    const stranger = await world.owner('外人二');
    expect((await stranger.send(removeDepartment, { params: { id: low } })).status).toBe(404);
    expect((await stranger.send(addDepartment, { body: { name: '插入', parentId: low } })).status).toBe(404);
    expect((await stranger.send(addDepartment, { body: { name: '插入', leaderId: owner.userId } })).status).toBe(404);
  });

  test('two moves at once make no circle', async () => {
    const [x, y] = [
      await owner.call(addDepartment, { body: { name: '甲部' } }),
      await owner.call(addDepartment, { body: { name: '乙部' } }),
    ];
    const move = (id: string, parentId: string) =>
      owner.send(saveDepartment, { params: { id }, body: { version: 0, parentId } });
    const codes = (await Promise.all([move(x, y), move(y, x)])).map((answer) => answer.code);
    expect(codes.sort()).toEqual([201, 400]);
  });
});

describe('persons by department', () => {
  test('oneself, the department, all below it: the database shows the rows of these people only', async () => {
    const admin = new pg.Pool({ connectionString: world.databaseUrl, max: 1 });
    admin.on('error', () => {});
    await admin.query(`
      CREATE TABLE identity.own_note (company_id uuid NOT NULL, id uuid DEFAULT uuidv7(), owner_id uuid NOT NULL,
        PRIMARY KEY (company_id, id));
      CALL kit.tenant_table('identity.own_note'); CALL kit.data_scope('identity.own_note', 'owner', 'owner_id')`);
    const top = await owner.call(addDepartment, { body: { name: '运营中心' } });
    const low = await owner.call(addDepartment, { body: { name: '一组', parentId: top } });
    await owner.call(saveDimensions, { body: { names: ['store', 'owner'] } });
    const byMode: Record<string, string> = {};
    for (const mode of ['SELF', 'DEPT', 'DEPT_TREE', 'ALL']) {
      byMode[mode] = await role(`按${mode}`, [VIEW], [{ dimension: 'owner', mode, ids: [] }]);
    }
    const hire = async (name: string, deptId: string, mode: string) => {
      const body = { name, account: `${name}@example.com`, deptId, roleIds: [byMode[mode] ?? ''] };
      return (await owner.call(addSubUser, { body })).id;
    };
    const chief = await hire('chief', top, 'DEPT_TREE');
    const mate = await hire('mate', top, 'DEPT');
    const junior = await hire('junior', low, 'SELF');
    const all = await hire('auditor', low, 'ALL');
    await admin.query(`INSERT INTO identity.own_note (company_id, owner_id) SELECT $1, unnest($2::uuid[])`, [
      owner.companyId,
      [chief, mate, junior, all, owner.userId],
    ]);
    const seenBy = async (memberId: string) => {
      const principal = {
        sessionId: null,
        companyId: owner.companyId,
        userId: memberId,
        userName: '',
        permissions: undefined,
      };
      const scope = await inTenant(world.runtime, principal, async (ctx) =>
        (await dataScopes(ctx, await rightsOf(ctx, memberId)))?.(VIEW),
      );
      return inTenant(world.runtime, { ...principal, dataScope: scope }, async (ctx) => {
        const { rows } = await ctx.client.query<{ owner_id: string }>('SELECT owner_id FROM identity.own_note');
        return rows.map((row) => row.owner_id).sort();
      });
    };
    expect(await seenBy(junior)).toEqual([junior]);
    expect(await seenBy(mate)).toEqual([chief, mate].sort());
    expect(await seenBy(chief)).toEqual([chief, mate, junior, all].sort());
    expect(await seenBy(all)).toHaveLength(5);
    await owner.call(saveDimensions, { body: { names: ['store'] } });
    expect(await seenBy(junior)).toHaveLength(5);
    await admin.end();
  });
});
