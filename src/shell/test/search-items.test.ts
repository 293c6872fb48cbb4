import { expect, test } from 'vitest';
import type { SearchGroup } from '#modules/system/contract/search.ts';
import { foundGroups, idleGroups, pagesFor } from '../frame/search-items.ts';
import type { MenuLink } from '../menu.ts';

const link = (title: string, ...trail: string[]): MenuLink => ({
  title,
  path: `/${title}`,
  trail,
  entry: { name: title, path: `/${title}`, sort: 0, meta: { title, keepAlive: true }, children: [] },
});
const LINKS = [link('订单列表', '销售', '订单'), link('结算记录', '财务', '账目'), link('店铺管理', '授权', '店铺')];
const ORDERS: SearchGroup = {
  title: '订单',
  icon: 'order',
  hits: [{ title: '111-1', subtitle: '启航', path: '/orders/detail', query: { id: 'A~111-1' }, tabTitle: '111-1' }],
  more: true,
  failed: false,
};
const names = (groups: { title: string }[]) => groups.map((group) => group.title).join(' ');

test('pages are found by their name and by where they stand, those called so first', () => {
  expect(names(pagesFor(LINKS, '订单'))).toBe('订单列表');
  expect(names(pagesFor([...LINKS, link('店铺', '财务')], '店铺'))).toBe('店铺管理 店铺');
  expect(names(pagesFor(LINKS, '财务 结算'))).toBe('结算记录');
  expect(pagesFor(LINKS, '财务 订单')).toEqual([]);
});

test('things stand before pages, unless a page is called like the text', () => {
  expect(names(foundGroups(LINKS, '订单', [ORDERS]))).toBe('页面与操作 订单');
  const groups = foundGroups(LINKS, '111', [ORDERS]);
  expect(names(groups)).toBe('订单');
  expect(groups[0]).toMatchObject({ count: '前 1 个', items: [{ query: { id: 'A~111-1' }, icon: 'order' }] });
});

test('a part that failed is told, although it found nothing', () => {
  const groups = foundGroups(LINKS, '111', [{ ...ORDERS, hits: [], more: false, failed: true }]);
  expect(groups).toMatchObject([{ title: '订单', failed: true, items: [] }]);
});

test('an empty search shows what was opened last and what is starred, on the first day all pages', () => {
  expect(names(idleGroups(LINKS, [], []))).toBe('全部页面');
  const recent = [{ title: '111-1', subtitle: '', path: '/orders/detail', tabTitle: '111-1' }];
  expect(names(idleGroups(LINKS, recent, ['/结算记录', '/没有']))).toBe('最近打开 收藏');
});
