import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ModuleDef } from '#kit/server/module.ts';
import { modules } from '#src/app/modules.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { cleanUserCache, MenuEntry, menuRoute } from '../contract/menus.ts';
import { ssoIsRun } from '../contract/session.ts';
import { checkAdminByCompanyId, userInfo } from '../contract/users.ts';
import { menuFor } from '../server/menu.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner('星河 & 贸易（深圳）');
});
afterAll(() => world.close());

const screens = (entries: readonly MenuEntry[]): string[] =>
  entries.flatMap((entry) => [...(entry.component ? [entry.component] : []), ...screens(entry.children)]);

describe('the menu of', () => {
  test('an owner holds every screen and, on the first entry, every right', async () => {
    const menu = await owner.call(menuRoute, {});
    expect(z.array(MenuEntry).parse(menu)).toEqual(menu);
    const [home, ...others] = menu;
    expect(home).toMatchObject({ path: '/home', sort: 0, meta: { title: '首页' } });
    const codes = modules.flatMap((module) => Object.keys(module.permissions ?? {}));
    expect(home?.meta.permissions).toEqual([...codes].sort());
    expect(others.some((entry) => entry.meta.permissions)).toBe(false);
    expect(screens(menu)).toContain('marketplace/StoreAuth');
    expect(menu.map((entry) => entry.sort)).toEqual(menu.map((entry) => entry.sort).toSorted((a, b) => a - b));
  });

  test('a member holds what his rights open, without empty groups', async () => {
    const member = await world.member(owner, ['amz:store:view']);
    const menu = await member.call(menuRoute, {});
    // 消息中心 and 审批工作台 are everybody's; report tasks go with the stores.
    expect(menu.map((entry) => entry.meta.title)).toEqual(['首页', '授权', '系统']);
    expect(screens(menu)).toEqual([
      'identity/Welcome',
      'marketplace/StoreAuth',
      'marketplace/ReportTasks',
      'approval/Desk',
      'message/MessageCentre',
    ]);
    expect(menu[0]?.meta.permissions).toEqual(['amz:store:view']);
  });

  test('somebody without any right still has a home', async () => {
    const nobody = await world.member(owner, []);
    const menu = await nobody.call(menuRoute, {});
    expect(menu.map((entry) => entry.meta.title)).toEqual(['首页', '系统']);
    expect(menu[0]?.component).toBe('identity/Welcome');
    expect(menu[0]?.meta.permissions).toEqual([]);
  });

  test('several modules share a group of one name and stand in order', () => {
    const screen = (title: string, sort: number, permission: string) => ({
      title,
      sort,
      path: `/${title}`,
      component: title,
      permission,
    });
    const defs: ModuleDef[] = [
      {
        name: 'a',
        title: 'A',
        needs: [],
        menu: { sales: [{ title: '订单', sort: 20, children: [screen('b', 20, 'x')] }, screen('z', 30, 'x')] },
      },
      {
        name: 'b',
        title: 'B',
        needs: [],
        menu: { sales: [{ title: '订单', sort: 20, children: [screen('a', 10, 'x'), screen('secret', 5, 'y')] }] },
      },
    ];
    const sales = menuFor(defs, new Set(['x'])).find((entry) => entry.name === 'sales');
    expect(sales?.children.map((entry) => entry.meta.title)).toEqual(['订单', 'z']);
    expect(sales?.children[0]?.children.map((entry) => entry.meta.title)).toEqual(['a', 'b']);
    expect(menuFor(defs, new Set()).map((entry) => entry.name)).toEqual(['home']);
  });
});

describe('who am I', () => {
  test('an owner is told so, with the company encoded for the address line', async () => {
    const info = await owner.call(userInfo, {});
    expect(info).toMatchObject({
      id: owner.userId,
      name: '管理员',
      company: '星河 & 贸易（深圳）',
      usertype: 'owner',
      image: null,
    });
    expect(decodeURIComponent(info.userinfo.companyname)).toBe('星河 & 贸易（深圳）');
    expect(info.userinfo.companyname).toMatch(/^[\x21-\x7e]+$/);
    expect(JSON.stringify(info)).not.toMatch(/password|argon2/);
    expect(await owner.call(checkAdminByCompanyId, {})).toBe(true);
  });

  test('a member is not an owner', async () => {
    const member = await world.member(owner, []);
    expect(await member.call(checkAdminByCompanyId, {})).toBe(false);
    expect((await member.call(userInfo, {})).usertype).toBe('member');
  });

  test('the small calls of the page', async () => {
    expect(await owner.call(cleanUserCache, {})).toBe('success');
    expect(await owner.call(ssoIsRun, { body: {} })).toBe('false');
  });
});
