import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  {
    path: '/amazon/payment/detail',
    component: 'settlement/SettlementDetail',
    title: '账期详情',
    keepAlive: true,
  },
];
