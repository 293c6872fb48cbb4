import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addAnnounce } from '../contract/announcements.ts';
import {
  batchReadMessage,
  countMessages,
  findNoReadByUserAll,
  getAnnounce,
  getMessage,
  getMsgLimit,
  getRemind,
  listAllMessageByUserId,
  pullMessage,
  updateAllTargets,
} from '../contract/messages.ts';
import { remind } from '../server/remind.ts';
import { adminOf, badge, tell } from './support.ts';

let world: World;
let admin: pg.Pool;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  admin = adminOf(world);
});
afterAll(async () => {
  await admin.end();
  await world.close();
});
beforeEach(async () => {
  owner = await world.owner();
});

const remindersOf = async (person: Person) => (await person.call(getRemind, { body: {} })).records;

describe('counting', () => {
  test('40 announcements and 61 reminders: 101, three opened 98, everything read 0, and once more 0', async () => {
    for (let n = 1; n <= 40; n += 1) {
      await owner.call(addAnnounce, { body: { title: `公告 ${n}`, content: '<p>内容</p>' } });
    }
    await world.as(owner, async (ctx) => {
      for (let n = 1; n <= 61; n += 1) {
        await remind(ctx, { to: [owner.userId], title: `提醒 ${n}`, event: 'test.something' });
      }
    });
    expect(await badge(owner)).toEqual({ sys: 40, nti: 61 });
    const three = (await remindersOf(owner)).slice(0, 3).map((row) => row.id);
    for (const id of three) expect(await owner.call(batchReadMessage, { body: { ids: [id] } })).toBe(1);
    expect(await badge(owner)).toEqual({ sys: 40, nti: 58 });
    expect(await owner.call(updateAllTargets, { query: {} })).toBe(98);
    expect(await badge(owner)).toEqual({ sys: 0, nti: 0 });
    expect(await owner.call(updateAllTargets, { query: {} })).toBe(0);
    expect(await badge(owner)).toEqual({ sys: 0, nti: 0 });
  });

  test('a message read twice counts once; reading one type leaves the other', async () => {
    const id = await tell(world, owner, '提醒');
    await owner.call(addAnnounce, { body: { title: '公告', content: '内容' } });
    expect(await owner.call(pullMessage, {})).toBe(1);
    expect(await owner.call(pullMessage, {})).toBe(0);
    expect(await owner.call(batchReadMessage, { body: { ids: [String(id)] } })).toBe(1);
    expect(await owner.call(batchReadMessage, { body: { ids: [String(id)] } })).toBe(0);
    expect(await badge(owner)).toEqual({ sys: 1, nti: 0 });
    await tell(world, owner, '又一条');
    expect(await owner.call(updateAllTargets, { query: { ftype: 1 } })).toBe(1);
    expect(await badge(owner)).toEqual({ sys: 0, nti: 1 });
  });

  test('what arrives while everything is being marked stays unread', async () => {
    await tell(world, owner, '先到');
    const late = new Promise<void>((resolve, reject) => {
      world
        .as(owner, async (ctx) => {
          await remind(ctx, { to: [owner.userId], title: '后到', event: 'test.something' });
          // Marking all waits for the counter that this transaction holds, and does not see its message.
          setTimeout(() => void owner.call(updateAllTargets, { query: {} }).then(() => resolve(), reject), 0);
          await new Promise((next) => setTimeout(next, 200));
        })
        .catch(reject);
    });
    await late;
    expect((await remindersOf(owner)).filter((row) => !row.isRead).map((row) => row.title)).toEqual(['后到']);
    expect(await badge(owner)).toEqual({ sys: 0, nti: 1 });
  });

  test('many senders at once lose no count and block nobody', async () => {
    const members = await Promise.all([1, 2, 3].map(() => world.member(owner, [])));
    const all = [owner, ...members].map((person) => person.userId);
    await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        world.as(owner, (ctx) =>
          remind(ctx, { to: n % 2 ? all : [...all].reverse(), title: `提醒 ${n}`, event: 'test.something' }),
        ),
      ),
    );
    for (const person of [owner, ...members]) expect(await badge(person)).toEqual({ sys: 0, nti: 24 });
  });

  test('a sender whose transaction fails has said nothing', async () => {
    const attempt = world.as(owner, async (ctx) => {
      await remind(ctx, { to: [owner.userId], title: '不会到', event: 'test.something' });
      throw new Error('later');
    });
    await expect(attempt).rejects.toThrow('later');
    expect(await badge(owner)).toEqual({ sys: 0, nti: 0 });
  });
});

