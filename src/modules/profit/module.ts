import { extend } from '#kit/server/extension.ts';
import { ledgerSources } from '#kit/server/ledger-source.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { shareBases } from '#modules/costshare/server/index.ts';
import { GroupRow } from './contract/group.ts';
import { OrderProfitRow } from './contract/order.ts';
import { CLOSE, REOPEN } from './contract/period.ts';
import { DIMENSIONS, ProfitRow } from './contract/report.ts';
import { SettledRow } from './contract/settled.ts';
import { handlers, sweepJob } from './server/dirty.ts';
import { foldJob } from './server/fold.ts';
import { costSource } from './server/ledger-source.ts';
import { profitMonthEnd } from './server/month-end.ts';
import { monthsJob, sweepMonthsJob } from './server/months.ts';
import { foldOrdersJob } from './server/order/fold.ts';
import { orderHandlers, sweepOrdersJob } from './server/order/mark.ts';
import { routes } from './server/routes.ts';
import { profitBases } from './server/share-bases.ts';

export default defineModule({
  name: 'profit',
  title: '利润',
  needs: [
    'identity',
    'system',
    'marketplace',
    'listing',
    'order',
    'product',
    'settlement',
    'finance',
    'costshare',
    'advertising',
  ],
  permissions: {
    'fin:profit:view': '查看利润报表',
    'fin:profit:export': '导出利润报表',
    [CLOSE]: '利润关账',
    [REOPEN]: '利润反关账',
  },
  menu: {
    finance: [
      {
        title: '利润',
        sort: 20,
        children: [
          {
            title: '利润报表',
            path: '/finance/profitReport',
            component: 'profit/ProfitReport',
            permission: 'fin:profit:view',
            sort: 10,
          },
          {
            title: '店铺利润',
            path: '/finance/profitGroup',
            component: 'profit/ProfitGroup',
            permission: 'fin:profit:view',
            sort: 15,
          },
          {
            title: '订单利润',
            path: '/amazon/sale/order/profit',
            component: 'profit/OrderProfit',
            permission: 'fin:profit:view',
            sort: 20,
          },
          {
            title: '账期SKU',
            path: '/finance/settlementsku',
            component: 'profit/SettlementSku',
            permission: 'fin:profit:view',
            sort: 25,
          },
          {
            title: '利润关账',
            path: '/finance/period',
            component: 'profit/Periods',
            permission: 'fin:profit:view',
            sort: 60,
          },
        ],
      },
    ],
  },
  objects: {
    'profit.report': '利润报表',
    'profit.group': '店铺利润',
    'profit.order': '订单利润',
    'profit.period': '利润关账',
    'profit.settled': '账期SKU',
  },
  routes,
  // One arrangement of columns for each dimension: they name their rows differently.
  lists: {
    ...Object.fromEntries(Object.keys(DIMENSIONS).map((dimension) => [`profit/report/${dimension}`, ProfitRow])),
    'profit/group': GroupRow,
    'profit/orders': OrderProfitRow,
    'profit/settled': SettledRow,
  },
  jobs: [foldJob, foldOrdersJob, monthsJob, sweepJob, sweepOrdersJob, sweepMonthsJob],
  crons: [
    { pattern: '7 * * * *', job: 'profit.sweep', atStart: true },
    { pattern: '8 * * * *', job: 'profit.sweepOrders', atStart: true },
    { pattern: '9 * * * *', job: 'profit.sweepMonths', atStart: true },
  ],
  on: [...handlers, ...orderHandlers],
  extensions: [
    extend(ledgerSources, costSource),
    extend(monthEndLedgers, profitMonthEnd),
    extend(shareBases, profitBases),
  ],
});
