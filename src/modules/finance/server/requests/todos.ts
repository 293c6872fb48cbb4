import type { TodoSource } from '#modules/system/server/index.ts';
import { type RequestState, VIEW } from '../../contract/requests.ts';
import { requestCounts } from './list.ts';

const WAITING: readonly [state: RequestState, title: string][] = [
  ['submitted', '请款单待审核'],
  ['approved', '请款单待付款'],
  ['partly', '请款单部分付款'],
];

/** Payment requests that wait for somebody, as the tabs of their list count them. */
export const requestTodos: TodoSource = {
  title: '请款单',
  permission: VIEW,
  async todos(ctx) {
    const counts = await requestCounts(ctx, {});
    return WAITING.map(([state, title]) => ({
      key: `finance.${state}`,
      title,
      count: counts[state] ?? 0,
      path: '/finance/paymentRequest',
      tabTitle: '请款单',
      query: { 'f.state': state },
    }));
  },
};
