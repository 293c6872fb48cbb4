import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsOf } from '#kit/contract/columns.ts';
import { modules } from '#src/app/modules.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  deleteVersion,
  loadFields,
  myVersions,
  type QueryFieldItem,
  saveVersion,
  saveVersionWithName,
  shareVersion,
  usedVersion,
  useVersion,
  versionById,
} from '../contract.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const item = (ffield: string, findex: number, isShow = true): QueryFieldItem => ({ ffield, findex, isShow });
const saved = [item('c', 0), item('a', 1, false), item('x', 2)];

const saveAs = (queryname: string, versionname: string, fieldlist = saved, who = owner) =>
  who.call(saveVersionWithName, { body: { queryname, versionname, fieldlist } });
const all = (queryname: string, who = owner) => who.call(myVersions, { query: { queryname } });
const used = (queryname: string, who = owner) => who.call(usedVersion, { query: { queryname } });

describe('arrangements of columns', () => {
  test('a new one is put to use and comes back item by item', async () => {
    expect(await used('orders')).toBeNull();
    const id = await saveAs('orders', '发货视图', [
      { ...item('c', 0), width: 120, pinned: 'left' },
      item('a', 1, false),
    ]);
    const version = await used('orders');
    expect(version).toEqual({
      id,
      name: '发货视图',
      queryname: 'orders',
      isUsed: true,
      items: [
        { ffield: 'c', findex: 0, isShow: true, width: 120, pinned: 'left' },
        { ffield: 'a', findex: 1, isShow: false },
      ],
      isShared: false,
      isMine: true,
      ownerName: null,
      isEditable: true,
    });
    expect(await owner.call(versionById, { query: { id } })).toEqual(version);
  });

  test('the worked order survives as it was saved, hidden and removed fields and all', async () => {
    await saveAs('example', '我的', saved);
    expect((await used('example'))?.items.map(({ ffield, isShow }) => `${ffield}${isShow ? '' : '-'}`)).toEqual([
      'c',
      'a-',
      'x',
    ]);
  });

  test('saving under another name makes another, and exactly one is in use', async () => {
    const first = await saveAs('lists', '一');
    const second = await saveAs('lists', '二');
    expect((await used('lists'))?.id).toBe(second);
    await owner.call(saveVersion, { params: { id: first }, body: [item('z', 0)] });
    const versions = await all('lists');
    expect(versions.map((version) => [version.name, version.isUsed])).toEqual([
      ['一', true],
      ['二', false],
    ]);
    expect(versions[0]?.items).toEqual([item('z', 0)]);
    expect(await saveAs('lists', '一', [item('y', 0)])).toBe(first);
  });

  test('saving by the name of the list writes the one in use, or makes a first one', async () => {
    const made = await owner.call(saveVersion, { params: { id: 'fresh' }, body: saved });
    expect(await used('fresh')).toMatchObject({ id: made, name: '我的方案', isUsed: true });
    const again = await owner.call(saveVersion, { params: { id: 'fresh' }, body: [item('b', 0)] });
    expect(again).toBe(made);
    expect((await used('fresh'))?.items).toEqual([item('b', 0)]);
  });

  test('a deleted one is gone; nothing is in use after the one in use was deleted', async () => {
    const id = await saveAs('gone', '临时');
    expect(await owner.call(deleteVersion, { query: { versionid: id } })).toBe('success');
    expect([await used('gone'), await all('gone')]).toEqual([null, []]);
    for (const answer of [
      await owner.send(deleteVersion, { query: { versionid: id } }),
      await owner.send(versionById, { query: { id } }),
      await owner.send(saveVersion, { params: { id }, body: saved }),
    ]) {
      expect(answer).toMatchObject({ status: 404, msg: '列方案不存在或已删除' });
    }
  });

  test('are personal: neither a colleague nor a stranger sees, changes or deletes them', async () => {
    const id = await saveAs('mine', '私有');
    for (const person of [await world.member(owner, []), await world.owner('另一家')]) {
      expect([await used('mine', person), await all('mine', person)]).toEqual([null, []]);
      expect((await person.send(versionById, { query: { id } })).status).toBe(404);
      expect((await person.send(deleteVersion, { query: { versionid: id } })).status).toBe(404);
      expect((await person.send(saveVersion, { params: { id }, body: saved })).status).toBe(404);
      expect(await saveAs('mine', '私有', [item('k', 0)], person)).not.toBe(id);
    }
    expect((await used('mine'))?.items).toEqual(saved);
  });

  test('ten saves at once leave one in use and lose none', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, index) => saveAs('busy', `方案${index}`)));
    const versions = await all('busy');
    expect(versions).toHaveLength(10);
    expect(versions.filter((version) => version.isUsed)).toHaveLength(1);
  });

  test('thirty are enough for a list; one of the thirty can still be changed', async () => {
    for (let index = 0; index < 30; index += 1) await saveAs('full', `方案${index}`);
    const more = await owner.send(saveVersionWithName, {
      body: { queryname: 'full', versionname: '多余', fieldlist: saved },
    });
    expect(more).toMatchObject({ code: 400, msg: '每个列表最多保存30个方案', data: { code: 'B0201' } });
    await saveAs('full', '方案7', [item('n', 0)]);
    expect((await used('full'))?.items).toEqual([item('n', 0)]);
  });

  test.each([
    ['空的方案名', { queryname: 'q', versionname: ' ', fieldlist: saved }, '方案名称不能为空'],
    ['没有列', { queryname: 'q', versionname: 'v', fieldlist: [] }, '至少保留一列'],
    ['太窄', { queryname: 'q', versionname: 'v', fieldlist: [{ ...item('a', 0), width: 39 }] }, '列宽'],
    ['太宽', { queryname: 'q', versionname: 'v', fieldlist: [{ ...item('a', 0), width: 801 }] }, '列宽'],
  ])('refused: %s', async (_name, body, words) => {
    const answer = await owner.send(saveVersionWithName, { body });
    expect(answer.status).toBe(400);
    expect(answer.msg).toContain(words);
  });
});

