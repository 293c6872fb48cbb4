import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  type AddressImport,
  addAddress,
  addressTemplate,
  changeAddress,
  countAddresses,
  defaultAddress,
  disableAddress,
  exportAddresses,
  importAddresses,
  listAddresses,
  restoreAddress,
} from '../contract/addresses.ts';
import { saveStore } from '../contract/stores.ts';

const US = 'ATVPDKIKX0DER';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function begun() {
  const owner = await world.owner();
  const storeId = await owner.call(saveStore, { body: { name: '启航家居' } });
  const form = {
    storeId,
    name: '深圳仓',
    country: 'cn',
    state: '广东省',
    city: '深圳市',
    line1: '龙华区民治大道 18 号',
    postalCode: '518131',
    phone: '+86 755-12345678',
  };
  return { owner, storeId, form };
}

async function list(owner: Person, filter: object = {}) {
  return (await owner.call(listAddresses, { body: { filter } })).records;
}

async function importFile(owner: Person, text: string, commit: boolean): Promise<AddressImport & { msg: string }> {
  const boundary = 'x'.repeat(20);
  const payload = [
    `--${boundary}\r\ncontent-disposition: form-data; name="commit"\r\n\r\n${commit}\r\n`,
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${text}\r\n`,
    `--${boundary}--\r\n`,
  ].join('');
  const answer = await world.app.inject({
    method: 'POST',
    url: `/api${importAddresses.path}`,
    headers: { jsessionid: owner.session, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  });
  const body = answer.json<{ code: number; msg: string; data: AddressImport }>();
  return { ...body.data, msg: body.msg };
}

describe('an address', () => {
  test('is added, changed by whoever saw it last, and one per store and site is the default', async () => {
    const { owner, form } = await begun();
    const { id } = await owner.call(addAddress, { body: { ...form, isDefault: true } });
    const second = await owner.call(addAddress, { body: { ...form, name: '义乌仓', isDefault: true } });
    const forUs = await owner.call(addAddress, {
      body: { ...form, name: '美国专用', marketplaceId: US, isDefault: true },
    });
    const defaults = (await list(owner)).filter((row) => row.isDefault).map((row) => [row.name, row.site]);
    expect(defaults.sort()).toEqual([
      ['义乌仓', '全部'],
      ['美国专用', 'US'],
    ]);
    await owner.call(changeAddress, { body: { ...form, id, version: 0, city: '东莞市', isDefault: true } });
    const stale = await owner.send(changeAddress, { body: { ...form, id, version: 0, city: '广州市' } });
    expect(stale.status).toBe(409);
    const row = (await list(owner)).find((one) => one.id === id);
    expect(row).toMatchObject({
      country: 'CN',
      city: '东莞市',
      isDefault: true,
      store: '启航家居',
      updatedBy: '管理员',
    });
    await owner.call(defaultAddress, { body: { id: second.id } });
    expect(
      (await list(owner))
        .filter((one) => one.isDefault)
        .map((one) => one.id)
        .sort(),
    ).toEqual([second.id, forUs.id].sort());
  });

  test.each([
    ['name', 51, '名称不能超过50个字符'],
    ['company', 51, '公司不能超过50个字符'],
    ['line1', 181, '详细地址不能超过180个字符'],
    ['line2', 61, '地址2不能超过60个字符'],
    ['district', 51, '区县不能超过50个字符'],
    ['city', 31, '城市不能超过30个字符'],
    ['state', 65, '省/州不能超过64个字符'],
    ['postalCode', 33, '邮政编码不能超过32个字符'],
    ['phone', 21, '电话不能超过20个字符'],
  ])('%s of %i characters is refused by name, one less is taken', async (field, length, message) => {
    const { owner, form } = await begun();
    const answer = await owner.send(addAddress, { body: { ...form, [field]: '1'.repeat(length) } });
    expect(answer.status).toBe(400);
    expect(answer.msg).toContain(message);
    expect((await owner.send(addAddress, { body: { ...form, [field]: '1'.repeat(length - 1) } })).code).toBe(201);
  });

  test('signs that the marketplace does not take are refused in words', async () => {
    const { owner, form } = await begun();
    const tries: [object, string][] = [
      [{ phone: '一三八' }, '电话只能包含数字、空格和 + - ( )'],
      [{ postalCode: '邮编' }, '邮政编码只能包含字母、数字、空格和连字符'],
      [{ country: '中国' }, '国家应为两位字母代码，如 CN'],
      [{ email: 'nobody' }, '邮箱格式不正确'],
      [{ city: '' }, '城市不能为空'],
    ];
    for (const [changes, message] of tries) {
      expect((await owner.send(addAddress, { body: { ...form, ...changes } })).msg).toContain(message);
    }
    expect((await owner.send(addAddress, { body: { ...form, marketplaceId: 'NOWHERE' } })).msg).toBe(
      '站点不存在，请重新选择',
    );
    expect(await list(owner)).toEqual([]);
  });

  test('is deleted and restored; its name is free meanwhile', async () => {
    const { owner, form } = await begun();
    const { id } = await owner.call(addAddress, { body: { ...form, isDefault: true } });
    expect((await owner.send(addAddress, { body: { ...form, name: '深圳仓' } })).msg).toBe(
      '同一店铺和站点下已有地址「深圳仓」',
    );
    await owner.call(disableAddress, { query: { id } });
    expect((await owner.send(disableAddress, { query: { id } })).status).toBe(409);
    expect(await owner.call(countAddresses, { body: {} })).toEqual({ active: 0, disabled: 1 });
    expect((await list(owner, { status: 'disabled' }))[0]).toMatchObject({ id, isDefault: false });
    const other = await owner.call(addAddress, { body: form });
    expect((await owner.send(restoreAddress, { body: { id } })).msg).toBe('同一店铺和站点下已有地址「深圳仓」');
    await owner.call(disableAddress, { query: { id: other.id } });
    await owner.call(restoreAddress, { body: { id } });
    expect((await list(owner, { status: 'active' })).map((row) => row.id)).toEqual([id]);
  });

  test('of another company is none', async () => {
    const { owner, form } = await begun();
    const { id } = await owner.call(addAddress, { body: form });
    const stranger = await begun();
    expect((await stranger.owner.send(disableAddress, { query: { id } })).status).toBe(404);
    expect((await stranger.owner.send(addAddress, { body: form })).status).toBe(404);
    expect(await list(stranger.owner)).toEqual([]);
  });
});

describe('a table of addresses', () => {
  const HEAD = '名称,店铺,站点,国家,省/州,城市,详细地址,邮政编码,电话,默认';

  test('is checked whole: one bad row, and nothing is written', async () => {
    const { owner } = await begun();
    const rows = [
      HEAD,
      '一号仓,启航家居,US,CN,广东省,深圳市,某路 1 号,518000,0755-1,是',
      '二号仓,没有的店,US,CN,广东省,深圳市,某路 2 号,518000,0755-2,否',
      `三号仓,启航家居,ZZ,CN,广东省,深圳市,某路 3 号,518000,0755-3,否`,
      `四号仓,启航家居,,CN,广东省,${'城'.repeat(31)},某路 4 号,518000,0755-4,否`,
      '一号仓,启航家居,US,CN,广东省,深圳市,某路 5 号,518000,0755-5,否',
    ];
    const found = await importFile(owner, `${rows.join('\n')}\n`, true);
    expect(found.written).toBe(false);
    expect(found.problems.map((one) => [one.line, one.column, one.reason])).toEqual([
      [3, '店铺', '店铺不存在'],
      [4, '站点', '站点不存在，请填国家代码，如 US'],
      [5, '城市', '城市不能超过30个字符'],
      [6, '名称', '文件中有相同店铺、站点和名称的行'],
    ]);
    expect(await list(owner)).toEqual([]);
    const lacking = await importFile(owner, '名称,店铺\n一号仓,启航家居\n', true);
    expect(lacking.problems[0]?.reason).toBe('缺少列「国家」，请使用导入模板的表头');
  });

  test('is written whole, changes what it names again, and comes back from the export', async () => {
    const { owner, form } = await begun();
    await owner.call(addAddress, { body: { ...form, name: '一号仓', marketplaceId: US, line2: '3 楼' } });
    const rows = [
      HEAD,
      '一号仓,启航家居,US,CN,广东省,深圳市,新路 1 号,518000,0755-1,是',
      '二号仓,启航家居,,CN,浙江省,义乌市,商城大道 2 号,322000,0579-2,否',
    ];
    const text = `${rows.join('\n')}\n`;
    expect(await importFile(owner, text, false)).toMatchObject({ rows: 2, added: 1, changed: 1, written: false });
    expect(await list(owner)).toHaveLength(1);
    expect(await importFile(owner, text, true)).toMatchObject({ added: 1, changed: 1, written: true });
    const first = (await list(owner)).find((row) => row.name === '一号仓');
    expect(first).toMatchObject({ line1: '新路 1 号', line2: '3 楼', isDefault: true, version: 1 });
    const file = await owner.send(exportAddresses, { body: { format: 'csv' } });
    const again = await importFile(owner, file.raw.toString('utf8'), true);
    expect(again).toMatchObject({ rows: 2, added: 0, changed: 2, problems: [], written: true });
    const template = await owner.send(addressTemplate, {});
    expect(template.raw.subarray(0, 2).toString()).toBe('PK');
  });
});
