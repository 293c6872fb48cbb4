import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliver } from '#kit/server/messaging/deliver.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { NOBODYS_COMPANY } from '../contract/operator.ts';
import { listOutbox, openOutbox, outboxChannels } from '../contract/outbox.ts';
import { putOperator } from '../server/index.ts';
import { loginAs } from './organisation-support.ts';

const PASSWORD = 'Geheim-2026';
const PHONE = '13900001234';

let world: World;
let operator: Person;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  await putOperator(world.runtime, { account: 'op@example.com', password: PASSWORD, name: '运营' });
  operator = await loginAs(world, 'op@example.com', PASSWORD);
  owner = await world.owner('客户甲');
  const code = { purpose: 'register', text: '您正在注册账号，验证码 482913，5分钟内有效。' };
  await deliver(world.runtime, { channel: 'sms', target: PHONE, ...code });
  const mail = { purpose: 'message', subject: '采购单待审批', text: '采购单 PO-2026-1 待您审批。' };
  await deliver(world.runtime, { channel: 'email', target: 'li@example.com', companyId: owner.companyId, ...mail });
});
afterAll(() => world.close());

test('the operator sees what could not be sent, newest first, with its company and without its codes', async () => {
  const { records, total } = await operator.call(listOutbox, { body: {} });
  expect(total).toBe(2);
  const [mail, code] = records;
  expect(mail).toMatchObject({
    channel: 'email',
    target: 'li@example.com',
    company: '客户甲',
    subject: '采购单待审批',
  });
  expect(code).toMatchObject({ channel: 'sms', target: PHONE, company: null, subject: null });
  expect(code?.text).toBe('您正在注册账号，验证码 ••••••，5分钟内有效。');
  expect(Date.parse(code?.keptUntil ?? '') - Date.parse(code?.at ?? '')).toBe(30 * 86_400_000);
  const found = async (filter: object) => (await operator.call(listOutbox, { body: { filter } })).total;
  expect(await found({ channel: 'sms' })).toBe(1);
  expect(await found({ search: PHONE })).toBe(1);
  // Nobody finds a code by searching for its digits.
  expect(await found({ search: '482913' })).toBe(0);
  expect(await found({ search: '_' })).toBe(0);
});

test('the whole message is shown on demand, and who looked is written down', async () => {
  const { records } = await operator.call(listOutbox, { body: { filter: { search: PHONE } } });
  const params = { id: records[0]?.id ?? '' };
  expect(await operator.call(openOutbox, { params })).toMatchObject({
    target: PHONE,
    text: expect.stringContaining('482913'),
  });
  const log = await world.as({ ...operator, companyId: NOBODYS_COMPANY }, (ctx) =>
    ctx.db
      .selectFrom('kit.audit')
      .select(['action', 'resource_id', 'after'])
      .where('resource', '=', 'identity.outbox')
      .execute(),
  );
  expect(log).toEqual([{ action: '查看发件箱消息', resource_id: params.id, after: { target: PHONE } }]);
  expect((await operator.send(openOutbox, { params: { id: owner.companyId } })).status).toBe(404);
});

test('nobody but the operator has any of it', async () => {
  const member = await world.member(owner, ['sys:outbox:view']);
  for (const person of [owner, member]) {
    expect((await person.send(listOutbox, { body: {} })).status).toBe(403);
    expect((await person.send(openOutbox, { params: { id: owner.companyId } })).status).toBe(403);
    expect((await person.send(outboxChannels, {})).status).toBe(403);
  }
});

test('a channel counts as set up once its server is named', async () => {
  const ready = async () => (await operator.call(outboxChannels, {})).filter((each) => each.ready);
  expect(await ready()).toEqual([]);
  const { config } = world.runtime;
  world.runtime.config = { ...config, mail: { url: 'smtp://127.0.0.1:1', from: 'erp@example.com' } };
  expect(await ready()).toEqual([{ channel: 'email', ready: true }]);
  world.runtime.config = config;
});
