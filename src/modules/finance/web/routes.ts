import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/f/p/d', component: 'finance/RequestDetail', title: '请款单', keepAlive: true },
  { path: '/f/p/e', component: 'finance/RequestEdit', title: '新增请款单', keepAlive: true },
  { path: '/bloc/request/detail', component: 'finance/BlocDetail', title: '往来申请', keepAlive: true },
  { path: '/bloc/request/edit', component: 'finance/BlocEdit', title: '新增往来申请', keepAlive: true },
  {
    path: '/finance/supplierSettlement/detail',
    component: 'finance/SettlementDetail',
    title: '供应商结算单',
    keepAlive: true,
  },
];
