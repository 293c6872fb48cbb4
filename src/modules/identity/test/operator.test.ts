import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ctx } from '#kit/server/context.ts';
import { saveStore } from '#modules/marketplace/contract/stores.ts';
import { learnProducts } from '#modules/product/server/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  addMenu,
  listMenus,
  listPermissions,
  menuTable,
  menuTreeSelect,
  pagePermissions,
  removeMenu,
  saveMenu,
} from '../contract/menu-editor.ts';
import type { MenuEntry } from '../contract/menus.ts';
import { menuRoute } from '../contract/menus.ts';
import {
  addClient,
  countCustomers,
  listClients,
  listCustomers,
  NOBODYS_COMPANY,
  planKinds,
  removeClient,
  resumeCustomer,
  rotateClient,
  saveClient,
  saveCustomer,
  suspendCustomer,
} from '../contract/operator.ts';
import { addSubUser, listSubUsers } from '../contract/sub-users.ts';
import { userInfo } from '../contract/users.ts';
import { putOperator } from '../server/index.ts';
import { forgetMenuOverlays } from '../server/menu-overlay.ts';
import { linkProblem } from '../server/operator/menus.ts';
import { auditOf, loginAs } from './organisation-support.ts';

const PASSWORD = 'Geheim-2026';

let world: World;
let operator: Person;
let owner: Person;

beforeAll(async () => {
  world = await createWorld({ linkHosts: ['seller.example'] });
  await putOperator(world.runtime, { account: 'op@example.com', password: PASSWORD, name: '运营' });
  operator = await loginAs(world, 'op@example.com', PASSWORD);
  owner = await world.owner('客户甲');
});
afterAll(() => world.close());

const titles = (entries: readonly MenuEntry[]): string[] =>
  entries.flatMap((entry) => [entry.meta.title, ...titles(entry.children)]);

describe('an operator', () => {
  test('has his own screens and no business of any company', async () => {
    const menu = titles(await operator.call(menuRoute, {}));
    expect(menu).toEqual(expect.arrayContaining(['首页', '客户', '客户端', '菜单与权限']));
    expect(menu).not.toContain('店铺管理');
    expect((await operator.call(userInfo, {})).usertype).toBe('operator');
    for (const endpoint of [listSubUsers]) {
      expect((await operator.send(endpoint, { body: {} })).status).toBe(403);
    }
  });

  test('nobody else has his calls, whatever is in the database', async () => {
    expect(titles(await owner.call(menuRoute, {}))).not.toContain('客户');
    const member = await world.member(owner, ['sys:customer:view', 'sys:menu:edit']);
    for (const person of [owner, member]) {
      expect((await person.send(listCustomers, { body: {} })).status).toBe(403);
      expect((await person.send(listMenus, {})).status).toBe(403);
      expect((await person.send(listClients, { body: {} })).status).toBe(403);
    }
  });
});

/** Sums of orders so many days ago, as the landing of orders writes them. */
async function ordersOn(ctx: Ctx, days: readonly { days: number; orders: number }[]): Promise<void> {
  for (const { days: ago, orders } of days) {
    await sql`INSERT INTO "order".order_day (company_id, account_id, marketplace_id, local_date, status, channel,
        fulfilled_by, is_business, is_replacement, currency, orders, quantity, item_amount, discount_amount, order_total)
      VALUES (${ctx.companyId}, uuidv7(), 'ATVPDKIKX0DER', kit.today() - ${ago}::int, 'SHIPPED', 'AMAZON', 'AMAZON',
        false, false, 'USD', ${orders}, ${orders}, 0, 0, 0)`.execute(ctx.db);
  }
}

