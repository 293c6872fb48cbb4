import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putOperator } from '#modules/identity/server/index.ts';
import { logInAs } from '#test/support/log-in.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  addDict,
  addItem,
  getDict,
  getItem,
  listItems,
  pageDicts,
  pageItems,
  removeDict,
  removeItem,
  saveDict,
  saveItem,
  selectItems,
} from '../contract/dictionaries.ts';

let world: World;
let owner: Person;
let other: Person;
let operator: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  other = await world.owner();
  await putOperator(world.runtime, { account: 'ops@example.com', password: 'Betrieb-2026', name: '运营' });
  operator = await logInAs(world, 'ops@example.com', 'Betrieb-2026');
});
afterAll(() => world.close());

const currencies = (who = owner) => who.call(listItems, { query: { dictCode: 'currency' } });
const item = (value: string, name: string, more = {}) => ({ dictCode: 'currency', value, name, ...more });
const dictOf = async (code: string, who = owner) => {
  const { records } = await who.call(pageDicts, { query: { name: code, limit: 100 } });
  const found = records.find((row) => row.code === code);
  if (!found) throw new Error(`no dictionary ${code}`);
  return found;
};

describe('what the product brings along', () => {
  test('every company reads it, and the drop-downs have it in order', async () => {
    const { records, total } = await owner.call(pageDicts, { query: { page: 1, limit: 5 } });
    expect(records.map((row) => row.code)).toEqual([
      'country',
      'currency',
      'unit_quantity',
      'unit_weight',
      'unit_length',
    ]);
    expect(total).toBeGreaterThanOrEqual(10);
    const choices = await other.call(selectItems, { params: { code: 'currency' } });
    expect(choices.slice(0, 3)).toEqual([
      { value: 'CNY', label: '人民币', listClass: '' },
      { value: 'USD', label: '美元', listClass: '' },
      { value: 'EUR', label: '欧元', listClass: '' },
    ]);
  });

  test('a company cannot change or delete it', async () => {
    const dict = await dictOf('currency');
    expect(dict).toMatchObject({ origin: 'platform', editable: false });
    const body = { name: '货币' };
    for (const answer of [
      await owner.send(saveDict, { params: { id: dict.id }, body }),
      await owner.send(removeDict, { params: { id: dict.id } }),
    ]) {
      expect([answer.status, answer.code, answer.msg]).toEqual([
        200,
        400,
        '平台字典只读，可以新增数据项覆盖平台的同值数据项',
      ]);
    }
    const [first] = await currencies();
    const attempt = await owner.send(removeItem, { params: { id: first?.id ?? '' } });
    expect(attempt.msg).toBe('平台数据项只读，可以新增同值的数据项覆盖它');
  });

  test('a company lays its own item over one of the platform, and takes it off again', async () => {
    const id = await owner.call(addItem, { body: item('USD', '美金', { listClass: 'success', sort: 1 }) });
    const own = (await currencies()).filter((row) => row.value === 'USD');
    expect(own).toMatchObject([{ id, name: '美金', origin: 'own', overlays: true, editable: true }]);
    expect((await currencies(other)).find((row) => row.value === 'USD')?.name).toBe('美元');
    await owner.call(saveItem, { params: { id }, body: { ...item('USD', '美刀'), status: 'disabled' } });
    const choices = await owner.call(selectItems, { params: { code: 'currency' } });
    expect(choices.map((choice) => choice.value)).not.toContain('USD');
    await owner.call(removeItem, { params: { id } });
    expect((await currencies()).find((row) => row.value === 'USD')).toMatchObject({
      name: '美元',
      origin: 'platform',
      overlays: false,
    });
  });

  test('the operator changes it for everybody', async () => {
    const [first] = await currencies(operator);
    if (!first) throw new Error('no currency');
    expect(first).toMatchObject({ value: 'CNY', editable: true, overlays: false });
    await operator.call(saveItem, { params: { id: first.id }, body: { ...item('CNY', '人民币元'), sort: first.sort } });
    expect((await currencies())[0]?.name).toBe('人民币元');
    const dict = await dictOf('currency', operator);
    await operator.call(saveDict, { params: { id: dict.id }, body: { name: '货币', sort: dict.sort } });
    expect((await dictOf('currency', other)).name).toBe('货币');
  });
});

