import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveStore } from '#modules/marketplace/contract/stores.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { menuRoute } from '../contract/menus.ts';
import {
  addRole,
  companyMenuTree,
  dimensionOptions,
  listDimensions,
  listRoles,
  pageRoles,
  previewRole,
  removeRole,
  roleMenus,
  rolePermissions,
  roleScopes,
  roleTemplates,
  saveDimensions,
  saveRole,
  saveRoleMenus,
  saveRolePermissions,
  saveRoleScopes,
} from '../contract/roles.ts';
import { addSubUser, saveSubUser, subUserDetail } from '../contract/sub-users.ts';
import { auditOf, loginAs } from './organisation-support.ts';

let world: World;
let owner: Person;
let stranger: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner('角色公司');
  stranger = await world.owner('另一家公司');
});
afterAll(() => world.close());

const VIEW = 'amz:store:view';
const EDIT = 'amz:store:edit';

async function role(by: Person, name: string, codes: string[]): Promise<string> {
  const id = await by.call(addRole, { body: { name } });
  await by.call(saveRolePermissions, { params: { id }, body: { version: 0, codes } });
  return id;
}

describe('a role', () => {
  test('is added, changed with what was and is in the log, copied and deleted', async () => {
    const id = await owner.call(addRole, { body: { name: '运营一组', description: '北美' } });
    const { version } = await owner.call(saveRole, {
      params: { id },
      body: { version: 0, name: '运营二组', codes: [VIEW, EDIT] },
    });
    expect(version).toBe(1);
    expect(await owner.call(rolePermissions, { params: { id } })).toEqual({ version: 1, codes: [EDIT, VIEW] });
    await owner.call(saveRole, { params: { id }, body: { version: 1, codes: [VIEW] } });
    const entry = (await auditOf(world, owner.companyId, 'identity.role')).at(-1);
    expect(entry).toMatchObject({ action: '修改角色', before: { removed: [EDIT] } });
    const copy = await owner.call(addRole, { body: { name: '运营三组', copyFrom: id } });
    expect((await owner.call(rolePermissions, { params: { id: copy } })).codes).toEqual([VIEW]);
    await owner.call(removeRole, { params: { id: copy } });
    expect((await owner.send(rolePermissions, { params: { id: copy } })).status).toBe(404);
    expect((await owner.call(listRoles, {})).map((row) => row.name)).toContain('运营二组');
    const page = await owner.call(pageRoles, { body: { filter: { name: '二组' } } });
    expect([page.total, page.records[0]?.description, page.records[0]?.codes]).toEqual([1, '北美', 1]);
  });

  test('that somebody else changed meanwhile answers 409, and a name that is taken is refused', async () => {
    const id = await role(owner, '同时修改', [VIEW]);
    const stale = await owner.send(saveRole, { params: { id }, body: { version: 0, codes: [] } });
    expect([stale.status, stale.msg]).toEqual([409, '数据已被他人修改，请刷新后重试']);
    const twin = await owner.send(addRole, { body: { name: '同时修改' } });
    expect([twin.code, twin.msg]).toEqual([400, '角色名称已存在']);
    expect((await owner.send(addRole, { body: { name: ' ' } })).status).toBe(400);
    expect((await owner.send(addRole, { body: { name: '模板', template: 'none' } })).msg).toBe('角色模板不存在');
  });

  test('takes no code that is not there, none of the operator, and none of a dimension that is not there', async () => {
    const id = await role(owner, '乱填', []);
    for (const code of ['sys:customer:view', 'no:such:code']) {
      const answer = await owner.send(saveRolePermissions, { params: { id }, body: { version: 1, codes: [code] } });
      expect(answer.msg).toContain('权限不存在或不能授予');
    }
    const scopes = [{ dimension: 'moon', mode: 'ALL' as const, ids: [] }];
    expect((await owner.send(saveRoleScopes, { params: { id }, body: { version: 1, scopes } })).status).toBe(400);
    const byPlace = [{ dimension: 'store', mode: 'DEPT' as const, ids: [] }];
    expect((await owner.send(saveRoleScopes, { params: { id }, body: { version: 1, scopes: byPlace } })).status).toBe(
      400,
    );
    const tree = JSON.stringify(await owner.call(companyMenuTree, {}));
    expect(tree).not.toContain('sys:customer');
    expect(tree).toContain('amz:order:field:amount');
  });

  test('in use cannot be deleted; of another company it cannot be found', async () => {
    const id = await role(owner, '在用', [VIEW]);
    await owner.call(addSubUser, { body: { name: '小李', account: 'xiaoli-roles@example.com', roleIds: [id] } });
    const answer = await owner.send(removeRole, { params: { id } });
    expect(answer.msg).toBe('该角色已被用户使用，请先解除');
    expect((await stranger.send(removeRole, { params: { id } })).status).toBe(404);
    expect((await stranger.send(saveRole, { params: { id }, body: { version: 1 } })).status).toBe(404);
    expect((await stranger.send(addRole, { body: { name: '偷', copyFrom: id } })).status).toBe(404);
  });

  test('from a template holds the codes of that trade that exist', async () => {
    const templates = await owner.call(roleTemplates, {});
    expect(templates.map((template) => template.title)).toEqual(['采购', '仓库', '运营', '财务', '客服']);
    const id = await owner.call(addRole, { body: { name: '财务', template: 'finance' } });
    const { codes } = await owner.call(rolePermissions, { params: { id } });
    expect(codes).toEqual(templates.find((template) => template.key === 'finance')?.codes);
    expect(codes).toContain('fin:cost:view');
    expect(codes.some((code) => code.startsWith('sys:'))).toBe(false);
  });
});