describe('customers', () => {
  test('are listed with their use, and never the operator himself', async () => {
    await owner.call(saveStore, { body: { name: '一号店' } });
    const some = (n: number) => Array.from({ length: n }, (_, at) => ({ sku: `U${at}`, name: `用量${at}` }));
    await world.as(owner, (ctx) => learnProducts(ctx, some(3)));
    const strangers = await world.owner('客户丙');
    await world.as(strangers, (ctx) => learnProducts(ctx, some(7)));
    await world.as(owner, (ctx) =>
      ordersOn(
        ctx,
        [0, 4, 29, 30].map((days) => ({ days, orders: days === 30 ? 100 : 3 })),
      ),
    );
    const page = await operator.call(listCustomers, { body: { filter: { search: '客户甲' } } });
    expect(page.total).toBe(1);
    expect(page.records[0]).toMatchObject({ name: '客户甲', state: 'active', users: 2 });
    const used = new Map(page.records[0]?.usage.map((usage) => [usage.key, usage.count]));
    expect([used.get('stores'), used.get('products'), used.get('orders')]).toEqual([1, 3, 9]);
    expect(page.records[0]?.usageText.split('　')).toEqual(expect.arrayContaining(['近30天订单 9', '商品 3']));
    const all = await operator.call(listCustomers, { body: { pagesize: 100 } });
    expect(all.records.map((row) => row.id)).not.toContain(NOBODYS_COMPANY);
    expect((await operator.call(countCustomers, { body: {} })).all).toBe(all.total);
  });

  test('get terms: a plan with a limit that holds, written down on both sides', async () => {
    const params = { id: owner.companyId };
    expect((await operator.call(planKinds, {})).map((kind) => kind.key)).toEqual(['users', 'stores', 'sites']);
    await operator.call(saveCustomer, { params, body: { planName: '标准版', limits: { users: 2 }, remark: '老客户' } });
    await owner.call(addSubUser, { body: { name: '一', account: 'plan1@example.com' } });
    const second = await owner.send(addSubUser, { body: { name: '二', account: 'plan2@example.com' } });
    expect([second.code, second.msg]).toEqual([400, '子账号数量已达上限（2）']);
    const theirs = (await auditOf(world, owner.companyId, 'identity.company')).at(-1);
    expect(theirs).toMatchObject({ action: '修改客户', after: { planName: '标准版' } });
    expect(JSON.stringify(theirs)).not.toContain('老客户');
    const ours = (await auditOf(world, NOBODYS_COMPANY, 'identity.company')).at(-1);
    expect(ours?.after).toMatchObject({ remark: '老客户' });
    // Other things that a plan counts hold where they are made.
    await operator.call(saveCustomer, { params, body: { planName: '标准版', limits: { users: 2, stores: 1 } } });
    const store = await owner.send(saveStore, { body: { name: '第二家店' } });
    expect([store.code, store.msg]).toEqual([400, '店铺数量已达上限（1）']);
    await operator.call(saveCustomer, { params, body: { planName: '标准版', limits: { users: 2, stores: 2 } } });
    expect((await owner.send(saveStore, { body: { name: '第二家店' } })).code).toBe(201);
    expect((await owner.send(saveStore, { body: { name: '第三家店' } })).msg).toBe('店铺数量已达上限（2）');
    expect((await operator.send(saveCustomer, { params, body: { limits: { moon: 1 } } })).code).toBe(400);
    const nobody = { id: '01900000-0000-7000-8000-000000000000' };
    expect((await operator.send(saveCustomer, { params: nobody, body: {} })).status).toBe(404);
    expect((await operator.send(saveCustomer, { params: { id: NOBODYS_COMPANY }, body: {} })).status).toBe(404);
  });

  test('that are suspended are out at once and in again when resumed', async () => {
    const other = await world.owner('客户乙');
    const params = { id: other.companyId };
    expect((await operator.send(suspendCustomer, { params, body: { reason: '' } })).status).toBe(400);
    await operator.call(suspendCustomer, { params, body: { reason: '欠费' } });
    await expect.poll(async () => (await other.send(userInfo, {})).status, { timeout: 5000 }).toBe(401);
    expect((await operator.send(suspendCustomer, { params, body: { reason: '再次' } })).code).toBe(400);
    await operator.call(resumeCustomer, { params });
    await expect.poll(async () => (await other.send(userInfo, {})).status, { timeout: 5000 }).toBe(200);
    expect((await operator.send(resumeCustomer, { params })).msg).toBe('该客户未停用');
  });
});

describe('clients', () => {
  test('get a secret that is told once and can be rotated', async () => {
    const form = {
      clientId: 'report-portal',
      name: '报表门户',
      scopes: ['openid' as const],
      grants: ['authorization_code' as const],
      redirectUris: ['https://portal.example.com/back'],
    };
    const made = await operator.call(addClient, { body: form });
    expect(made.secret).toHaveLength(43);
    const { records } = await operator.call(listClients, { body: {} });
    expect(records[0]).toMatchObject({ clientId: 'report-portal', grantsText: '授权码', tokenSeconds: 7200 });
    expect(JSON.stringify(records)).not.toContain(made.secret);
    const rotated = await operator.call(rotateClient, { params: { id: made.id } });
    expect(rotated.secret).not.toBe(made.secret);
    expect((await operator.send(addClient, { body: form })).msg).toBe('客户端ID已存在');
    for (const uri of ['http://evil.example.com/', 'https://a.example.com/#x', 'javascript:alert(1)', 'https://']) {
      const bad = await operator.send(addClient, { body: { ...form, clientId: 'other', redirectUris: [uri] } });
      expect([uri, bad.status]).toEqual([uri, 400]);
    }
    const { clientId: _id, ...rest } = form;
    const params = { id: made.id };
    const put = (body: object) => operator.send(saveClient, { params, body: { ...rest, version: 1, ...body } });
    expect((await put({ redirectUris: [] })).status).toBe(400);
    expect((await put({ name: '新名' })).code).toBe(201);
    expect((await put({ name: '晚了' })).status).toBe(409);
    await operator.call(removeClient, { params });
    expect((await operator.send(rotateClient, { params })).status).toBe(404);
  });
});

