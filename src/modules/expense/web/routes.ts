import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/f/e/d', component: 'expense/ExpenseDetail', title: '费用单', keepAlive: true },
  { path: '/f/e/e', component: 'expense/ExpenseEdit', title: '新增费用单', keepAlive: true },
];
