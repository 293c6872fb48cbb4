import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/examine/flow', component: 'approval/FlowDetail', title: '审批流程', keepAlive: true },
  { path: '/examine/phone', component: 'approval/Phone', title: '审批', public: true },
  { path: '/flow/designer', component: 'approval/Designer', title: '流程设计', keepAlive: true },
];