describe('a version that somebody shares', () => {
  const choose = (who: Person, queryname: string, id: string | null) =>
    who.call(useVersion, { body: { queryname, id } });
  const share = (who: Person, id: string, shared = true) =>
    who.call(shareVersion, { params: { id }, body: { shared } });
  let li: Person;
  let wang: Person;
  beforeAll(async () => {
    li = await world.member(owner, []);
    wang = await world.member(owner, []);
  });

  test('is seen and used by colleagues, not by strangers, and changes for all with its owner', async () => {
    const id = await saveAs('shared', '运营视图', saved, li);
    expect(await all('shared', wang)).toEqual([]);
    await share(li, id);
    const [seen] = await all('shared', wang);
    expect(seen).toMatchObject({ id, isShared: true, isMine: false, isEditable: false, isUsed: false });
    expect(seen?.ownerName).toMatch(/^member-/);
    expect((await all('shared', li))[0]).toMatchObject({ isMine: true, ownerName: null, isUsed: true });
    await choose(wang, 'shared', id);
    await li.call(saveVersion, { params: { id }, body: [item('neu', 0)] });
    expect((await used('shared', wang))?.items).toEqual([item('neu', 0)]);
    const stranger = await world.owner('又一家');
    expect(await all('shared', stranger)).toEqual([]);
    expect((await stranger.send(useVersion, { body: { queryname: 'shared', id } })).status).toBe(404);
    expect((await stranger.send(versionById, { query: { id } })).status).toBe(404);
    // A version belongs to its list.
    expect((await wang.send(useVersion, { body: { queryname: 'another', id } })).status).toBe(404);
  });

  test('is locked for others, who copy it; those who administer rights may change it', async () => {
    const id = await saveAs('locked', '财务视图', saved, li);
    await share(li, id);
    await choose(wang, 'locked', id);
    const no = { code: 400, msg: expect.stringContaining('只有创建人或管理员可以修改'), data: { code: 'B0202' } };
    expect(await wang.send(saveVersion, { params: { id }, body: [item('z', 0)] })).toMatchObject(no);
    expect(await wang.send(deleteVersion, { query: { versionid: id } })).toMatchObject(no);
    expect(await wang.send(shareVersion, { params: { id }, body: { shared: false } })).toMatchObject(no);
    // Saving by the name of the list does not reach the lent one either.
    const own = await wang.call(saveVersion, { params: { id: 'locked' }, body: [item('z', 0)] });
    expect(own).not.toBe(id);
    const copy = await saveAs('locked', '财务视图', [item('y', 0)], wang);
    expect([copy === id, copy === own]).toEqual([false, false]);
    expect((await used('locked', li))?.items).toEqual(saved);

    const admin = await world.member(owner, ['sys:role:edit']);
    expect((await all('locked', admin))[0]?.isEditable).toBe(true);
    await admin.call(saveVersion, { params: { id }, body: [item('admin', 0)] });
    expect(await used('locked', li)).toMatchObject({ items: [item('admin', 0)], isMine: true });
    // A private one stays closed to them too.
    expect((await admin.send(saveVersion, { params: { id: copy }, body: saved })).status).toBe(404);
  });

  test('taken back or deleted it leaves its users with the columns of the list', async () => {
    const id = await saveAs('back', '一', saved, li);
    await share(li, id);
    await choose(wang, 'back', id);
    await share(li, id, false);
    expect([await used('back', wang), await all('back', wang)]).toEqual([null, []]);
    expect((await used('back', li))?.id).toBe(id);
    await share(li, id);
    await choose(wang, 'back', id);
    await li.call(deleteVersion, { query: { versionid: id } });
    expect([await used('back', wang), await used('back', li)]).toEqual([null, null]);
  });

  test('choosing writes nothing, and the columns of the list can be chosen again', async () => {
    const [one, two] = [await saveAs('choice', '一'), await saveAs('choice', '二', [item('b', 0)])];
    await choose(owner, 'choice', one);
    expect(await used('choice')).toMatchObject({ id: one, items: saved });
    await choose(owner, 'choice', null);
    expect(await used('choice')).toBeNull();
    expect((await all('choice')).map((version) => version.id).sort()).toEqual([one, two].sort());
  });

  test('thirty are enough for a list', async () => {
    const other = await world.owner('三十');
    for (let index = 0; index < 30; index += 1) await share(other, await saveAs('many', `方案${index}`, saved, other));
    const colleague = await world.member(other, []);
    const id = await saveAs('many', '多余', saved, colleague);
    expect(await colleague.send(shareVersion, { params: { id }, body: { shared: true } })).toMatchObject({
      code: 400,
      data: { code: 'B0203' },
    });
  });
});

describe('the catalogue', () => {
  const lists = modules.flatMap((module) => Object.entries(module.lists ?? {}));

  test.each(lists)('of %s is what its contract declares', async (queryname, row) => {
    const fields = await owner.call(loadFields, { query: { queryname } });
    const columns = columnsOf(row).filter((column) => !column.hidden);
    expect(fields.map((field) => [field.ffield, field.title])).toEqual(
      columns.map((column) => [column.key, column.title]),
    );
    expect(fields.map((field) => field.findex)).toEqual(columns.map((_, index) => index));
    expect(fields.length).toBeGreaterThan(2);
  });

  test('leaves out what somebody may not see', async () => {
    const member = await world.member(owner, []);
    for (const [queryname, row] of lists) {
      const secret = columnsOf(row)
        .filter((column) => column.permission)
        .map((column) => column.key);
      const fields = await member.call(loadFields, { query: { queryname } });
      expect(fields.filter((field) => secret.includes(field.ffield))).toEqual([]);
    }
  });

  test('of a list that does not exist is not found', async () => {
    expect((await owner.send(loadFields, { query: { queryname: randomUUID() } })).status).toBe(404);
    expect((await owner.send(loadFields, { query: { queryname: '__proto__' } })).status).toBe(404);
  });
});
