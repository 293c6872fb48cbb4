import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { inSystem } from '#kit/server/runtime.ts';
import { saveSubscription } from '#modules/identity/contract/self.ts';
import { createMember, loginFailures } from '#modules/identity/server/index.ts';
import { MailBox } from '#test/support/mailbox.ts';
import { createWorld, type Person, type World, worldClock } from '#test/support/world.ts';
import { addAnnounce } from '../contract/announcements.ts';
import { countDeliveries, type DeliveryRow, listDeliveries, retryDelivery } from '../contract/deliveries.ts';
import { publish, retract } from '../server/announcements.ts';
import { deliverOne } from '../server/delivery/deliver.ts';
import { remind } from '../server/remind.ts';
import { purge } from '../server/tidy.ts';
import { adminOf, tell } from './support.ts';

const EVENT = 'kit.taskFinished';
const mailBox = new MailBox();
let world: World;

beforeAll(async () => {
  const url = await mailBox.open();
  world = await createWorld({ mail: { url, from: '跨境电商 ERP <erp@example.com>' }, retryBaseMs: 10 });
  await world.work();
});
afterAll(async () => {
  await world.close();
  await mailBox.close();
});
beforeEach(() => {
  mailBox.mails.length = 0;
  mailBox.refuse = 0;
});

type Channel = 'site' | 'email' | 'sms' | 'wechat' | 'feishu' | 'dingtalk';
const want = (person: Person, channel: Channel, event = EVENT) =>
  person.call(saveSubscription, { body: { event, channel, wanted: true } });
const sent = async (owner: Person): Promise<DeliveryRow[]> => (await owner.call(listDeliveries, { body: {} })).records;
const states = async (owner: Person) => (await sent(owner)).map((row) => `${row.channel} ${row.state}`);

/** Somebody whose account is a phone number, as the owner's colleague; he never logs in here. */
async function phoneOnly(owner: Person, phone: string): Promise<string> {
  return world.runtime.connections.tenant(owner.companyId, (db) =>
    createMember(
      db,
      owner.companyId,
      { account: phone, password: 'Geheim-2026', name: '电话用户', codes: [] },
      world.runtime.secrets.pepper,
    ),
  );
}

