import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/login', component: 'identity/Login', title: '登录', public: true },
  { path: '/ssologin', component: 'identity/SsoLogin', title: '登录检查', public: true },
];
