import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionsOf } from '#kit/server/extension.ts';
import { exportStream } from '#kit/server/list/export.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { passwordProblem } from '../contract/account.ts';
import { addDepartment } from '../contract/departments.ts';
import { addRole, saveRolePermissions } from '../contract/roles.ts';
import {
  addSubUser,
  checkUserImport,
  commitUserImport,
  countSubUsers,
  disableSubUsers,
  enableSubUsers,
  exportSubUsers,
  forceOff,
  handOver,
  handoverPreview,
  listSubUsers,
  removeSubUsers,
  resetPassword,
  roleChoices,
  saveSubUser,
  subUserDetail,
  userImportTemplate,
} from '../contract/sub-users.ts';
import { userInfo } from '../contract/users.ts';
import { handovers, oneTimePassword } from '../server/index.ts';
import { auditOf, loginAs } from './organisation-support.ts';

let world: World;
let owner: Person;
let stranger: Person;
let roleId: string;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner('人员公司');
  stranger = await world.owner('别的公司');
  roleId = await owner.call(addRole, { body: { name: '看部门' } });
  await owner.call(saveRolePermissions, { params: { id: roleId }, body: { version: 0, codes: ['sys:dept:view'] } });
});
afterAll(() => world.close());

let count = 0;
async function hire(more: object = {}): Promise<{ id: string; account: string; password: string }> {
  count += 1;
  const account = `person${count}@example.com`;
  const made = await owner.call(addSubUser, { body: { name: `员工${count}`, account, roleIds: [roleId], ...more } });
  return { id: made.id, account, password: made.password ?? '' };
}

describe('a sub-user', () => {
  test('is added with a password that is told once, logs in, and stands in the list', async () => {
    const deptId = await owner.call(addDepartment, { body: { name: '一部' } });
    const made = await hire({ deptId, expireDate: '2099-01-01', remark: '试用' });
    expect(passwordProblem(made.password)).toBeUndefined();
    const person = await loginAs(world, made.account, made.password);
    expect((await person.call(userInfo, {})).usertype).toBe('member');
    const { records, total } = await owner.call(listSubUsers, { body: { filter: { search: made.account } } });
    expect(total).toBe(1);
    expect(records[0]).toMatchObject({
      account: made.account,
      state: 'active',
      dept: '一部',
      roles: '看部门',
      storeScope: '全部',
      mfa: false,
      online: 1,
      expireDate: '2099-01-01',
    });
    expect(records[0]?.lastLoginAt).not.toBeNull();
    expect(JSON.stringify(await auditOf(world, owner.companyId, 'identity.member'))).not.toContain(made.password);
    const again = await owner.send(addSubUser, { body: { name: '重复', account: made.account } });
    expect([again.code, again.msg]).toEqual([400, '该账号已被使用']);
    const elsewhere = await stranger.send(addSubUser, { body: { name: '重复', account: made.account } });
    expect(elsewhere.msg).toBe('该账号已被使用');
  });

  test('that is no phone and no e-mail, has a weak password or foreign parts is refused', async () => {
    const add = (body: object) => owner.send(addSubUser, { body: { name: '坏', account: 'bad@example.com', ...body } });
    expect((await add({ account: 'nobody' })).msg).toBe('登录账号须为手机号或邮箱');
    expect((await add({ password: 'abc' })).status).toBe(400);
    expect((await add({ email: 'x' })).msg).toBe('请输入正确的邮箱');
    const theirs = await stranger.call(addRole, { body: { name: '他们的' } });
    expect((await add({ roleIds: [theirs] })).status).toBe(404);
    const dept = await stranger.call(addDepartment, { body: { name: '他们的' } });
    expect((await add({ deptId: dept })).status).toBe(404);
    const store = [{ dimension: 'store', mode: 'LIST', ids: [theirs] }];
    expect((await add({ scopes: store })).status).toBe(404);
    expect((await owner.call(countSubUsers, { body: {} })).disabled ?? 0).toBe(0);
  });

  test('is changed with what was and is in the log; a stale version answers 409; a stranger finds nobody', async () => {
    const made = await hire();
    const before = await owner.call(subUserDetail, { params: { id: made.id } });
    expect(before).toMatchObject({ account: made.account, roleIds: [roleId], version: 0 });
    const put = (body: object) => owner.send(saveSubUser, { params: { id: made.id }, body: { version: 0, ...body } });
    expect((await put({ name: '新名', roleIds: [] })).code).toBe(201);
    expect((await put({ name: '晚了' })).status).toBe(409);
    const entry = (await auditOf(world, owner.companyId, 'identity.member')).at(-1);
    expect(entry).toMatchObject({
      action: '修改子账号',
      before: { name: `员工${count}`, roleIds: [roleId] },
      after: { name: '新名', roleIds: [] },
    });
    expect((await stranger.send(subUserDetail, { params: { id: made.id } })).status).toBe(404);
    expect((await stranger.send(saveSubUser, { params: { id: made.id }, body: { version: 1 } })).status).toBe(404);
  });

  test('loses his rights with his role at once', async () => {
    const made = await hire();
    const person = await loginAs(world, made.account, made.password);
    const { listDepartments } = await import('../contract/departments.ts');
    expect((await person.send(listDepartments, {})).code).toBe(201);
    await owner.call(saveSubUser, { params: { id: made.id }, body: { version: 0, roleIds: [] } });
    await expect.poll(async () => (await person.send(listDepartments, {})).status, { timeout: 5000 }).toBe(403);
  });
});

