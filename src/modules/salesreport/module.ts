import { defineModule } from '#kit/server/module.ts';
import { DetailRow } from './contract/details.ts';
import { EXPORT, VIEW } from './contract/fields.ts';
import { ReportRow } from './contract/report.ts';
import { SEND } from './contract/subscriptions.ts';
import { SummaryRow } from './contract/summary.ts';
import { routes } from './server/routes.ts';
import { deliverJob } from './server/subscriptions/deliver.ts';
import { dueJob, mailTick, onMemberLeft } from './server/subscriptions/queue.ts';

export default defineModule({
  name: 'salesreport',
  title: '销售统计',
  needs: [
    'identity',
    'system',
    'message',
    'marketplace',
    'listing',
    'order',
    'inventory',
    'advertising',
    'sales',
    'finance',
    'product',
    'analysis',
  ],
  permissions: { [VIEW]: '查看销售统计', [EXPORT]: '导出销售统计', [SEND]: '定时发送销售报表' },
  menu: {
    sales: [
      {
        title: '销售',
        sort: 24,
        children: [
          {
            title: '销量详情',
            path: '/amazon/sales/details',
            component: 'salesreport/Details',
            permission: VIEW,
            sort: 10,
          },
          {
            title: '周/月汇总',
            path: '/amazon/sale/order/summary',
            component: 'salesreport/Summary',
            permission: VIEW,
            sort: 20,
          },
          {
            title: '销售报表',
            path: '/amazon/sales/report',
            component: 'salesreport/Report',
            permission: VIEW,
            sort: 30,
          },
        ],
      },
    ],
  },
  objects: {
    'salesreport.details': '销量详情',
    'salesreport.summary': '周/月汇总',
    'salesreport.report': '销售报表',
    'salesreport.subscription': '报表订阅',
  },
  routes,
  jobs: [mailTick, dueJob, deliverJob],
  crons: [{ pattern: '* * * * *', job: 'salesreport.tick' }],
  on: [onMemberLeft],
  lists: { 'salesreport/details': DetailRow, 'salesreport/summary': SummaryRow, 'salesreport/report': ReportRow },
});
