import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import { DETAIL_PATH } from './paths.ts';

export const routes: ScreenRoute[] = [
  { path: DETAIL_PATH, component: 'analysis/ListingPage', title: '商品详情', keepAlive: true },
];
