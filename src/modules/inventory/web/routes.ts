import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/amazon/report/claims/details', component: 'inventory/ClaimDetail', title: 'FBA索赔', keepAlive: true },
];
