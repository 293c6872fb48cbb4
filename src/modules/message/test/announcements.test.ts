import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Envelope } from '#kit/contract/envelope.ts';
import { createCompany } from '#modules/identity/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  type Announcement,
  addAnnounce,
  audienceOptions,
  countAnnouncements,
  listAnnouncements,
  retractAnnounce,
} from '../contract/announcements.ts';
import { batchReadMessage, getAnnounce } from '../contract/messages.ts';
import { PLATFORM } from '../server/platform.ts';
import { expire } from '../server/tidy.ts';
import { adminOf, badge } from './support.ts';

let world: World;
let admin: pg.Pool;
let owner: Person;
let member: Person;

const SECRET = 'Geheim-2026';

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
  member = await world.member(owner, []);
});

const publish = (who: Person, more: Partial<Announcement> = {}) =>
  who.call(addAnnounce, { body: { title: '公告', content: '<p>内容</p>', ...more } });

const titles = async (who: Person) => (await who.call(getAnnounce, { body: {} })).records.map((row) => row.title);

async function roleOf(person: Person): Promise<string> {
  const { rows } = await admin.query<{ role_id: string }>(
    'SELECT role_id FROM identity.member_role WHERE company_id = $1 AND member_id = $2',
    [person.companyId, person.userId],
  );
  return rows[0]?.role_id ?? '';
}

/** Somebody who runs the product: a member of the company that all others are customers of. */
async function operator(): Promise<Person> {
  const { pepper } = world.runtime.secrets;
  const account = `operator-${Date.now()}@example.com`;
  const userId = await world.runtime.connections.tenant(PLATFORM, (db) =>
    createCompany(db, PLATFORM, { name: '平台', owner: { account, password: SECRET, name: '运营' } }, pepper),
  );
  const login = await world.app.inject({
    method: 'POST',
    url: '/auth/login',
    payload: { account, password: SECRET },
  });
  const { session } = login.json<Envelope<{ session: string }>>().data;
  const send: Person['send'] = async (endpoint, input) => {
    const { params, body } = input as { params?: Record<string, string>; body?: object };
    const response = await world.app.inject({
      method: endpoint.method,
      url: endpoint.path.replace(/:(\w+)/g, (_, key: string) => params?.[key] ?? ''),
      headers: { jsessionid: session },
      ...(body ? { payload: body } : {}),
    });
    const answer = response.json();
    return { status: response.statusCode, ...answer, headers: {}, raw: response.rawPayload };
  };
  return {
    companyId: PLATFORM,
    userId,
    session,
    send,
    async call(endpoint, input) {
      const answer = await send(endpoint, input);
      if (answer.code !== 201) throw new Error(`${endpoint.path}: ${answer.code} ${answer.msg}`);
      return answer.data;
    },
  };
}

describe('whom an announcement reaches', () => {
  test('everybody of the company, and nobody of another', async () => {
    const stranger = await world.owner();
    await publish(owner);
    expect(await Promise.all([owner, member, stranger].map(titles))).toEqual([['公告'], ['公告'], []]);
  });

  test('the members of a role', async () => {
    const other = await world.member(owner, []);
    await publish(owner, { audience: { roles: [await roleOf(member)] } });
    expect(await Promise.all([owner, member, other].map(titles))).toEqual([[], ['公告'], []]);
    expect(await Promise.all([owner, member, other].map(badge))).toEqual([
      { sys: 0, nti: 0 },
      { sys: 1, nti: 0 },
      { sys: 0, nti: 0 },
    ]);
  });

  test('the members of a department and of those below it', async () => {
    const [near, below, outside] = await Promise.all([1, 2, 3].map(() => world.member(owner, [])));
    const { rows } = await admin.query<{ id: string }>(
      "INSERT INTO identity.department (company_id, name) VALUES ($1, '运营'), ($1, '人事') RETURNING id",
      [owner.companyId],
    );
    const [sales, people] = rows;
    const group = await admin.query<{ id: string }>(
      "INSERT INTO identity.department (company_id, name, parent_id) VALUES ($1, '北美组', $2) RETURNING id",
      [owner.companyId, sales?.id],
    );
    for (const [person, dept] of [
      [near, sales],
      [below, group.rows[0]],
      [outside, people],
    ] as const) {
      await admin.query('UPDATE identity.member SET dept_id = $1 WHERE id = $2', [dept?.id, person?.userId]);
    }
    await publish(owner, { audience: { departments: [String(sales?.id)] } });
    const seen = await Promise.all([near, below, outside].map((person) => person && titles(person)));
    expect(seen).toEqual([['公告'], ['公告'], []]);
    const [row] = (await owner.call(listAnnouncements, { body: {} })).records;
    expect(row?.audienceText).toBe('部门 运营');
  });

  test('a kind of account; two conditions narrow together', async () => {
    await publish(owner, { title: '管理员', audience: { userTypes: ['owner'] } });
    await publish(owner, { title: '无人', audience: { userTypes: ['owner'], roles: [await roleOf(member)] } });
    expect(await Promise.all([owner, member].map(titles))).toEqual([['管理员'], []]);
  });

  test('who joins later is not told what was said before', async () => {
    await publish(owner, { title: '从前' });
    const late = await world.member(owner, []);
    await publish(owner, { title: '以后' });
    expect(await titles(late)).toEqual(['以后']);
  });

  test('readers who come by at the same moment on two pages get it once', async () => {
    await publish(owner);
    await Promise.all(Array.from({ length: 6 }, () => titles(member)));
    expect(await titles(member)).toEqual(['公告']);
    expect(await badge(member)).toEqual({ sys: 1, nti: 0 });
  });
});

