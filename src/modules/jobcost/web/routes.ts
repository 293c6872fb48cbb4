import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import { DETAIL } from '../contract/fields.ts';

export const routes: ScreenRoute[] = [
  { path: DETAIL, component: 'jobcost/BatchCost', title: '批次成本详情', keepAlive: true },
];
