import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

export const routes: ScreenRoute[] = [
  { path: '/examine/flow', component: 'approval/FlowDetail', title: '审批流程', keepAlive: true },
  { path: '/flow/designer', component: 'approval/Designer', title: '流程设计', keepAlive: true },
];