describe('a reminder leaves the product by the channels that its reader chose', () => {
  test('as a mail with words, link and escaped names, and as a row in the record', async () => {
    const owner = await world.owner('海风<贸易>');
    await want(owner, 'email');
    await tell(world, owner, '导出 <b>订单</b>：已完成', { content: '512,380 行\n<i>全部</i>', event: EVENT });
    await vi.waitFor(() => expect(mailBox.mails).toHaveLength(1), 10_000);
    const mail = await PostalMime.parse(mailBox.mails[0]?.raw ?? Buffer.alloc(0));
    expect(mail.to?.[0]?.address).toMatch(/^owner-.*@example\.com$/);
    expect(mail.subject).toBe('导出 <b>订单</b>：已完成');
    expect(mail.text).toContain('512,380 行 <i>全部</i>');
    expect(mail.text).toContain(`${world.runtime.config.publicUrl}/sys/message`);
    expect(mail.html).toContain('<h3>导出 &lt;b&gt;订单&lt;/b&gt;：已完成</h3><p>512,380 行</p>');
    expect(mail.html).toContain('海风&lt;贸易&gt;的系统消息');
    await vi.waitFor(async () => expect(await states(owner)).toEqual(['email sent']), 10_000);
    const [row] = await sent(owner);
    expect(row).toMatchObject({ attempts: 1, note: null, reader: '管理员', target: mail.to?.[0]?.address });
    expect(row?.finishedAt).not.toBeNull();
  });

  test('nobody who did not ask for it gets a mail, and a rolled back reminder sends none', async () => {
    const owner = await world.owner();
    await tell(world, owner, '只在站内', { event: EVENT });
    await want(owner, 'email');
    await expect(
      world.as(owner, async (ctx) => {
        await remind(ctx, { to: [owner.userId], title: '不算数', event: EVENT });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await sent(owner)).toEqual([]);
    expect(mailBox.mails).toEqual([]);
  });

  test('what is a warning of its own goes out by mail without being asked for', async () => {
    const owner = await world.owner();
    await tell(world, owner, '账号连续登录失败', { event: loginFailures.name });
    await vi.waitFor(async () => expect(await states(owner)).toEqual(['email sent']), 10_000);
  });

  test('where a channel is not set up, the operator finds it in the outbox and the record says so', async () => {
    const owner = await world.owner();
    const phone = '13912345678';
    const user = await phoneOnly(owner, phone);
    await world.as(owner, async (ctx) => {
      for (const channel of ['sms', 'email', 'feishu'] as const) {
        await ctx.db
          .insertInto('identity.channel_preference')
          .values({ company_id: owner.companyId, member_id: user, event: EVENT, channel, wanted: true })
          .execute();
      }
    });
    await tell(world, owner, '导入完成', { to: [user], event: EVENT });
    // He has no mailbox, so no mail is tried.
    await vi.waitFor(async () => expect((await states(owner)).sort()).toEqual(['feishu outbox', 'sms outbox']), 10_000);
    const kept = await inSystem(world.runtime, (db) =>
      db
        .selectFrom('kit.outbox')
        .select(['channel', 'target', 'purpose', 'text'])
        .where('company_id', '=', owner.companyId)
        .orderBy('channel', 'desc')
        .execute(),
    );
    expect(kept.map((row) => [row.channel, row.target, row.purpose])).toEqual([
      ['sms', phone, 'reminder'],
      ['feishu', phone, 'reminder'],
    ]);
    expect(kept[0]?.text).toContain('导入完成');
    expect((await sent(owner)).find((row) => row.channel === 'sms')?.note).toBe('未配置短信服务，内容保存在平台发件箱');
  });
});

describe('a mail server that refuses', () => {
  test('is asked three times; the third yes is enough', async () => {
    const owner = await world.owner();
    await want(owner, 'email');
    mailBox.refuse = 2;
    await tell(world, owner, '导出完成', { event: EVENT });
    await vi.waitFor(async () => expect(await states(owner)).toEqual(['email sent']), 15_000);
    expect((await sent(owner))[0]?.attempts).toBe(3);
    expect(mailBox.mails).toHaveLength(1);
  });

  test('three times no is a failure that is seen, told by the next channel, and tried again by hand', async () => {
    const owner = await world.owner();
    await want(owner, 'email');
    await world.as(owner, (ctx) =>
      ctx.db
        .updateTable('identity.member')
        .set({ tel: '13800138000' })
        .where('company_id', '=', owner.companyId)
        .where('id', '=', owner.userId)
        .execute(),
    );
    mailBox.refuse = 3;
    await tell(world, owner, '导出失败', { event: EVENT });
    await vi.waitFor(async () => expect((await states(owner)).sort()).toEqual(['email failed', 'sms outbox']), 15_000);
    const [sms, mail] = await sent(owner);
    expect(mail).toMatchObject({ attempts: 3, note: expect.stringContaining('come back later') });
    expect(sms?.note).toBe('邮件发送失败后改用；未配置短信服务，内容保存在平台发件箱');
    expect(await owner.call(countDeliveries, { body: {} })).toEqual({ failed: 1, outbox: 1, all: 2 });
    const failed = await owner.call(listDeliveries, { body: { filter: { state: 'failed', channel: ['email'] } } });
    expect(failed.records.map((row) => row.id)).toEqual([mail?.id]);

    await owner.call(retryDelivery, { params: { id: mail?.id ?? '' } });
    await vi.waitFor(async () => expect((await states(owner)).sort()).toEqual(['email sent', 'sms outbox']), 15_000);
    expect(await owner.send(retryDelivery, { params: { id: mail?.id ?? '' } })).toMatchObject({
      code: 400,
      msg: '只有发送失败的消息可以重新发送',
    });
  });
});

test('what is over, or for somebody who left, is not sent any more', async () => {
  const owner = await world.owner();
  const gone = await world.member(owner, []);
  await want(gone, 'email');
  await want(owner, 'email');
  const id = await world.as(owner, async (ctx) => {
    const said = await remind(ctx, { to: [owner.userId, gone.userId], title: '过时', event: EVENT });
    await ctx.db
      .updateTable('identity.member')
      .set({ is_disabled: true })
      .where('company_id', '=', owner.companyId)
      .where('id', '=', gone.userId)
      .execute();
    await ctx.db
      .updateTable('message.message')
      .set({ expires_at: new Date(worldClock().ms() - 1000) })
      .where('company_id', '=', owner.companyId)
      .where('id', '=', said ?? '')
      .execute();
    return said;
  });
  expect(id).not.toBeNull();
  await vi.waitFor(async () => expect(await states(owner)).toEqual(['email skipped', 'email skipped']), 10_000);
  expect(mailBox.mails).toEqual([]);
});

test('a delivery that is done is not done again, however often its job runs', async () => {
  const owner = await world.owner();
  await want(owner, 'email');
  await tell(world, owner, '一次', { event: EVENT });
  await vi.waitFor(async () => expect(await states(owner)).toEqual(['email sent']), 10_000);
  const [row] = await sent(owner);
  await deliverOne(world.runtime, { companyId: owner.companyId, id: row?.id ?? '' });
  await deliverOne(world.runtime, { companyId: owner.companyId, id: randomUUID() });
  expect(mailBox.mails).toHaveLength(1);
});

test('an announcement is mailed to those of its audience who want it so, and not after it was retracted', async () => {
  const owner = await world.owner();
  const [inside, outside] = [await world.member(owner, []), await world.member(owner, [])];
  for (const person of [owner, inside]) await want(person, 'email', 'message.announcement');
  await want(outside, 'email', 'message.announcement');
  const title = '周五停机维护';
  await owner.call(addAnnounce, {
    body: { prefix: '重要通知', title, content: '<p>20:00 起</p>', audience: { userTypes: ['owner'] } },
  });
  await vi.waitFor(async () => expect(await states(owner)).toEqual(['email sent']), 10_000);
  const mail = await PostalMime.parse(mailBox.mails[0]?.raw ?? Buffer.alloc(0));
  expect(mail.subject).toBe(`【重要通知】${title}`);
  expect(mail.to?.[0]?.address).toMatch(/^owner-/);
  await world.as(owner, async (ctx) => {
    const id = await publish(ctx, { title: '误发', content: '<p>误发</p>', action: 'like', audience: {} });
    await retract(ctx, id);
  });
  await owner.call(addAnnounce, { body: { title: '全员', content: '<p>全员</p>' } });
  await vi.waitFor(() => expect(mailBox.mails).toHaveLength(4), 10_000);
  const subjects = await Promise.all(mailBox.mails.map(async ({ raw }) => (await PostalMime.parse(raw)).subject));
  expect(subjects).toEqual([`【重要通知】${title}`, '全员', '全员', '全员']);
});

test('the record is the company’s own, needs its right, and goes after half a year', async () => {
  const owner = await world.owner();
  await want(owner, 'email');
  await tell(world, owner, '一条', { event: EVENT });
  await vi.waitFor(async () => expect(await states(owner)).toEqual(['email sent']), 10_000);
  const stranger = await world.owner('另一家');
  expect(await sent(stranger)).toEqual([]);
  const [row] = await sent(owner);
  expect((await stranger.send(retryDelivery, { params: { id: row?.id ?? '' } })).status).toBe(404);
  const nobody = await world.member(owner, []);
  expect((await nobody.send(listDeliveries, { body: {} })).status).toBe(403);
  expect((await owner.send(listDeliveries, { body: { sort: 'target' } })).code).toBe(400);
  const admin = adminOf(world);
  await admin.query("UPDATE message.delivery SET created_at = kit.now() - interval '181 days' WHERE company_id = $1", [
    owner.companyId,
  ]);
  await admin.end();
  expect(await purge(world.runtime)).toBeGreaterThanOrEqual(1);
  expect(await sent(owner)).toEqual([]);
});
