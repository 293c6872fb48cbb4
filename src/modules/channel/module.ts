import { defineModule } from '#kit/server/module.ts';
import { BindingRow } from './contract/bindings.ts';
import { EXPORT, IMPORT, VIEW } from './contract/fields.ts';
import { OrderRow, ReportRow } from './contract/report.ts';
import { VolumeRow } from './contract/volume.ts';
import { nightlyJob, refreshJob } from './server/rollup/job.ts';
import { handlers } from './server/rollup/mark.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'channel',
  title: '多平台销售',
  needs: [
    'identity',
    'system',
    'marketplace',
    'listing',
    'order',
    'inventory',
    'sales',
    'finance',
    'product',
    'warehouse',
  ],
  permissions: {
    [VIEW]: '查看ERP销售',
    [IMPORT]: '导入平台订单与配对平台SKU',
    [EXPORT]: '导出ERP销售',
  },
  menu: {
    sales: [
      {
        title: 'ERP销售',
        sort: 27,
        children: [
          { title: 'ERP销售报表', path: '/erp/sales/report', component: 'channel/Report', permission: VIEW, sort: 10 },
          { title: 'ERP销量', path: '/erp/sales/volume', component: 'channel/Volume', permission: VIEW, sort: 20 },
        ],
      },
    ],
  },
  objects: {
    'channel.sales': 'ERP销售报表',
    'channel.volume': 'ERP销量',
    'channel.order': '平台订单',
    'channel.binding': '平台SKU配对',
  },
  routes,
  lists: {
    'channel/report': ReportRow,
    'channel/orders': OrderRow,
    'channel/bindings': BindingRow,
    'channel/volume': VolumeRow,
  },
  jobs: [refreshJob, nightlyJob],
  // Sites change their day at different hours.
  crons: [{ pattern: '20 1,7,13,19 * * *', job: 'channel.nightly' }],
  on: handlers,
});