describe('taking back', () => {
  test('a retracted announcement leaves every inbox, and the counters of those who had not read it', async () => {
    const id = await publish(owner);
    await titles(member);
    const [mine] = (await owner.call(getAnnounce, { body: {} })).records;
    await owner.call(batchReadMessage, { body: { ids: [String(mine?.id)] } });
    expect([await badge(owner), await badge(member)]).toEqual([
      { sys: 0, nti: 0 },
      { sys: 1, nti: 0 },
    ]);
    await owner.call(retractAnnounce, { params: { id } });
    expect([await titles(owner), await titles(member)]).toEqual([[], []]);
    expect(await badge(member)).toEqual({ sys: 0, nti: 0 });
    const [row] = (await owner.call(listAnnouncements, { body: {} })).records;
    expect(row).toMatchObject({ state: 'retracted', readCount: 1, retractedByName: '管理员' });
    const again = await owner.send(retractAnnounce, { params: { id } });
    expect([again.status, again.msg]).toEqual([404, '公告不存在、已撤回或已过期']);
  });

  test('an announcement whose time is over leaves as well', async () => {
    await publish(owner, { expiresAt: new Date(world.clock.ms() + 60_000).toISOString() });
    expect(await badge(member)).toEqual({ sys: 1, nti: 0 });
    await titles(member);
    await world.advance(61_000);
    await expire(world.runtime);
    expect([await titles(member), await badge(member)]).toEqual([[], { sys: 0, nti: 0 }]);
    expect(await owner.call(countAnnouncements, { body: {} })).toEqual({ expired: 1, all: 1 });
  });
});

describe('the list of the publisher', () => {
  test('says whom it was for, how many read it, and filters', async () => {
    await publish(owner, { title: '停机', prefix: '重要公告', action: 'timely' });
    await publish(owner, { title: '采购', audience: { roles: [await roleOf(member)], userTypes: ['member'] } });
    const [mine] = (await member.call(getAnnounce, { body: {} })).records;
    await member.call(batchReadMessage, { body: { ids: [String(mine?.id)] } });
    const { records, total } = await owner.call(listAnnouncements, { body: {} });
    const role = (await owner.call(audienceOptions, {})).roles.find((each) => each.name.endsWith('的角色'));
    expect(total).toBe(2);
    expect(records.map((row) => [row.title, row.action, row.audienceText, row.readCount])).toEqual([
      ['采购', 'like', `角色 ${role?.name} · 常规账户`, 1],
      ['【重要公告】停机', 'timely', '全部成员', 0],
    ]);
    const timely = await owner.call(listAnnouncements, { body: { filter: { action: ['timely'] } } });
    expect(timely.records.map((row) => row.title)).toEqual(['【重要公告】停机']);
  });
});