describe('listing', () => {
  test('reminders, announcements and private messages each have their list, newest first, and stay unread', async () => {
    await tell(world, owner, '第一条');
    await tell(world, owner, '第二条');
    await tell(world, owner, '私信', { private: true });
    await owner.call(addAnnounce, { body: { title: '公告', prefix: '重要通知', content: '<p>一</p><p>二</p>' } });
    expect((await remindersOf(owner)).map((row) => row.title)).toEqual(['私信', '第二条', '第一条']);
    expect((await owner.call(getMessage, { body: {} })).records.map((row) => row.title)).toEqual(['私信']);
    const [notice] = (await owner.call(getAnnounce, { body: {} })).records;
    expect(notice).toMatchObject({ title: '【重要通知】公告', ftype: 1, isRead: false, text: '一 二' });
    expect(await badge(owner)).toEqual({ sys: 1, nti: 3 });
  });

  test('the message centre filters by kind, state, title and day, and counts', async () => {
    const id = await tell(world, owner, '到货 100% 完成');
    await tell(world, owner, '付款完成');
    await owner.call(addAnnounce, { body: { title: '停机公告', content: '内容' } });
    await owner.call(batchReadMessage, { body: { ids: [String(id)] } });
    const titles = async (filter: object) =>
      (await owner.call(listAllMessageByUserId, { body: { filter } })).records.map((row) => row.title);
    expect(await titles({})).toEqual(['停机公告', '付款完成', '到货 100% 完成']);
    expect(await titles({ kind: ['reminder'] })).toEqual(['付款完成', '到货 100% 完成']);
    expect(await titles({ state: 'read' })).toEqual(['到货 100% 完成']);
    expect(await titles({ keyword: '0% ' })).toEqual(['到货 100% 完成']);
    expect(await titles({ created: { to: '2020-01-01' } })).toEqual([]);
    const counts = { unread: 2, read: 1, all: 3 };
    expect(await owner.call(countMessages, { body: { filter: { state: 'read' } } })).toEqual(counts);
    const paged = await owner.call(listAllMessageByUserId, { body: { page: 2, limit: 2 } });
    expect([paged.total, paged.records.map((row) => row.title)]).toEqual([3, ['到货 100% 完成']]);
  });

  test('the home page gets the last five announcements, read or not', async () => {
    for (let n = 1; n <= 7; n += 1) await owner.call(addAnnounce, { body: { title: `公告 ${n}`, content: '内容' } });
    await owner.call(updateAllTargets, { query: {} });
    const titles = (await owner.call(getMsgLimit, {})).map((row) => row.title);
    expect(titles).toEqual(['公告 7', '公告 6', '公告 5', '公告 4', '公告 3']);
  });

  test('only unread announcements that are urgent pop up, and no more once they are read', async () => {
    await owner.call(addAnnounce, { body: { title: '常规', content: '内容' } });
    await owner.call(addAnnounce, { body: { title: '即时', content: '内容', action: 'timely' } });
    const [popup, ...others] = await owner.call(findNoReadByUserAll, {});
    expect([popup?.title, others]).toEqual(['即时', []]);
    await owner.call(batchReadMessage, { body: { ids: [String(popup?.id)] } });
    expect(await owner.call(findNoReadByUserAll, {})).toEqual([]);
  });
});

