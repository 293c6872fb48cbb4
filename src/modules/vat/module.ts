import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { feedKinds, reportLoaders, reportPlans } from '#modules/marketplace/server/index.ts';
import { EDIT, EXPORT, ISSUE, VIEW } from './contract/fields.ts';
import { InvoiceRow } from './contract/invoices.ts';
import { vatInvoiceLoader } from './server/facts/loader.ts';
import { vatPlans } from './server/facts/plans.ts';
import { invoiceFeed, onFeedEnded, onFeedRetried } from './server/invoice/feed.ts';
import { VAT_CRONS, VAT_EVENT, vatJobs } from './server/jobs.ts';
import { routes } from './server/routes.ts';

const screen = (title: string, path: string, component: string, sort: number) => ({
  title,
  path,
  component: `vat/${component}`,
  permission: VIEW,
  sort,
});

export default defineModule({
  name: 'vat',
  title: 'VAT发票',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'finance'],
  permissions: {
    [VIEW]: '查看VAT发票与买家抬头',
    [EDIT]: '维护VAT开票设置',
    [ISSUE]: '生成、上传与红冲VAT发票',
    [EXPORT]: '导出VAT发票与报表',
  },
  menu: {
    sales: [
      {
        title: 'VAT',
        sort: 40,
        children: [
          screen('VAT发票', '/amazon/service/vatInvoice', 'VatInvoices', 10),
          screen('VAT报表', '/amazon/service/vatReport', 'VatReport', 20),
          screen('VAT设置', '/amazon/service/vatInvoice/settings', 'VatSettings', 30),
        ],
      },
    ],
  },
  objects: { 'vat.invoice': 'VAT发票', 'vat.profile': 'VAT开票设置', 'vat.report': 'VAT报表' },
  routes,
  lists: { 'vat/invoices': InvoiceRow },
  jobs: vatJobs,
  crons: VAT_CRONS,
  on: [onFeedEnded, onFeedRetried],
  extensions: [
    extend(reportLoaders, vatInvoiceLoader),
    ...vatPlans.map((plan) => extend(reportPlans, plan)),
    extend(feedKinds, invoiceFeed),
    extend(messageEvents, { event: VAT_EVENT, title: 'VAT发票到期与被拒', group: '销售', channels: ['site'] }),
    extend(rowMoves, { table: 'vat.entity', title: '开票主体', clash: { rename: 'name' } }),
    extend(rowMoves, { table: 'vat.rate', title: 'VAT税率' }),
  ],
});
