import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

const form = (path: string, name: string, title: string): ScreenRoute => ({
  path,
  component: `warehouse/${name}Edit`,
  title,
  keepAlive: true,
});
const detail = (path: string, name: string, title: string): ScreenRoute => ({
  path,
  component: `warehouse/${name}Detail`,
  title,
  keepAlive: true,
});

const summary = (part: string): ScreenRoute => ({
  path: `/inventory/summarychiild/${part}`,
  component: 'warehouse/SummaryPart',
  title: '库存总览',
});

export const routes: ScreenRoute[] = [
  ...['produced', 'warehouse', 'inventory', 'transit', 'jpstock', 'fbastock'].map(summary),
  { path: '/scancode', component: 'warehouse/Scan', title: '扫码作业', public: true },
  form('/e/w/i', 'Inbound', '新增入库单'),
  detail('/e/w/i/d', 'Inbound', '入库单'),
  form('/e/w/o', 'Outbound', '新增出库单'),
  detail('/e/w/o/d', 'Outbound', '出库单'),
  form('/e/w/t', 'Transfer', '新增调库单'),
  detail('/e/w/t/d', 'Transfer', '调库单'),
  form('/e/w/os/s', 'Overseas', '新增海外仓备货单'),
  detail('/e/w/os/d', 'Overseas', '海外仓备货单'),
  form('/e/w/e/c', 'Exchange', '新增代料单'),
  detail('/e/w/e/d', 'Exchange', '代料单'),
  form('/e/w/s', 'Stocktake', '新增盘点单'),
  detail('/e/w/s/d', 'Stocktake', '盘点单'),
  form('/e/w/a', 'Assembly', '新增加工单'),
  detail('/e/w/a/d', 'Assembly', '加工单'),
];
