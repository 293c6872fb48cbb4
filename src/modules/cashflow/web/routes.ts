import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import { ITEMS } from './paths.ts';

export const routes: ScreenRoute[] = [{ path: ITEMS.path, component: 'cashflow/CashItems', title: ITEMS.title }];
