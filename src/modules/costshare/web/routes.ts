import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/f/c/c', component: 'costshare/CostDetail', title: '费用分摊单', keepAlive: true },
  { path: '/f/c/e', component: 'costshare/CostEdit', title: '添加费用', keepAlive: true },
];
