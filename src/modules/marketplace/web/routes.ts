import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/authresult', component: 'marketplace/AuthResult', title: '店铺授权结果', public: true },
  { path: '/advresult', component: 'marketplace/AdsResult', title: '广告授权结果', public: true },
];
