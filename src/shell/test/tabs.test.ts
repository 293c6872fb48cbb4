import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  homeTab,
  isHome,
  lostBetween,
  restoreTabs,
  saveTabs,
  TAB_LIMIT,
  type TabAction,
  type Tabs,
  tabsReducer,
} from '../tabs.ts';

const start: Tabs = { list: [homeTab()], active: '首页' };
const visit = (
  title: string,
  address = `/${title}?title=${title}`,
  more: { keepAlive?: boolean; replace?: boolean } = {},
): TabAction => ({
  type: 'visit',
  title,
  address,
  keepAlive: true,
  ...more,
});
const after = (...actions: TabAction[]): Tabs => actions.reduce(tabsReducer, start);
const titles = (tabs: Tabs) => tabs.list.map((tab) => tab.title).join(' ');

test('a new title adds a tab, a known one reuses it', () => {
  const tabs = after(visit('订单'), visit('库存'), visit('订单'));
  expect(titles(tabs)).toBe('首页 订单 库存');
  expect(tabs.active).toBe('订单');
});

test('closing the tab in front shows the next, else the one before; the home tab stays', () => {
  const three = after(visit('甲'), visit('乙'), visit('丙'), visit('乙'));
  const closed = tabsReducer(three, { type: 'close', title: '乙' });
  expect([titles(closed), closed.active]).toEqual(['首页 甲 丙', '丙']);
  const last = tabsReducer(closed, { type: 'close', title: '丙' });
  expect([titles(last), last.active]).toEqual(['首页 甲', '甲']);
  expect(titles(tabsReducer(last, { type: 'close', title: '首页' }))).toBe('首页 甲');
});

test('closing a tab at the back leaves the one in front', () => {
  const tabs = tabsReducer(after(visit('甲'), visit('乙')), { type: 'close', title: '甲' });
  expect([titles(tabs), tabs.active]).toEqual(['首页 乙', '乙']);
});

test('the context menu: others, right, left', () => {
  const four = after(visit('甲'), visit('乙'), visit('丙'), visit('丁'));
  expect(titles(tabsReducer(four, { type: 'closeOthers', title: '乙' }))).toBe('首页 乙');
  const right = tabsReducer(four, { type: 'closeRight', title: '乙' });
  expect([titles(right), right.active]).toEqual(['首页 甲 乙', '乙']);
  const left = tabsReducer(four, { type: 'closeLeft', title: '丙' });
  expect([titles(left), left.active]).toEqual(['首页 丙 丁', '丁']);
});

test('the replace flag closes the tab that one comes from, but never the home tab', () => {
  const tabs = after(visit('列表'), visit('新建', '/new', { replace: true }));
  expect(titles(tabs)).toBe('首页 新建');
  expect(titles(after(visit('新建', '/new', { replace: true })))).toBe('首页 新建');
});

test('what replaces a tab stands in its place', () => {
  const tabs = after(
    visit('列表'),
    visit('新建'),
    visit('库存'),
    visit('新建'),
    visit('编辑', '/edit', { replace: true }),
  );
  expect([titles(tabs), tabs.active]).toEqual(['首页 列表 编辑 库存', '编辑']);
});

test('a list that rewrites its own filters is the same page; another record in a detail tab is a new one', () => {
  const list = after(visit('订单', '/orders?title=订单'), visit('订单', '/orders?title=订单&f.state=pending'));
  expect(list.list[1]).toMatchObject({ revision: 0, address: '/orders?title=订单&f.state=pending' });
  const detail = after(
    visit('详情', '/orders/detail?id=1', { keepAlive: false }),
    visit('详情', '/orders/detail?title=详情&id=1', { keepAlive: false }),
  );
  expect(detail.list[1]?.revision).toBe(0);
  const other = tabsReducer(detail, visit('详情', '/orders/detail?id=2', { keepAlive: false }));
  expect(other.list[1]?.revision).toBe(1);
});

test('refreshing builds a page anew and forgets that it was dirty', () => {
  const dirty = tabsReducer(after(visit('编辑')), { type: 'dirty', title: '编辑', dirty: true });
  expect(dirty.list[1]?.dirty).toBe(true);
  expect(tabsReducer(dirty, { type: 'refresh', title: '编辑' }).list[1]).toMatchObject({ dirty: false, revision: 1 });
});

