import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { streams, writeKinds } from '#modules/marketplace/server/index.ts';
import { McfRow } from './contract/orders.ts';
import { ADD, CANCEL, EXPORT, IMPORT, VIEW } from './contract/states.ts';
import { forgetJob } from './server/job.ts';
import { onWriteEnded, onWriteRetried } from './server/land/follow.ts';
import { readBackJob } from './server/land/read-back.ts';
import { mcfOrders } from './server/land/stream.ts';
import { routes } from './server/routes.ts';
import { cancelKind, createKind, releaseKind } from './server/write/kinds.ts';

export default defineModule({
  name: 'fulfillment',
  title: '多渠道配送',
  needs: ['identity', 'system', 'marketplace', 'listing', 'order', 'inventory', 'channel', 'publish'],
  permissions: {
    [VIEW]: '查看多渠道订单',
    [ADD]: '新建、提交与放行多渠道订单',
    [CANCEL]: '取消多渠道订单',
    [IMPORT]: '导入多渠道订单',
    [EXPORT]: '导出多渠道订单',
  },
  menu: {
    sales: [
      {
        title: '订单',
        sort: 10,
        children: [
          {
            title: '多渠道订单',
            path: '/amazon/sale/order/fulfillment',
            component: 'fulfillment/McfOrders',
            permission: VIEW,
            sort: 40,
          },
        ],
      },
    ],
  },
  objects: { 'fulfillment.mcf': '多渠道订单' },
  routes,
  lists: { 'fulfillment/mcf': McfRow },
  jobs: [readBackJob, forgetJob],
  crons: [{ pattern: '35 1 * * *', job: 'fulfillment.forget' }],
  extensions: [
    extend(streams, mcfOrders),
    extend(writeKinds, createKind),
    extend(writeKinds, releaseKind),
    extend(writeKinds, cancelKind),
  ],
  on: [onWriteEnded, onWriteRetried],
});
