import type { TodoSource } from '#modules/system/server/index.ts';
import { VIEW } from '../../contract/fields.ts';
import type { OrderStage } from '../../contract/order.ts';
import { orderCounts } from './list.ts';

const WAITING: readonly [stage: OrderStage, title: string][] = [
  ['pending', '采购单待审核'],
  ['approved', '采购单待下单'],
  ['ordered', '采购单待到货'],
  ['inspecting', '采购单待质检'],
  ['unpaid', '采购单待付款'],
];

/** Purchase orders that wait for somebody, as the tabs of their list count them. */
export const orderTodos: TodoSource = {
  title: '采购单',
  permission: VIEW,
  async todos(ctx) {
    const counts = await orderCounts(ctx, {});
    return WAITING.map(([stage, title]) => ({
      key: `purchase.${stage}`,
      title,
      count: counts[stage] ?? 0,
      path: '/erp/purchase/orders',
      tabTitle: '采购单',
      query: { 'f.stage': stage },
    }));
  },
};
