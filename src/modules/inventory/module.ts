import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { reportLoaders, reportPlans, streams } from '#modules/marketplace/server/index.ts';
import { StockRow } from './contract.ts';
import { eventLoaders, eventPlans } from './server/facts/events.ts';
import { ledgerLoaders, ledgerPlans } from './server/facts/ledger.ts';
import { stockLoader } from './server/loader.ts';
import { routes } from './server/routes.ts';
import { fbaStock } from './server/stream.ts';

export default defineModule({
  name: 'inventory',
  title: 'FBA库存',
  needs: ['identity', 'system', 'marketplace', 'listing'],
  permissions: {
    'amz:inventory:view': '查看FBA库存',
    'amz:inventory:export': '导出FBA库存',
  },
  menu: {
    warehouse: [
      {
        title: 'FBA库存',
        sort: 10,
        children: [
          {
            title: 'FBA库存',
            path: '/amazon/inventory/quantity',
            component: 'inventory/FbaStock',
            permission: 'amz:inventory:view',
            sort: 10,
          },
        ],
      },
    ],
  },
  objects: {
    'inventory.fbaStock': 'FBA库存',
  },
  routes,
  lists: { 'inventory/fba': StockRow },
  extensions: [
    extend(streams, fbaStock),
    ...[stockLoader, ...ledgerLoaders, ...eventLoaders].map((loader) => extend(reportLoaders, loader)),
    ...[...ledgerPlans, ...eventPlans].map((plan) => extend(reportPlans, plan)),
  ],
});
