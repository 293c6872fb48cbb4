import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ViewContent } from '#kit/contract/list-view.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { addView, changeView, defaultViews, listViews, removeView, setDefaultView } from '../contract/views.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const CONTENT: ViewContent = {
  filter: { grain: 'week', sites: ['a|b'], amount: { from: 1, to: 20 } },
  days: { dates: 'last30' },
  sort: { key: 'units', order: 'desc' },
};
const add = (queryname: string, name: string, isShared = false, who = owner) =>
  who.call(addView, { body: { queryname, name, isShared, content: CONTENT } });
const tryAdd = (queryname: string, name: string, isShared = false, who = owner) =>
  who.send(addView, { body: { queryname, name, isShared, content: CONTENT } });
const all = (queryname: string, who = owner) => who.call(listViews, { query: { queryname } });
const defaults = async (who: Person) => (await who.call(defaultViews, {})).map(({ id }) => id);
const choose = (queryname: string, id: string | null, who = owner) =>
  who.call(setDefaultView, { body: { queryname, id } });

describe('views of a list', () => {
  test('come back as they were saved, days that are counted back by their key', async () => {
    const id = await add('v/one', '周销量');
    expect(await all('v/one')).toEqual([
      {
        id,
        name: '周销量',
        queryname: 'v/one',
        content: CONTENT,
        isShared: false,
        isMine: true,
        ownerName: null,
        isDefault: false,
        version: 0,
      },
    ]);
    expect(await all('v/other')).toEqual([]);
  });

  test('a name is taken once per person and list', async () => {
    await add('v/names', '同名');
    expect(await tryAdd('v/names', ' 同名 ')).toMatchObject({ code: 400, data: { code: 'B0204' } });
    await add('v/names2', '同名');
    const wang = await world.member(owner, []);
    await add('v/names', '同名', false, wang);
    expect(await all('v/names')).toHaveLength(1);
  });

  test('what is left out of a change stays; who read an older version is refused', async () => {
    const id = await add('v/change', '甲');
    const change = (body: object, version = 0) =>
      owner.send(changeView, { params: { id }, body: { version, ...body } });
    expect((await change({ name: '乙' })).data).toBe('success');
    expect((await change({ isShared: true })).status).toBe(409);
    const content: ViewContent = { filter: {}, days: {}, sort: null };
    expect((await change({ content }, 1)).data).toBe('success');
    expect(await all('v/change')).toMatchObject([{ name: '乙', isShared: false, content, version: 2 }]);
    await add('v/change', '丙');
    expect(await change({ name: '丙' }, 2)).toMatchObject({ code: 400, data: { code: 'B0204' } });
  });

  test('fifty are enough for a list, and one of the fifty can still be changed', async () => {
    for (let n = 0; n < 50; n += 1) await add('v/full', `视图${n}`);
    expect(await tryAdd('v/full', '多余')).toMatchObject({ code: 400, data: { code: 'B0205' } });
    const [first] = await all('v/full');
    const answer = await owner.send(changeView, {
      params: { id: first?.id ?? '' },
      body: { version: 0, name: '改名' },
    });
    expect(answer.data).toBe('success');
  });

  test('ten saves of one name at once make one view', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => tryAdd('v/race', '同时')));
    expect(answers.filter(({ code }) => code !== 400)).toHaveLength(1);
    expect(await all('v/race')).toHaveLength(1);
  });

  test.each([
    ['没有名称', { name: ' ' }, '视图名称不能为空'],
    ['名称太长', { name: '长'.repeat(41) }, '视图名称不能超过40个字符'],
    ['不认识的相对日期', { content: { ...CONTENT, days: { dates: 'last31' } } }, '相对日期'],
    ['太多', { content: { ...CONTENT, filter: { q: Array(100).fill('长'.repeat(400)) } } }, '筛选条件过多'],
  ])('refused: %s', async (_name, part, words) => {
    const body = { queryname: 'v/bad', name: '名', isShared: false, content: CONTENT, ...part };
    const answer = await owner.send(addView, { body } as Parameters<typeof owner.send<typeof addView>>[1]);
    expect(answer.status).toBe(400);
    expect(answer.msg).toContain(words);
  });
});

describe('a view that somebody shares', () => {
  test('is opened by colleagues, changed and deleted by its owner only, and unknown to another company', async () => {
    const [wang, stranger] = [await world.member(owner, []), await world.owner('另一家')];
    const id = await add('v/shared', '大家的', true);
    await add('v/shared', '私有');
    expect(await all('v/shared', wang)).toMatchObject([{ id, isShared: true, isMine: false, ownerName: '管理员' }]);
    expect(await all('v/shared', stranger)).toEqual([]);
    const change = (who: Person) => who.send(changeView, { params: { id }, body: { version: 0, name: '我的' } });
    const remove = (who: Person) => who.send(removeView, { params: { id } });
    for (const work of [change, remove]) {
      expect(await work(wang)).toMatchObject({ code: 400, data: { code: 'B0206' } });
      expect((await work(stranger)).status).toBe(404);
    }
    const chosen = await stranger.send(setDefaultView, { body: { queryname: 'v/shared', id } });
    expect(chosen.status).toBe(404);
  });

  test('opens the list of whoever chose it until it is taken back or deleted', async () => {
    const wang = await world.member(owner, []);
    const id = await add('v/default', '默认', true);
    await choose('v/default', id, wang);
    await choose('v/default', id);
    expect([await defaults(wang), await defaults(owner)]).toEqual([[id], [id]]);
    await owner.call(changeView, { params: { id }, body: { version: 0, isShared: false } });
    expect([await defaults(wang), await defaults(owner)]).toEqual([[], [id]]);
    const wrong = await owner.send(setDefaultView, { body: { queryname: 'v/elsewhere', id } });
    expect(wrong.status).toBe(404);
    const other = await add('v/default', '另一个');
    await choose('v/default', other);
    expect(await defaults(owner)).toEqual([other]);
    await choose('v/default', null);
    expect(await defaults(owner)).toEqual([]);
    await choose('v/default', other);
    await owner.call(removeView, { params: { id: other } });
    expect(await defaults(owner)).toEqual([]);
    expect((await owner.send(removeView, { params: { id: randomUUID() } })).status).toBe(404);
  });
});