describe('out of service', () => {
  test('disabling ends the sessions, enabling lets him in again', async () => {
    const made = await hire();
    const person = await loginAs(world, made.account, made.password);
    await owner.call(disableSubUsers, { params: { ids: made.id } });
    expect((await person.send(userInfo, {})).status).toBe(401);
    await expect(loginAs(world, made.account, made.password)).rejects.toThrow('账号已停用');
    await owner.call(enableSubUsers, { params: { ids: made.id } });
    expect((await loginAs(world, made.account, made.password)).userId).toBe(made.id);
    expect((await stranger.send(disableSubUsers, { params: { ids: made.id } })).status).toBe(404);
    expect((await owner.send(disableSubUsers, { params: { ids: 'x' } })).status).toBe(400);
    expect((await owner.send(disableSubUsers, { params: { ids: owner.userId } })).msg).toBe('不能停用本人账号');
  });

  test('forcing off ends every session and says how many', async () => {
    const made = await hire();
    const devices = [
      await loginAs(world, made.account, made.password),
      await loginAs(world, made.account, made.password),
    ];
    expect(await owner.call(forceOff, { params: { ids: made.id } })).toEqual({ sessions: 2 });
    for (const device of devices) expect((await device.send(userInfo, {})).status).toBe(401);
  });

  test('a new password ends the old one and its sessions, and is not what somebody with fewer rights may give', async () => {
    const made = await hire();
    const person = await loginAs(world, made.account, made.password);
    const fresh = await owner.call(resetPassword, { params: { id: made.id } });
    expect((await person.send(userInfo, {})).status).toBe(401);
    await expect(loginAs(world, made.account, made.password)).rejects.toThrow('账号或密码错误');
    expect((await loginAs(world, made.account, fresh.password ?? '')).userId).toBe(made.id);
    const clerk = await world.member(owner, ['sys:user:edit', 'sys:user:view']);
    // He may change people, yet not become somebody who can do what he cannot.
    expect((await clerk.send(resetPassword, { params: { id: made.id } })).status).toBe(403);
    expect((await clerk.send(resetPassword, { params: { id: owner.userId } })).msg).toBe('不能修改主账号');
    const taken = { version: 0, account: 'taken-over@example.com' };
    expect((await clerk.send(saveSubUser, { params: { id: made.id }, body: taken })).status).toBe(403);
  });

  test('deleting frees the account and keeps the name; the last owner stays', async () => {
    const made = await hire();
    await owner.call(removeSubUsers, { params: { ids: made.id } });
    expect((await owner.send(subUserDetail, { params: { id: made.id } })).status).toBe(404);
    const again = await stranger.call(addSubUser, { body: { name: '接手', account: made.account } });
    expect(again.id).not.toBe(made.id);
    const deputy = await world.member(owner, ['sys:user:delete']);
    expect((await deputy.send(removeSubUsers, { params: { ids: owner.userId } })).msg).toBe('不能修改主账号');
    expect((await owner.send(removeSubUsers, { params: { ids: owner.userId } })).msg).toBe('不能删除本人账号');
    expect((await owner.send(removeSubUsers, { params: { ids: made.id } })).status).toBe(404);
  });
});

