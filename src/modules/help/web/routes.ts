import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/doc/help', component: 'help/Help', title: '帮助文档', public: true },
  { path: '/help', component: 'help/Help', title: '帮助文档', public: true },
];
