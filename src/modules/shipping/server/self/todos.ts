import type { TodoSource } from '#modules/system/server/index.ts';
import { SELF_VIEW } from '../../contract/self/fields.ts';
import { waitingCount } from './waiting.ts';

/** Orders that we ship ourselves, without a document yet, whose time is over or nearly so. */
export const waitingTodos: TodoSource = {
  title: '自发货订单',
  permission: SELF_VIEW,
  async todos(ctx) {
    const { late, hours } = await waitingCount(ctx);
    const list = { path: '/erp/warehouse/shipping/waiting', tabTitle: '待建单订单', urgent: true };
    return [
      { ...list, key: 'shipping.late', title: 'FBM 已逾期', count: late, query: { 'f.urgency': 'late' } },
      { ...list, key: 'shipping.hours', title: 'FBM 将逾期 ≤4 小时', count: hours, query: { 'f.urgency': 'hours' } },
    ];
  },
};
