import { expect, test } from 'vitest';
import { draftsOf, obstacle, sent } from '../../web/self/draft.ts';
import { groupsOf, recipientOf } from '../../web/self/groups.ts';

const row = (order: string, postal: string) => ({
  order,
  accountId: 'a',
  marketplaceId: 'us',
  country: 'US',
  region: 'WA',
  postal,
});

test('orders of a recipient go together only where somebody said so', () => {
  const rows = [row('1', '981'), row('2', '982'), row('3', '981')];
  const [first] = rows;
  const key = first ? recipientOf(first) : '';
  const names = (merged: string[]) => groupsOf(rows, new Set(merged)).map((mine) => mine.map(({ order }) => order));
  expect(names([])).toEqual([['1'], ['3'], ['2']]);
  expect(names([key])).toEqual([['1', '3'], ['2']]);
});

test('a form begins with all that is open, and with what its document holds', () => {
  const line = (orderItemId: string, open: number, local = 'A') => ({
    orderId: 's~1',
    order: '1',
    orderItemId,
    product: { name: 'A', code: 'A' },
    msku: 'A-US',
    local,
    open,
    available: 9,
  });
  const lines = [line('x', 3), line('y', 0), line('z', 2, '')];
  const fresh = draftsOf(lines, []);
  expect(fresh.map(({ orderItemId, qty }) => [orderItemId, qty])).toEqual([
    ['x', 3],
    ['z', 2],
  ]);
  expect(obstacle(fresh)).toBe('【A】未关联本地产品');
  const held = draftsOf(lines, [{ orderId: 's~1', orderItemId: 'x', productId: null, qty: 1 }]);
  expect(obstacle(held)).toBeUndefined();
  expect(sent(held)).toEqual([{ orderId: 's~1', orderItemId: 'x', productId: null, qty: 1 }]);
  expect(obstacle(held.map((draft) => ({ ...draft, qty: 4 })))).toBe('【A】还可发货 3 件');
  expect(obstacle(held.map((draft) => ({ ...draft, qty: null })))).toBe('至少填写一行数量');
});
