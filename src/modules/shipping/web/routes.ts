import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

const detail = { component: 'shipping/OrderDetail', title: '发货单', keepAlive: true };

const selfDetail = { component: 'shipping/SelfDetail', title: '自发货单', keepAlive: true };

export const routes: ScreenRoute[] = [
  { path: '/invoice/addshipment', component: 'shipping/OrderEdit', title: '新增发货单', keepAlive: true },
  { path: '/shipment/editinfo', component: 'shipping/OrderEdit', title: '编辑发货单', keepAlive: true },
  { path: '/shipmentdetails', ...detail },
  { path: '/shipment/details', ...detail },
  { path: '/shipment_handing/pehuo', component: 'shipping/Picking', title: '配货', keepAlive: true },
  { path: '/shipment_handing/wave', component: 'shipping/Wave', title: '合并配货', keepAlive: true },
  { path: '/e/s/a', component: 'shipping/AdoptList', title: '同步货件', keepAlive: true },
  { path: '/shipment_handing/shipstep', component: 'shipping/ShipSteps', title: '货件处理', keepAlive: true },
  { path: '/shipment_handing/pack', component: 'shipping/Pack', title: '扫码装箱', public: true },
  { path: '/transportation/edit', component: 'shipping/CarrierEdit', title: '编辑物流商', keepAlive: true },
  { path: '/transportation/details', component: 'shipping/CarrierDetail', title: '物流商', keepAlive: true },
  { path: '/erp/ship/freight/edit', component: 'shipping/FreightEdit', title: '新增物流账单', keepAlive: true },
  { path: '/erp/ship/freight/details', component: 'shipping/FreightDetail', title: '物流账单', keepAlive: true },
  { path: '/erp/ship/discrepancy/details', component: 'shipping/ClaimDetail', title: '货件差异', keepAlive: true },
  { path: '/erp/shipment/quote/edit', component: 'shipping/QuoteEdit', title: '发起询价', keepAlive: true },
  { path: '/erp/shipment/quote/details', component: 'shipping/QuoteDetail', title: '物流询价', keepAlive: true },
  { path: '/orderblank', component: 'shipping/PickingPaper', title: '配货单', public: true },
  { path: '/shipping/editinfo', component: 'shipping/SelfEdit', title: '自发货单', keepAlive: true },
  { path: '/offline/editinfo', component: 'shipping/SelfEdit', title: '线下发货单', keepAlive: true },
  { path: '/shipping/details', ...selfDetail },
  { path: '/offline/details', ...selfDetail, title: '线下发货单' },
  { path: '/e/s/p', component: 'shipping/PlanSubmit', title: '提交发货计划' },
  { path: '/e/s/p/e', component: 'shipping/PlanSplit', title: '拆分发货计划' },
];
