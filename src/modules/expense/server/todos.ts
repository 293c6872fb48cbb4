import type { TodoSource } from '#modules/system/server/index.ts';
import { type ExpenseState, VIEW } from '../contract/document.ts';
import { expenseCounts } from './list.ts';

const WAITING: readonly [state: ExpenseState, title: string][] = [
  ['submitted', '费用单待审核'],
  ['approved', '费用单待付款'],
];

/** Expenses that wait for somebody, as the tabs of their list count them. */
export const expenseTodos: TodoSource = {
  title: '费用单',
  permission: VIEW,
  async todos(ctx) {
    const counts = await expenseCounts(ctx, {});
    return WAITING.map(([state, title]) => ({
      key: `expense.${state}`,
      title,
      count: counts[state] ?? 0,
      path: '/finance/expense',
      tabTitle: '费用管理',
      query: { 'f.state': state },
    }));
  },
};