describe('a leaver', () => {
  test('hands everything over in one step and is disabled', async () => {
    const [from, to] = [await hire(), await hire()];
    await owner.call(addDepartment, { body: { name: '他带的部门', leaderId: from.id } });
    await world.as(owner, (ctx) =>
      ctx.db
        .insertInto('kit.task')
        .values({ company_id: owner.companyId, type: 't', title: '导出', payload: '{}', created_by: from.id })
        .execute(),
    );
    const counts = await owner.call(handoverPreview, { params: { id: from.id } });
    expect(Object.fromEntries(counts.map((item) => [item.key, item.count]))).toMatchObject({
      'identity.departments': 1,
      'system.tasks': 1,
    });
    expect((await owner.send(handOver, { body: { from: from.id, to: from.id } })).msg).toBe('接收人不能是本人');
    expect((await owner.send(handOver, { body: { from: from.id, to: stranger.userId } })).status).toBe(404);
    await owner.call(handOver, { body: { from: from.id, to: to.id, disable: true } });
    const left = await owner.call(handoverPreview, { params: { id: from.id } });
    expect(left.map((item) => item.count)).toEqual(left.map(() => 0));
    expect((await owner.call(handoverPreview, { params: { id: to.id } }))[0]?.count).toBeGreaterThan(0);
    expect((await owner.call(subUserDetail, { params: { id: from.id } })).state).toBe('disabled');
    expect(extensionsOf(world.runtime.modules, handovers).length).toBeGreaterThan(1);
    expect((await stranger.send(handoverPreview, { params: { id: from.id } })).status).toBe(404);
  });
});

const COLUMNS = ['用户名', '登录账号', '部门', '角色', '邮箱', '联系电话', '到期时间'];

async function sheet(rows: string[][]): Promise<Buffer> {
  const columns = COLUMNS.map((title) => ({ key: title, title, kind: 'text' as const, nullable: true }));
  const objects = rows.map((row) => Object.fromEntries(COLUMNS.map((title, at) => [title, row[at] ?? ''])));
  return buffer(exportStream(Readable.from(objects), { format: 'xlsx', sheet: '子账号', columns }));
}

async function upload(by: Person, file: Buffer) {
  const boundary = 'b0undary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="u.xlsx"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const response = await world.app.inject({
    method: 'POST',
    url: `/api${checkUserImport.path}`,
    headers: { jsessionid: by.session, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  });
  return response.json<{
    code: number;
    msg: string;
    data: { rows: number; lines: never[]; problems: { reason: string; line: number }[] };
  }>();
}

describe('a sheet of people', () => {
  test('with bad rows says why of each and writes nothing; a good one adds all', async () => {
    const bad = await upload(
      owner,
      await sheet([
        ['甲', 'import1@example.com', '', '看部门'],
        ['', '12', '没有的部门', '没有的角色', 'x', '', '2026-02-30'],
        ['乙', 'import1@example.com'],
      ]),
    );
    expect(bad.data.rows).toBe(3);
    expect(bad.data.problems.map((problem) => problem.reason)).toEqual([
      '用户名不能为空',
      '登录账号须为手机号或邮箱',
      '部门不存在',
      '角色「没有的角色」不存在',
      '请输入正确的邮箱',
      '日期无效',
      '与第 2 行重复',
    ]);
    const good = await upload(owner, await sheet([['甲', 'import1@example.com', '', '看部门', '', '', '2099-12-31']]));
    expect(good.data.problems).toEqual([]);
    const [made] = await owner.call(commitUserImport, { body: { lines: good.data.lines } });
    expect((await loginAs(world, 'import1@example.com', made?.password ?? '')).session).not.toBe('');
    const twice = await owner.send(commitUserImport, { body: { lines: good.data.lines } });
    expect(twice.msg).toBe('该账号已被使用');
    expect((await upload(owner, Buffer.from('PK nothing'))).msg).toContain('不是有效的 Excel');
    const template = await owner.send(userImportTemplate, {});
    expect(template.raw.subarray(0, 2).toString()).toBe('PK');
  });

  test('leaves as a file with a trace of who took it', async () => {
    const file = await owner.send(exportSubUsers, { body: { filter: {}, format: 'csv' } });
    expect(file.raw.toString('utf8')).toContain('import1@example.com');
    expect((await auditOf(world, owner.companyId, 'identity.member')).at(-1)?.action).toBe('导出子账号');
    const clerk = await world.member(owner, ['sys:user:view']);
    expect((await clerk.send(exportSubUsers, { body: { filter: {} } })).status).toBe(403);
  });
});

test('roles that hold more than one has are marked as such', async () => {
  const clerk = await world.member(owner, ['sys:user:view']);
  const choices = await clerk.call(roleChoices, {});
  expect(choices.find((role) => role.id === roleId)?.grantable).toBe(false);
  expect((await owner.call(roleChoices, {})).every((role) => role.grantable)).toBe(true);
});

test('passwords that are made up fit every profile and differ', () => {
  const many = new Set(Array.from({ length: 200 }, oneTimePassword));
  expect(many.size).toBe(200);
  for (const password of many) {
    expect(password).toMatch(/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[^\w\s]|.*_).{14}$/);
    expect(passwordProblem(password)).toBeUndefined();
  }
});
