import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { offerWatches, priceFloors, priceGuards } from '#modules/listing/server/index.ts';
import { BindingRow } from './contract/bindings.ts';
import { EDIT, RUN, RuleRow, VIEW } from './contract/rules.ts';
import { RunRow } from './contract/runs.ts';
import { boundOffers, floorGuard } from './server/guard.ts';
import { decideJob, onOfferSettled, onOffersChanged, sweepJob } from './server/job.ts';
import { routes } from './server/routes.ts';
import { listingFloors } from './server/standard.ts';

export default defineModule({
  name: 'repricing',
  title: '智能调价',
  needs: ['identity', 'system', 'marketplace', 'listing', 'inventory', 'product', 'finance'],
  permissions: {
    [VIEW]: '查看智能调价',
    [EDIT]: '修改智能调价规则与绑定',
    [RUN]: '试运行、启用与停用智能调价',
  },
  menu: {
    sales: [
      {
        title: '商品',
        sort: 20,
        children: [
          {
            title: '智能调价',
            path: '/amazon/listing/repricing',
            component: 'repricing/Rules',
            permission: VIEW,
            sort: 16,
          },
        ],
      },
    ],
  },
  objects: { 'repricing.rule': '智能调价规则' },
  routes,
  lists: { 'repricing/rules': RuleRow, 'repricing/bindings': BindingRow, 'repricing/runs': RunRow },
  jobs: [decideJob, sweepJob],
  crons: [{ pattern: '*/5 * * * *', job: 'repricing.sweep' }],
  on: [onOffersChanged, onOfferSettled],
  extensions: [extend(offerWatches, boundOffers), extend(priceGuards, floorGuard), extend(priceFloors, listingFloors)],
});
