import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { putOperator } from '#modules/identity/server/index.ts';
import { logInAs } from '#test/support/log-in.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { listPlatforms, switchPlatform } from '../contract/platforms.ts';
import {
  addTag,
  addTagGroup,
  listTagGroups,
  mergeTags,
  removeTag,
  removeTagGroup,
  saveTag,
  saveTagGroup,
  selectTags,
} from '../contract/tags.ts';
import { type TagUser, tagsOf, tagUsers } from '../server/index.ts';

let world: World;
let owner: Person;
let other: Person;
/** Records that carry tags, as a module would keep them. */
const carried: string[] = [];

const carrier: TagUser = {
  key: 'test',
  title: '测试',
  count: async (_ctx, ids) => new Map(ids.map((id) => [id, carried.filter((each) => each === id).length])),
  move: async (_ctx, from, to) => {
    const moved = carried.filter((each) => each === from).length;
    carried.forEach((each, at) => {
      if (each === from) carried[at] = to;
    });
    return moved;
  },
};

beforeAll(async () => {
  world = await createWorld();
  const extra = defineModule({ name: 'test', title: '测试', needs: [], extensions: [extend(tagUsers, carrier)] });
  Object.assign(world.runtime, { modules: [...world.runtime.modules, extra] });
  owner = await world.owner();
  other = await world.owner();
});
afterAll(() => world.close());

describe('tags', () => {
  let group: string;
  let hot: string;
  let warm: string;

  test('stand in groups, with colours, and are offered while both are in use', async () => {
    group = await owner.call(addTagGroup, { body: { name: '商品标签', description: '选品用' } });
    hot = await owner.call(addTag, { body: { groupId: group, name: '爆款', color: 'danger', sort: 1 } });
    warm = await owner.call(addTag, { body: { groupId: group, name: '热销', color: 'warning', sort: 2 } });
    expect(await owner.call(selectTags, {})).toEqual([
      { id: hot, name: '爆款', color: 'danger', group: '商品标签' },
      { id: warm, name: '热销', color: 'warning', group: '商品标签' },
    ]);
    await owner.call(saveTag, { params: { id: warm }, body: { name: '热卖', color: 'warning', status: 'disabled' } });
    expect((await owner.call(selectTags, {})).map((tag) => tag.name)).toEqual(['爆款']);
    const names = await world.as(owner, (ctx) => tagsOf(ctx, [hot, warm, randomUUID()]));
    expect([...names.values()].map((tag) => tag.name).sort()).toEqual(['热卖', '爆款'].sort());
    await owner.call(saveTagGroup, { params: { id: group }, body: { name: '商品', status: 'disabled' } });
    expect(await owner.call(selectTags, {})).toEqual([]);
    await owner.call(saveTagGroup, { params: { id: group }, body: { name: '商品' } });
  });

  test('uses are counted; a tag in use cannot be deleted but merged', async () => {
    carried.push(hot, hot, warm);
    const [first] = await owner.call(listTagGroups, {});
    expect(first?.tags.map((tag) => [tag.name, tag.uses])).toEqual([
      ['热卖', 1],
      ['爆款', 2],
    ]);
    expect((await owner.send(removeTag, { params: { id: hot } })).msg).toBe(
      '标签「爆款」正被2条记录使用，请先合并到其他标签或停用',
    );
    expect((await owner.send(mergeTags, { body: { from: hot, to: hot } })).msg).toBe('不能合并到标签自身');
    expect(await owner.call(mergeTags, { body: { from: hot, to: warm } })).toEqual({ moved: 2 });
    expect(carried).toEqual([warm, warm, warm]);
    expect((await owner.send(removeTag, { params: { id: hot } })).status).toBe(404);
    carried.length = 0;
    expect((await owner.send(removeTagGroup, { params: { id: group } })).msg).toBe(
      '标签组「商品」中还有1个标签，请先删除',
    );
    await owner.call(removeTag, { params: { id: warm } });
    await owner.call(removeTagGroup, { params: { id: group } });
    expect(await owner.call(listTagGroups, {})).toEqual([]);
  });

  test('names are unique, colours are five, and others see none of it', async () => {
    const id = await owner.call(addTagGroup, { body: { name: '客户' } });
    expect((await owner.send(addTagGroup, { body: { name: '客户' } })).msg).toBe('标签组「客户」已存在');
    const tag = await owner.call(addTag, { body: { groupId: id, name: 'VIP' } });
    expect((await owner.send(addTag, { body: { groupId: id, name: 'VIP' } })).msg).toBe('该标签组中已有标签「VIP」');
    expect((await owner.send(addTag, { body: { groupId: id, name: '粉', color: 'pink' as 'info' } })).status).toBe(400);
    expect((await owner.send(saveTag, { params: { id: tag }, body: { name: '贵宾', version: 9 } })).status).toBe(409);
    expect((await owner.send(saveTagGroup, { params: { id }, body: { name: '客', version: 9 } })).status).toBe(409);
    expect((await other.send(addTag, { body: { groupId: id, name: '偷' } })).status).toBe(404);
    expect((await other.send(saveTag, { params: { id: tag }, body: { name: '偷' } })).status).toBe(404);
    expect((await other.send(removeTagGroup, { params: { id } })).status).toBe(404);
    const theirs = await other.call(addTagGroup, { body: { name: '客户' } });
    const theirTag = await other.call(addTag, { body: { groupId: theirs, name: 'VIP' } });
    expect((await owner.send(mergeTags, { body: { from: tag, to: theirTag } })).status).toBe(404);
    const member = await world.member(owner, []);
    expect((await member.send(listTagGroups, {})).status).toBe(403);
    expect((await member.send(selectTags, {})).status).toBe(200);
  });
});

describe('marketplaces', () => {
  test('twelve, of which one works; only the operator switches them, for everybody', async () => {
    const rows = await owner.call(listPlatforms, {});
    expect(rows).toHaveLength(12);
    expect(rows.filter((row) => row.enabled)).toEqual([{ code: 'amazon', name: 'Amazon', enabled: true, stores: 0 }]);
    const body = { enabled: true };
    expect((await owner.send(switchPlatform, { params: { code: 'shopee' }, body })).status).toBe(403);
    await putOperator(world.runtime, { account: 'ops@example.com', password: 'Betrieb-2026', name: '运营' });
    const operator = await logInAs(world, 'ops@example.com', 'Betrieb-2026');
    await operator.call(switchPlatform, { params: { code: 'shopee' }, body });
    expect((await other.call(listPlatforms, {})).find((row) => row.code === 'shopee')?.enabled).toBe(true);
    await operator.call(switchPlatform, { params: { code: 'shopee' }, body: { enabled: false } });
    expect((await other.call(listPlatforms, {})).find((row) => row.code === 'shopee')?.enabled).toBe(false);
    expect((await operator.send(switchPlatform, { params: { code: 'moon' as 'jd' }, body })).status).toBe(400);
    expect((await operator.send(switchPlatform, { params: { code: 'jd' }, body: {} as never })).status).toBe(400);
  });
});
