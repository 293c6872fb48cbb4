import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/frame', component: 'system/EmbeddedPage', title: '外部页面', keepAlive: true },
];
