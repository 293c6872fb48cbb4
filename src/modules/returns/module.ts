import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { rowMoves } from '#modules/identity/server/index.ts';
import { feedKinds } from '#modules/marketplace/server/index.ts';
import { stockSources } from '#modules/warehouse/server/index.ts';
import { EDIT, OWN } from './contract/fields.ts';
import { ReasonRow } from './contract/reasons.ts';
import { IncomingRow, RECEIVE } from './contract/receipts.ts';
import { ReconcileRow } from './contract/reconcile.ts';
import { REMOVE, RequestRow } from './contract/removals.ts';
import { ReturnRow } from './contract/returns.ts';
import { SkuReturnRow } from './contract/skus.ts';
import { RECEIPT } from './server/receive.ts';
import { foldRefundsJob } from './server/refund/fold.ts';
import { refundHandlers, sweepRefundsJob } from './server/refund/mark.ts';
import { onFeedEnded, onFeedRetried, removalFeed } from './server/removal/feed.ts';
import { REMOVAL } from './server/removal/send.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'returns',
  title: '退货',
  needs: [
    'identity',
    'system',
    'marketplace',
    'listing',
    'order',
    'settlement',
    'inventory',
    'sales',
    'product',
    'warehouse',
  ],
  permissions: { [EDIT]: '退货归因', [RECEIVE]: '登记退件收货', [REMOVE]: '新建移除订单' },
  menu: {
    sales: [
      {
        title: '售后与移除',
        sort: 30,
        children: [
          {
            title: '退货订单',
            path: '/amazon/sale/order/refund',
            component: 'returns/Returns',
            permission: OWN.view,
            sort: 10,
          },
          {
            title: '退款对账',
            path: '/amazon/sale/order/refundCheck',
            component: 'returns/Reconcile',
            permission: OWN.view,
            sort: 12,
          },
          {
            title: '移除订单',
            path: '/amazon/sale/order/remove',
            component: 'returns/Removals',
            permission: OWN.view,
            sort: 20,
          },
          {
            title: '退件验收',
            path: '/amazon/sale/order/incoming',
            component: 'returns/Incoming',
            permission: OWN.view,
            sort: 25,
          },
        ],
      },
    ],
  },
  jobs: [foldRefundsJob, sweepRefundsJob],
  crons: [{ pattern: '9 * * * *', job: 'returns.sweepRefunds', atStart: true }],
  on: [...refundHandlers, onFeedEnded, onFeedRetried],
  objects: {
    'returns.order': '退货订单',
    'returns.reconcile': '退款对账',
    [RECEIPT]: '退件收货单',
    [REMOVAL]: '移除申请',
  },
  routes,
  lists: {
    'returns/incoming': IncomingRow,
    'returns/reconcile': ReconcileRow,
    'returns/orders': ReturnRow,
    'returns/skus': SkuReturnRow,
    'returns/reasons': ReasonRow,
    'returns/removals': RequestRow,
  },
  extensions: [
    extend(feedKinds, removalFeed),
    extend(stockSources, {
      type: RECEIPT,
      title: '退件收货单',
      events: { receive: '收货' },
      path: () => '/amazon/sale/order/incoming',
    }),
    extend(rowMoves, { table: RECEIPT, title: '退件收货单', clash: { rename: 'number' } }),
  ],
});
