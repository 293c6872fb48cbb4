import type { TodoSource } from '#modules/system/server/index.ts';
import { VIEW } from '../../contract/fields.ts';
import type { ShipState } from '../../contract/order.ts';
import { orderCounts } from './list.ts';

const WAITING: readonly [state: ShipState, title: string][] = [
  ['pending', '发货单待审核'],
  ['picking', '发货单待配货'],
  ['packing', '发货单待装箱'],
  ['ready', '发货单待出库'],
];

/** Ship orders that wait for somebody, as the tabs of their list count them. */
export const orderTodos: TodoSource = {
  title: '发货单',
  permission: VIEW,
  async todos(ctx) {
    const counts = await orderCounts(ctx, {});
    return WAITING.map(([state, title]) => ({
      key: `shipping.${state}`,
      title,
      count: counts[state] ?? 0,
      path: '/erp/ship/shipment_add/list',
      tabTitle: '发货单',
      query: { 'f.state': state },
    }));
  },
};
