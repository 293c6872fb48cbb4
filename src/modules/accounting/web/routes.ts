import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import { DETAIL } from '../contract/vouchers.ts';

export const routes: ScreenRoute[] = [
  { path: DETAIL, component: 'accounting/VoucherDetail', title: '凭证', keepAlive: true },
];