describe('the menu', () => {
  const menuOf = async () => {
    forgetMenuOverlays(world.runtime);
    return owner.call(menuRoute, {});
  };

  test('is renamed, hidden and restored for everybody; home stays', async () => {
    const rows = await operator.call(listMenus, {});
    const store = rows.find((row) => row.path === '/amazon/storeAuth');
    if (!store) throw new Error('no store entry');
    await operator.call(saveMenu, { params: { key: store.key }, body: { title: '我的店铺', sort: 1 } });
    expect(titles(await menuOf())).toContain('我的店铺');
    await operator.call(saveMenu, { params: { key: store.key }, body: { visible: false } });
    expect(titles(await menuOf())).not.toContain('我的店铺');
    expect((await auditOf(world, NOBODYS_COMPANY, 'identity.menu_overlay')).at(-1)).toMatchObject({
      before: { visible: true },
      after: { visible: false },
    });
    await operator.call(removeMenu, { params: { key: store.key } });
    expect(titles(await menuOf())).toContain('店铺管理');
    expect((await operator.send(removeMenu, { params: { key: store.key } })).status).toBe(404);
    expect((await operator.send(saveMenu, { params: { key: 'home' }, body: { visible: false } })).msg).toBe(
      '首页不能隐藏',
    );
    expect((await operator.send(saveMenu, { params: { key: 'nowhere' }, body: {} })).status).toBe(404);
  });

  test('takes directories and links to allowed sites only', async () => {
    const parents = await operator.call(menuTreeSelect, {});
    expect(parents.map((each) => each.value)).toContain('sales');
    const dir = await operator.call(addMenu, { body: { kind: 'dir', parent: 'authorisation', title: '外部系统' } });
    const link = { kind: 'link' as const, parent: dir, title: '卖家后台' };
    await operator.call(addMenu, { body: { ...link, redirect: 'https://seller.example/home' } });
    const found = (await menuOf()).find((entry) => entry.name === 'authorisation');
    const group = found?.children.find((entry) => entry.meta.title === '外部系统');
    expect(group?.children[0]).toMatchObject({ redirect: 'https://seller.example/home' });
    const evil = await operator.send(addMenu, { body: { ...link, redirect: 'https://evil.example.com/' } });
    expect([evil.status, evil.msg]).toEqual([400, '域名 evil.example.com 不在允许的外链名单中']);
    expect((await operator.send(removeMenu, { params: { key: dir } })).msg).toBe('请先删除下级菜单');
    expect((await operator.send(addMenu, { body: { ...link, kind: 'dir', parent: 'nowhere' } })).status).toBe(404);
    const tree = await operator.call(menuTable, {});
    expect(JSON.stringify(tree)).toContain('卖家后台');
    // Somebody without anything in the section does not get it for the link's sake.
    const nobody = await world.member(owner, []);
    expect(titles(await nobody.call(menuRoute, {}))).not.toContain('卖家后台');
  });

  test('an address leads where it says', () => {
    const hosts = ['amazon.com'];
    for (const good of ['https://amazon.com/', 'https://www.amazon.com/x?y', '/old/page.do', '/old/a.jsp?id=1']) {
      expect([good, linkProblem(good, hosts)]).toEqual([good, undefined]);
    }
    const bad = [
      'http://amazon.com/',
      'https://amazon.com.evil.cn/',
      'https://evilamazon.com/',
      'https://amazon.com@evil.cn/',
    ];
    for (const address of [...bad, 'javascript:alert(1)', '//evil.cn/a.do', '/\\evil.cn/a.do', '', '/home']) {
      expect([address, linkProblem(address, hosts) !== undefined]).toEqual([address, true]);
    }
  });
});

test('every call is listed with what it asks for', async () => {
  const all = await operator.call(listPermissions, {});
  expect(all.find((row) => row.path === '/admin/api/v1/users/list')).toMatchObject({
    name: '子账号列表',
    service: 'admin',
    method: 'POST',
    code: 'sys:user:view',
    codeTitle: '查看子账号',
  });
  const page = await operator.call(pagePermissions, { body: { filter: { search: 'sys:role:edit' }, pagesize: 10 } });
  expect(page.records.every((row) => row.code === 'sys:role:edit')).toBe(true);
  expect((await operator.send(pagePermissions, { body: { sort: 'nothing' } })).code).toBe(400);
});
