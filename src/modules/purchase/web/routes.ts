import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/e/p/o', component: 'purchase/OrderEdit', title: '新增采购单', keepAlive: true },
  { path: '/e/p/p/s', component: 'purchase/PlanSubmit', title: '提交采购计划' },
  { path: '/e/p/p/r', component: 'purchase/RequisitionDetail', title: '采购计划', keepAlive: true },
  { path: '/e/p/p/c', component: 'purchase/ProcessEdit', title: '新增采购加工单', keepAlive: true },
  { path: '/e/p/p/d', component: 'purchase/ProcessDetail', title: '采购加工单', keepAlive: true },
  { path: '/e/p/c/c', component: 'purchase/ExchangeEdit', title: '新增采购换货' },
  { path: '/e/p/c/d', component: 'purchase/ExchangeDetail', title: '采购换货单', keepAlive: true },
  { path: '/purchaseOrders/amendment', component: 'purchase/AmendmentLink', title: '采购变更单' },
  { path: '/purchaseOrders/details', component: 'purchase/OrderDetails', title: '采购单', keepAlive: true },
];
