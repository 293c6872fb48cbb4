import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/amazon/listing/repricing/rule', component: 'repricing/Rule', title: '智能调价规则', keepAlive: true },
];
