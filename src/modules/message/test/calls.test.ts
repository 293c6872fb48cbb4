import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListedCall, sendListed } from '#test/support/calls.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addAnnounce } from '../contract/announcements.ts';
import { tell } from './support.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  await owner.call(addAnnounce, { body: { title: '停机', action: 'timely', content: '<p>停机</p>' } });
});
afterAll(() => world.close());

const notify = '/admin/api/v1/notify';
const refused = { status: 400, code: 400 };
const page = { body: { currentpage: 1, pagesize: 10 } };
const badPage = { body: { currentpage: 0 }, ...refused };

/** A call without anything to get wrong is refused to whoever has no session only. */
interface Row extends Omit<ListedCall, 'bad'> {
  bad?: ListedCall['bad'];
}

const CALLS: Row[] = [
  { call: `GET ${notify}/getMsgLimit`, good: {}, holds: [expect.objectContaining({ title: '停机' })] },
  { call: `POST ${notify}/getRemind`, good: page, bad: badPage },
  { call: `POST ${notify}/getAnnounce`, good: page, bad: badPage },
  { call: `POST ${notify}/getMessage`, good: page, bad: badPage },
  {
    call: `POST ${notify}/addAnnounce`,
    good: { body: { title: '通知', content: '<p>内容</p>' } },
    bad: { body: { title: '', content: '<p>内容</p>' }, ...refused },
  },
  {
    call: `POST ${notify}/listAllMessageByUserId`,
    good: page,
    bad: { body: { sort: 'content' }, status: 200, code: 400 },
  },
  {
    call: `POST ${notify}/batchReadMessage`,
    good: { body: { ids: ['{message}'] } },
    bad: { body: { ids: [randomUUID()] }, status: 404, code: 404 },
  },
  { call: `GET ${notify}/findNitofyNums`, good: {} },
  { call: `GET ${notify}/pullMessage`, good: {} },
  { call: `GET ${notify}/findNoReadByUserAll`, good: {} },
  { call: `GET ${notify}/updateAllTargets`, good: { rest: '?ftype=2' }, bad: { rest: '?ftype=9', ...refused } },
];

test('the list names every call once', () => {
  expect(new Set(CALLS.map(({ call }) => call)).size).toBe(11);
  expect(CALLS.length).toBe(11);
});

describe.each(CALLS)('$call', (row) => {
  test.each(['', '/api'] as const)(
    'grants what is right and refuses what is wrong, with the prefix "%s"',
    async (prefix) => {
      const message = await tell(world, owner, '提醒');
      const good = { ...row.good, ...(row.call.endsWith('batchReadMessage') ? { body: { ids: [message] } } : {}) };
      const granted = await sendListed(world, owner.session, row.call, good, prefix);
      expect([granted.status, granted.answer.code, granted.answer.msg]).toEqual([200, 201, '操作成功']);
      if (row.holds !== undefined && prefix === '') expect(granted.answer.data).toEqual(row.holds);
      if (row.bad) {
        const no = await sendListed(world, owner.session, row.call, row.bad, prefix);
        expect([no.status, no.answer.code]).toEqual([row.bad.status, row.bad.code]);
        expect(no.answer.msg).toMatch(/\p{Script=Han}/u);
      }
      const stranger = await sendListed(world, undefined, row.call, good, prefix);
      expect([stranger.status, stranger.answer.code]).toEqual([401, 401]);
      const expired = await sendListed(world, 'no such session', row.call, good, prefix);
      expect(expired.status).toBe(401);
    },
  );
});

test('whoever may not publish is refused', async () => {
  const member = await world.member(owner, []);
  const call = `POST ${notify}/addAnnounce`;
  const body = { title: '通知', content: '<p>内容</p>' };
  const answer = await sendListed(world, member.session, call, { body }, '');
  expect([answer.status, answer.answer.code]).toEqual([403, 403]);
});