describe('announcements of the platform', () => {
  test('go to all companies or to some, are read in each, counted over all and taken back from all', async () => {
    const platform = await operator();
    const elsewhere = await world.owner('别的公司');
    const id = await publish(platform, { title: '版本更新' });
    await publish(platform, { title: '只给一家', audience: { companies: [elsewhere.companyId] } });
    await publish(platform, { title: '付费公司', audience: { plan: 'paid' } });
    await publish(platform, { title: '免费公司管理员', audience: { plan: 'free', userTypes: ['owner'] } });
    expect(await titles(member)).toEqual(['版本更新']);
    expect(await titles(elsewhere)).toEqual(['免费公司管理员', '只给一家', '版本更新']);
    for (const person of [member, elsewhere]) {
      await person.call(batchReadMessage, { body: { ids: [id] } });
    }
    const { records } = await platform.call(listAnnouncements, { body: {} });
    expect(records.map((row) => [row.title, row.audienceText, row.readCount])).toEqual([
      ['免费公司管理员', '免费公司 · 管理员', 0],
      ['付费公司', '付费公司', 0],
      ['只给一家', '公司 别的公司', 0],
      ['版本更新', '全部公司', 2],
    ]);
    // A customer sees what he got in no list of his own, and cannot take it back.
    expect((await owner.call(listAnnouncements, { body: {} })).records).toEqual([]);
    expect((await owner.send(retractAnnounce, { params: { id } })).status).toBe(404);
    await platform.call(retractAnnounce, { params: { id } });
    expect(await titles(member)).toEqual([]);
    expect(await titles(elsewhere)).toEqual(['免费公司管理员', '只给一家']);
  });
});

describe('refusals', () => {
  const refusal = async (who: Person, body: object) => {
    const answer = await who.send(addAnnounce, { body: body as Announcement });
    return [answer.status, answer.code, answer.msg];
  };

  test('without the right nobody publishes, lists or retracts', async () => {
    for (const answer of [
      await member.send(addAnnounce, { body: { title: '公告', content: '内容' } }),
      await member.send(listAnnouncements, { body: {} }),
      await member.send(countAnnouncements, { body: {} }),
      await member.send(audienceOptions, {}),
      await member.send(retractAnnounce, { params: { id: await publish(owner) } }),
    ]) {
      expect([answer.status, answer.data]).toMatchObject([403, { perm: 'sys:notify:send' }]);
    }
  });

  test('what is missing or too long is named', async () => {
    expect(await refusal(owner, { content: '内容' })).toEqual([400, 400, '标题：不能为空']);
    expect(await refusal(owner, { title: '长'.repeat(81), content: '内容' })).toEqual([
      400,
      400,
      '标题不能超过80个字符',
    ]);
    expect(await refusal(owner, { title: '公告', content: ' ' })).toEqual([400, 400, '内容不能为空']);
    // Nothing is left of it once it is sanitised.
    expect(await refusal(owner, { title: '公告', content: '<script>alert(1)</script>' })).toEqual([
      400,
      400,
      '内容不能为空',
    ]);
    expect(await refusal(owner, { title: '公告', content: '内容', expiresAt: '2020-01-01T00:00:00Z' })).toEqual([
      400,
      400,
      '到期时间应晚于当前时间',
    ]);
  });

  test("another company's roles are not there, and other companies are out of reach", async () => {
    const stranger = await world.member(await world.owner(), []);
    const foreign = await roleOf(stranger);
    const body = { title: '公告', content: '内容' };
    expect(await refusal(owner, { ...body, audience: { roles: [foreign] } })).toEqual([404, 404, '角色不存在或已删除']);
    expect(await refusal(owner, { ...body, audience: { companies: [stranger.companyId] } })).toEqual([
      200,
      400,
      '只能向本公司成员发布公告',
    ]);
    expect(await refusal(owner, { ...body, audience: { plan: 'paid' } })).toEqual([
      200,
      400,
      '只能向本公司成员发布公告',
    ]);
    expect((await owner.call(audienceOptions, {})).companies).toEqual([]);
    expect(await refusal(owner, { ...body, prefix: '系统公告' })).toEqual([
      200,
      400,
      '标题前缀「系统公告」只能由平台使用，请选择其他前缀',
    ]);
  });

  test('scripts, pictures and frames do not get into an announcement', async () => {
    await publish(owner, {
      content:
        '<h2 style="color:red">标题</h2><p>正文<img src="https://spy.example/x.png" onerror="x()"></p><iframe src="https://x"></iframe><svg><script>1</script></svg>',
    });
    const [row] = (await member.call(getAnnounce, { body: {} })).records;
    expect(row?.content).toBe('<h2>标题</h2><p>正文</p>');
  });
});
