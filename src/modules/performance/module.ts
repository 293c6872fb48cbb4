import { defineModule } from '#kit/server/module.ts';
import { ALL, EDIT, EXPORT, PerformanceRow, VIEW } from './contract/report.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'performance',
  title: '业绩',
  needs: ['identity', 'profit'],
  permissions: {
    [VIEW]: '查看自己的业绩',
    [ALL]: '查看所有人的业绩',
    [EDIT]: '设置业绩目标与提成规则',
    [EXPORT]: '导出业绩报告',
  },
  menu: {
    finance: [
      {
        title: '利润',
        sort: 20,
        children: [
          {
            title: '业绩报告',
            path: '/finance/performance',
            component: 'performance/Performance',
            permission: VIEW,
            sort: 25,
          },
        ],
      },
    ],
  },
  objects: {
    'performance.report': '业绩报告',
    'performance.target': '业绩目标',
    'performance.rule': '提成规则',
  },
  routes,
  lists: { 'performance/people': PerformanceRow },
});
