import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { rowMoves } from '#modules/identity/server/index.ts';
import { CLOSE, EDIT, EXPORT, REOPEN, VIEW } from './contract/fields.ts';
import { WorthRow } from './contract/worth.ts';
import { dailyJob, rebuildJob } from './server/make/job.ts';
import { worthMonthEnd } from './server/month-end.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'worth',
  title: '库存货值',
  needs: ['identity', 'system', 'marketplace', 'inventory', 'product', 'warehouse', 'shipping', 'purchase'],
  permissions: {
    [VIEW]: '查看库存货值',
    [EXPORT]: '导出库存货值',
    [EDIT]: '维护减值比例与补算货值',
    [CLOSE]: '冻结月末货值',
    [REOPEN]: '解冻月末货值',
  },
  menu: {
    warehouse: [
      {
        title: 'FBA库存',
        sort: 10,
        children: [
          {
            title: '库存货值',
            path: '/amazon/inventory/worth',
            component: 'worth/Worth',
            permission: VIEW,
            sort: 12,
          },
        ],
      },
    ],
  },
  objects: {
    'worth.line': '库存货值',
    'worth.month': '月末货值',
    'worth.writeDown': '减值比例',
  },
  routes,
  lists: { 'worth/worth': WorthRow },
  jobs: [dailyJob, rebuildJob],
  crons: [{ pattern: '25 */2 * * *', job: 'worth.daily' }],
  extensions: [
    extend(monthEndLedgers, worthMonthEnd),
    extend(rowMoves, { table: 'worth.write_down', title: '减值比例', clash: 'target' }),
  ],
});
