import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/amazon/listing/edit/form', component: 'publish/Draft', title: '编辑商品', keepAlive: true },
];
