import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/a/p/c', component: 'ratecard/PlanEdit', title: '利润方案', keepAlive: true },
];
