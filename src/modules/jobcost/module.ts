import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { stockSources } from '#modules/warehouse/server/index.ts';
import { BatchRow } from './contract/batches.ts';
import { EDIT, EXPORT, VIEW } from './contract/fields.ts';
import { CHANGED } from './server/change.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'jobcost',
  title: '批次成本',
  needs: ['identity', 'marketplace', 'listing', 'product', 'warehouse', 'shipping', 'analysis'],
  permissions: {
    [VIEW]: '查看批次成本',
    [EXPORT]: '导出批次成本',
    [EDIT]: '修改批次成本与重算运费',
  },
  menu: {
    finance: [
      {
        title: '利润',
        sort: 20,
        children: [
          {
            title: '批次成本',
            path: '/finance/jobCosting',
            component: 'jobcost/JobCosting',
            permission: VIEW,
            sort: 34,
          },
        ],
      },
    ],
  },
  objects: { [CHANGED]: '批次成本' },
  routes,
  lists: { 'jobcost/batches': BatchRow },
  extensions: [
    extend(stockSources, { type: CHANGED, title: '批次成本', events: { set: '修改成本', freight: '重算运费' } }),
  ],
});