test('beyond the limit the oldest clean tab goes', () => {
  const many = Array.from({ length: TAB_LIMIT - 1 }, (_, index) => visit(`页${index}`));
  const full = tabsReducer(after(...many), { type: 'dirty', title: '页0', dirty: true });
  const over = tabsReducer(full, visit('新页'));
  expect(over.list).toHaveLength(TAB_LIMIT);
  expect(over.list.some((tab) => tab.title === '页1')).toBe(false);
  expect(over.list.some((tab) => tab.title === '页0')).toBe(true);
});

test('a page that calls itself as the home page gets a name of its own', () => {
  const tabs = after(visit('首页', '/orders'));
  expect([titles(tabs), tabs.active]).toEqual(['首页 首页（2）', '首页（2）']);
  expect(after(visit('随便', '/home')).active).toBe('首页');
});

test('whatever is done, the home tab is there once, titles are unique, and the tab in front exists', () => {
  const title = fc.constantFrom('首页', '甲', '乙', '丙', '丁', '没有');
  const action: fc.Arbitrary<TabAction> = fc.oneof(
    fc
      .tuple(title, fc.constantFrom('/home', '/a', '/b?id=1', '/b?id=2'), fc.boolean(), fc.boolean())
      .filter(([name]) => name !== '没有')
      .map(([name, address, keepAlive, replace]) => visit(name, address, { keepAlive, replace })),
    fc
      .tuple(
        fc.constantFrom(
          'close' as const,
          'closeOthers' as const,
          'closeRight' as const,
          'closeLeft' as const,
          'refresh' as const,
        ),
        title,
      )
      .map(([type, name]) => ({ type, title: name })),
    fc.tuple(title, fc.boolean()).map(([name, dirty]) => ({ type: 'dirty' as const, title: name, dirty })),
    fc.constant({ type: 'clear' as const }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const tabs = after(...actions);
      expect(tabs.list.filter(isHome)).toHaveLength(1);
      expect(new Set(tabs.list.map((tab) => tab.title)).size).toBe(tabs.list.length);
      expect(tabs.list.some((tab) => tab.title === tabs.active)).toBe(true);
    }),
  );
});

test('unsaved work is lost by closing, refreshing and another record in the same tab, by nothing else', () => {
  const edit = visit('编辑', '/edit?title=编辑&id=1', { keepAlive: false });
  const dirty = tabsReducer(after(visit('列表'), edit), { type: 'dirty', title: '编辑', dirty: true });
  const lost = (action: TabAction) => lostBetween(dirty, tabsReducer(dirty, action)).map((tab) => tab.title);
  expect(lost({ type: 'close', title: '编辑' })).toEqual(['编辑']);
  expect(lost({ type: 'closeOthers', title: '列表' })).toEqual(['编辑']);
  expect(lost({ type: 'refresh', title: '编辑' })).toEqual(['编辑']);
  expect(lost(visit('编辑', '/edit?title=编辑&id=2', { keepAlive: false }))).toEqual(['编辑']);
  expect(lost(edit)).toEqual([]);
  expect(lost(visit('列表'))).toEqual([]);
  expect(lost({ type: 'close', title: '列表' })).toEqual([]);
});

test('a page that replaces another one leaves it open while it holds unsaved work', () => {
  const dirty = tabsReducer(after(visit('新建')), { type: 'dirty', title: '新建', dirty: true });
  expect(titles(tabsReducer(dirty, visit('详情', '/detail', { replace: true })))).toBe('首页 新建 详情');
});

test('tabs survive a reload for their owner alone', () => {
  const store = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  });
  saveTabs(after(visit('订单'), visit('库存')), 'member-1');
  expect(titles(restoreTabs('member-1'))).toBe('首页 订单 库存');
  expect(titles(restoreTabs('member-2'))).toBe('首页');
  store.set('tabs', 'not json');
  expect(titles(restoreTabs('member-1'))).toBe('首页');
  vi.unstubAllGlobals();
});
