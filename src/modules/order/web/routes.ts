import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/orders/detail', component: 'order/OrderDetail', title: '订单详情', keepAlive: true },
];