describe('reminding', () => {
  test('those who hold a permission are told: owners, and members with it, nobody else', async () => {
    const holder = await world.member(owner, ['amz:store:authorize']);
    const other = await world.member(owner, ['amz:store:view']);
    const stranger = await world.owner();
    await world.as(owner, (ctx) =>
      remind(ctx, { to: { permission: 'amz:store:authorize' }, title: '授权失效', event: 'test.lost' }),
    );
    const told = await Promise.all([owner, holder, other, stranger].map(badge));
    expect(told.map((each) => each.nti)).toEqual([1, 1, 0, 0]);
  });

  test('the same thing is said once', async () => {
    const first = await tell(world, owner, '授权即将到期', { dedupeKey: 'expiring:1:2026-11-21' });
    expect(first).not.toBeNull();
    expect(await tell(world, owner, '授权即将到期', { dedupeKey: 'expiring:1:2026-11-21' })).toBeNull();
    expect(await tell(world, owner, '授权即将到期', { dedupeKey: 'expiring:1:2026-11-22' })).not.toBeNull();
    expect(await badge(owner)).toEqual({ sys: 0, nti: 2 });
    // Another company may use the same words.
    expect(await tell(world, await world.owner(), '别家', { dedupeKey: 'expiring:1:2026-11-21' })).not.toBeNull();
  });

  test('nobody of another company can be told', async () => {
    const stranger = await world.owner();
    expect(await tell(world, owner, '给外人', { to: [stranger.userId] })).toBeNull();
    expect(await badge(stranger)).toEqual({ sys: 0, nti: 0 });
  });

  test('marks in names stay marks; HTML keeps its structure and loses what could act', async () => {
    await tell(world, owner, '<img src=x onerror=alert(1)>', { content: '店铺 <b>启航</b> & "旗舰"\n第二行' });
    await tell(world, owner, 'HTML', {
      html: '<p onclick="alert(1)">好<script>alert(2)</script></p><img src="https://spy.example/p.gif"><a href="javascript:alert(3)">点</a><a href="https://example.com/">看</a><iframe src="//x"></iframe>',
    });
    const [html, text] = await remindersOf(owner);
    expect(text?.title).toBe('<img src=x onerror=alert(1)>');
    expect(text?.content).toBe('<p>店铺 &lt;b&gt;启航&lt;/b&gt; &amp; &quot;旗舰&quot;</p><p>第二行</p>');
    expect(text?.text).toBe('店铺 <b>启航</b> & "旗舰" 第二行');
    expect(html?.content).toBe(
      '<p>好</p><a target="_blank" rel="noopener noreferrer">点</a><a href="https://example.com/" target="_blank" rel="noopener noreferrer">看</a>',
    );
  });
});

describe('where a message leads', () => {
  test('a kind of document that nobody registered leads nowhere', async () => {
    await tell(world, owner, '未知单据', { documentType: 'nonsense', documentId: '1' });
    await tell(world, owner, '没有单据');
    expect((await remindersOf(owner)).map((row) => row.link)).toEqual([null, null]);
  });
});

describe('refusals', () => {
  test("somebody else's messages, a colleague's too, are not there", async () => {
    const colleague = await world.member(owner, []);
    const id = String(await tell(world, owner, '我的'));
    for (const thief of [colleague, await world.owner()]) {
      const answer = await thief.send(batchReadMessage, { body: { ids: [id] } });
      expect([answer.status, answer.code, answer.msg]).toEqual([404, 404, '消息不存在或已删除']);
      expect(await remindersOf(thief)).toEqual([]);
    }
    expect(await badge(owner)).toEqual({ sys: 0, nti: 1 });
  });

  test('wrong input is named', async () => {
    const bad = await owner.send(batchReadMessage, { body: { ids: [] } });
    expect([bad.status, bad.msg]).toEqual([400, '请选择消息']);
    const type = await owner.send(updateAllTargets, { query: { ftype: 9 } });
    expect([type.status, type.code]).toEqual([400, 400]);
    for (const endpoint of [getRemind, getAnnounce, getMessage, listAllMessageByUserId]) {
      const answer = await owner.send(endpoint, { body: { sort: 'company_id' } });
      expect([endpoint.path, answer.code, answer.msg]).toEqual([endpoint.path, 400, '不支持按「company_id」排序']);
    }
    for (const endpoint of [getMsgLimit, findNoReadByUserAll, pullMessage]) {
      const response = await world.app.inject({ method: 'GET', url: endpoint.path });
      expect(response.statusCode, endpoint.path).toBe(401);
    }
  });
});

test('the counters are what a count would say', async () => {
  const { rows } = await admin.query(`
    SELECT c.company_id FROM message.counter c
     WHERE c.unread <> (SELECT count(*) FROM message.inbox i WHERE i.company_id = c.company_id
                           AND i.user_id = c.user_id AND i.ftype = c.ftype AND NOT i.is_read)`);
  expect(rows).toEqual([]);
});