describe('a dictionary of the company', () => {
  test('is made, changed, filled and deleted with its items; nobody else sees it', async () => {
    const id = await owner.call(addDict, { body: { name: '包装方式', code: 'packing', remark: '仓库用' } });
    expect(await owner.call(getDict, { params: { id } })).toMatchObject({ code: 'packing', editable: true });
    const itemId = await owner.call(addItem, {
      body: { dictCode: 'packing', name: '气泡袋', value: 'bubble', sort: 2, remark: '易碎品' },
    });
    await owner.call(addItem, { body: { dictCode: 'packing', name: '纸箱', value: 'box', sort: 1 } });
    const page = await owner.call(pageItems, { query: { dictCode: 'packing', page: 1, limit: 1 } });
    expect([page.total, page.records.map((row) => row.name)]).toEqual([2, ['纸箱']]);
    const named = await owner.call(listItems, { query: { dictCode: 'packing', name: '气泡' } });
    expect(named.map((row) => row.value)).toEqual(['bubble']);
    expect(await owner.call(getItem, { params: { id: itemId } })).toMatchObject({ remark: '易碎品', status: 'active' });
    expect((await other.send(getDict, { params: { id } })).status).toBe(404);
    expect((await other.send(getItem, { params: { id: itemId } })).status).toBe(404);
    expect((await other.send(saveItem, { params: { id: itemId }, body: { name: 'x', value: 'y' } })).status).toBe(404);
    expect((await other.send(removeItem, { params: { id: itemId } })).status).toBe(404);
    expect((await other.send(addItem, { body: { dictCode: 'packing', name: 'x', value: 'y' } })).status).toBe(404);
    await owner.call(saveDict, { params: { id }, body: { name: '包装', status: 'disabled' } });
    expect(await owner.call(selectItems, { params: { code: 'packing' } })).toEqual([]);
    await owner.call(removeDict, { params: { id } });
    expect((await owner.send(getDict, { params: { id } })).status).toBe(404);
    expect((await owner.send(getItem, { params: { id: itemId } })).status).toBe(404);
  });

  test('codes, values and types are checked', async () => {
    const say = async (body: object) => (await owner.send(addDict, { body: body as never })).msg;
    expect(await say({ name: '', code: 'abc' })).toBe('字典名称不能为空');
    expect(await say({ name: '名', code: '1abc' })).toContain('字典编码须以字母开头');
    expect(await say({ name: '名', code: 'currency' })).toBe('字典编码「currency」已存在');
    await owner.call(addDict, { body: { name: '级别', code: 'level' } });
    const put = async (value: string, itemType = 'text') =>
      (await owner.send(addItem, { body: { dictCode: 'level', name: value, value, itemType: itemType as 'text' } }))
        .msg;
    expect(await put('1', 'number')).toBe('操作成功');
    expect(await put('1')).toBe('数据项值「1」已存在');
    expect(await put('x', 'number')).toBe('数据项值不是数字');
    expect(await put('maybe', 'boolean')).toBe('数据项值应为 true 或 false');
    expect((await owner.send(listItems, { query: { dictCode: 'no such code!' } })).status).toBe(400);
    expect((await owner.send(selectItems, { params: { code: 'nowhere' } })).status).toBe(404);
    expect((await owner.send(pageItems, { query: { dictCode: 'level', limit: 1000 } })).status).toBe(400);
    expect((await owner.send(pageDicts, { query: { page: 0 } })).status).toBe(400);
    expect((await owner.send(removeDict, { params: { id: randomUUID() } })).status).toBe(404);
  });

  test('a stale change is refused, and reading alone allows no change', async () => {
    const id = await owner.call(addDict, { body: { name: '渠道', code: 'channel' } });
    await owner.call(saveDict, { params: { id }, body: { name: '渠道一', version: 0 } });
    const stale = await owner.send(saveDict, { params: { id }, body: { name: '渠道二', version: 0 } });
    expect([stale.status, stale.msg]).toEqual([409, '数据已被他人修改，请刷新后重试']);
    const reader = await world.member(owner, ['sys:dict:view']);
    expect((await reader.send(saveDict, { params: { id }, body: { name: 'x' } })).status).toBe(403);
    expect((await reader.send(pageDicts, { query: {} })).status).toBe(200);
    const nobody = await world.member(owner, []);
    expect((await nobody.send(pageDicts, { query: {} })).status).toBe(403);
    expect((await nobody.send(selectItems, { params: { code: 'currency' } })).status).toBe(200);
  });
});