describe('menus of a role', () => {
  test('are opened by path, and the preview is what its holder gets', async () => {
    const id = await role(owner, '看店', []);
    await owner.call(saveRoleMenus, {
      params: { id },
      body: { version: 1, paths: ['/amazon/storeAuth', '/sys/dept'] },
    });
    expect(await owner.call(roleMenus, { params: { id } })).toMatchObject({
      version: 2,
      paths: expect.arrayContaining(['/amazon/storeAuth', '/sys/dept']),
    });
    const bad = await owner.send(saveRoleMenus, { params: { id }, body: { version: 2, paths: ['/sys/customer'] } });
    expect(bad.msg).toContain('菜单不存在');
    const made = await owner.call(addSubUser, {
      body: { name: '看店人', account: 'kandian@example.com', roleIds: [id] },
    });
    const holder = await loginAs(world, 'kandian@example.com', made.password ?? '');
    const seen = await owner.call(previewRole, { params: { id } });
    expect(seen.menu).toEqual(await holder.call(menuRoute, {}));
    expect(seen.codes.map((each) => each.code)).toEqual([VIEW, 'sys:dept:view']);
    expect(seen.hiddenFields.map((each) => each.code)).toContain('amz:order:field:amount');
    expect(seen.scopes.find((scope) => scope.dimension === 'store')?.mode).toBe('ALL');
  });
});

describe('nobody gives what he lacks', () => {
  test('neither codes nor stores nor the rights of somebody above him', async () => {
    const [a, b] = [
      await owner.call(saveStore, { body: { name: '店甲' } }),
      await owner.call(saveStore, { body: { name: '店乙' } }),
    ];
    const codes = [
      'sys:role:view',
      'sys:role:add',
      'sys:role:edit',
      'sys:user:view',
      'sys:user:add',
      'sys:user:edit',
      VIEW,
    ];
    const lead = await role(owner, '主管', codes);
    await owner.call(saveRoleScopes, {
      params: { id: lead },
      body: { version: 1, scopes: [{ dimension: 'store', mode: 'LIST', ids: [a] }] },
    });
    const made = await owner.call(addSubUser, { body: { name: '主管', account: 'lead@example.com', roleIds: [lead] } });
    const manager = await loginAs(world, 'lead@example.com', made.password ?? '');
    expect((await manager.call(dimensionOptions, { params: { name: 'store' } })).map((each) => each.title)).toEqual([
      '店甲',
    ]);
    const id = await manager.call(addRole, { body: { name: '组员' } });
    const scope = (ids: string[]) => [{ dimension: 'store', mode: 'LIST' as const, ids }];
    const save = (body: object) => manager.send(saveRole, { params: { id }, body: { version: 0, ...body } });
    expect(await save({ codes: [EDIT] })).toMatchObject({ status: 403, msg: '不能授予本人没有的权限：新增与修改店铺' });
    expect((await save({ codes: [VIEW], scopes: [{ dimension: 'store', mode: 'ALL', ids: [] }] })).status).toBe(403);
    // A store that he does not see does not exist for him.
    expect((await save({ codes: [VIEW], scopes: scope([b]) })).status).toBe(404);
    expect((await save({ codes: [VIEW], scopes: scope([a]) })).code).toBe(201);
    const all = await role(owner, '全部店铺', [VIEW]);
    const widen = await manager.send(addSubUser, {
      body: { name: '越权', account: 'wide@example.com', roleIds: [all] },
    });
    expect([widen.status, widen.msg]).toEqual([403, '不能授予超出本人范围的数据权限：查看店铺授权']);
    const own = await manager.call(subUserDetail, { params: { id: made.id } });
    const self = await manager.send(saveSubUser, {
      params: { id: made.id },
      body: { version: own.version, roleIds: [lead, all] },
    });
    expect(self.msg).toBe('不能修改本人的权限');
    const bossId = owner.userId;
    const boss = await manager.send(saveSubUser, { params: { id: bossId }, body: { version: 0, name: '改名' } });
    expect(boss.msg).toBe('不能修改主账号');
  });
});

describe('dimensions', () => {
  test('are switched by the owner only, and off limits nobody', async () => {
    const other = await world.owner('维度公司');
    const before = await other.call(listDimensions, {});
    expect(before.find((each) => each.name === 'store')?.enabled).toBe(true);
    expect(before.find((each) => each.name === 'owner')).toMatchObject({ enabled: false, people: true });
    const id = await role(other, '没有店', [VIEW]);
    const none = [{ dimension: 'store', mode: 'LIST' as const, ids: [] }];
    await other.call(saveRoleScopes, { params: { id }, body: { version: 1, scopes: none } });
    await other.call(saveStore, { body: { name: '唯一的店' } });
    const made = await other.call(addSubUser, {
      body: { name: '无店', account: 'nostore@example.com', roleIds: [id] },
    });
    const member = await loginAs(world, 'nostore@example.com', made.password ?? '');
    const seen = async () => (await member.call(dimensionOptions, { params: { name: 'store' } })).length;
    expect(await seen()).toBe(0);
    await other.call(saveDimensions, { body: { names: ['owner'] } });
    await expect.poll(seen, { timeout: 5000 }).toBe(1);
    const { scopes } = await other.call(roleScopes, { params: { id } });
    expect(scopes.find((scope) => scope.dimension === 'store')?.enabled).toBe(false);
    expect((await other.send(saveDimensions, { body: { names: ['moon'] } })).code).toBe(400);
    const editor = await world.member(other, ['sys:role:edit']);
    expect((await editor.send(saveDimensions, { body: { names: [] } })).msg).toContain('仅主账号');
    expect((await other.send(dimensionOptions, { params: { name: 'moon' } })).status).toBe(404);
  });
});
