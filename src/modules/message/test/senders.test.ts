import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emit } from '#kit/server/events.ts';
import { taskFinished } from '#kit/server/jobs/tasks.ts';
import { putOperator } from '#modules/identity/server/index.ts';
import { auditBroken } from '#modules/system/server/index.ts';
import { logInAs } from '#test/support/log-in.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { getRemind } from '../contract/messages.ts';
import { adminOf, tell } from './support.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const remindersOf = async (person: Person) => (await person.call(getRemind, { body: {} })).records;

test('ten failed log-ins in a row are told to the owner once, and nobody hears of nine', async () => {
  const owner = await world.owner();
  const member = await world.member(owner, []);
  const { account } = await world.as(owner, (ctx) =>
    ctx.db
      .selectFrom('identity.member')
      .select('account')
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', member.userId)
      .executeTakeFirstOrThrow(),
  );
  const fail = () => world.app.inject({ method: 'POST', url: '/auth/login', payload: { account, password: 'falsch' } });
  for (let n = 1; n <= 4; n += 1) await fail();
  expect(await remindersOf(owner)).toEqual([]);
  // The locks in between are waited out by moving the past further away.
  const past = adminOf(world);
  // Failures count from the last change of the password on, and the past is about to move behind it.
  await past.query("UPDATE identity.member SET password_changed_at = kit.now() - interval '2 days' WHERE id = $1", [
    member.userId,
  ]);
  for (let n = 5; n <= 10; n += 1) {
    await past.query("UPDATE identity.login_log SET at = at - interval '1 hour' WHERE account = $1", [account]);
    await fail();
    if (n === 9) expect(await remindersOf(owner)).toEqual([]);
  }
  await past.end();
  for (let tries = 0; tries < 50 && (await remindersOf(owner)).length === 0; tries += 1) await sleep(50);
  const [told, ...others] = await remindersOf(owner);
  expect([told?.title, others]).toEqual(['账号连续登录失败', []]);
  expect(told?.text).toContain(`账号 ${account} 已连续 10 次登录失败`);
  expect(await remindersOf(member)).toEqual([]);
});

test('who started a task is told how it ended, with its file', async () => {
  const owner = await world.owner();
  const fileId = '01900000-0000-7000-8000-000000000001';
  const task = { id: fileId, title: '导出订单', userId: owner.userId };
  await world.as(owner, async (ctx) => {
    await emit(ctx, taskFinished, { ...task, state: 'done', fileId, detail: '512,380 行' });
    await emit(ctx, taskFinished, { ...task, state: 'failed', fileId: null, detail: '系统繁忙，请稍后重试' });
    await emit(ctx, taskFinished, { ...task, userId: null, state: 'done', fileId: null, detail: null });
  });
  expect((await remindersOf(owner)).map((row) => [row.title, row.text, row.documentType, row.documentId])).toEqual([
    ['导出订单：失败', '系统繁忙，请稍后重试', null, null],
    ['导出订单：已完成', '512,380 行 结果文件保留 7 天。', 'file', fileId],
  ]);
});

test('a log that was touched is told to the owner and to the operator, once a day', async () => {
  const password = 'Geheim-2026';
  await putOperator(world.runtime, { account: 'op@example.com', password, name: '运营' });
  await world.work();
  const owner = await world.owner('海风贸易');
  const member = await world.member(owner, []);
  const auditId = '01900000-0000-7000-8000-000000000009';
  const broken = { auditId, problem: '该条日志的内容被改动' };
  for (let n = 0; n < 2; n += 1) await world.as(owner, (ctx) => emit(ctx, auditBroken, broken));
  const [told, ...others] = await remindersOf(owner);
  expect([told?.title, others]).toEqual(['操作日志校验未通过', []]);
  expect(told?.text).toContain(`该条日志的内容被改动。日志编号 ${auditId}。`);
  expect(told?.link?.path).toBe('/sys/operlog');
  expect(await remindersOf(member)).toEqual([]);
  const operator = await logInAs(world, 'op@example.com', password);
  await vi.waitFor(async () => expect(await remindersOf(operator)).toHaveLength(1), 10_000);
  const [heard] = await remindersOf(operator);
  expect(heard?.title).toBe('操作日志校验未通过：海风贸易');
  expect(heard?.text).toContain(owner.companyId);
});

test('a message about a document leads to its page; one that asks for a decision says so', async () => {
  const owner = await world.owner();
  await tell(world, owner, '报表入库失败', { documentType: 'reportUpload', documentId: '1' });
  await tell(world, owner, '待你审批', { documentType: 'store', documentId: '2', approval: true });
  await tell(world, owner, '私信', { documentType: 'store', documentId: '2', approval: true, private: true });
  expect((await remindersOf(owner)).map((row) => row.link)).toEqual([
    { path: '/amazon/storeAuth', title: '店铺管理', query: {} },
    { path: '/amazon/storeAuth', title: '店铺管理', query: { isGoExamine: 'true', source: 'boxmsg' } },
    { path: '/amazon/reportUpload', title: '上传报表', query: {} },
  ]);
});
