import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import { PHONE } from './phone.ts';

export const routes: ScreenRoute[] = [
  { path: PHONE, component: 'fulfillment/McfPhone', title: '多渠道订单', public: true },
];
