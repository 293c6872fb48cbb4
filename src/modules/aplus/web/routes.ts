import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/amazon/listing/aplus/form', component: 'aplus/AplusForm', title: '编辑A+内容', keepAlive: true },
];
