import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { usageKinds } from '#modules/identity/server/index.ts';
import { orderListLoader, reportLoaders, reportPlans, streams, writeKinds } from '#modules/marketplace/server/index.ts';
import { searchProviders } from '#modules/system/server/index.ts';
import { AMOUNTS, OrderRow } from './contract/orders.ts';
import { TodayRow } from './contract/today.ts';
import { onWriteEnded, onWriteRetried } from './server/acts/follow.ts';
import { shipmentKind, solicitationKind } from './server/acts/kinds.ts';
import { readBackJob } from './server/acts/read-back.ts';
import { onUploadUndone } from './server/landing/undone.ts';
import { exportTask } from './server/list/export.ts';
import { orderSearch } from './server/list/search.ts';
import { routes } from './server/routes.ts';
import { liveOrders } from './server/sources/live.ts';
import { mappedOrders } from './server/sources/mapped.ts';
import { nightlyOrders } from './server/sources/nightly.ts';
import { allOrdersLoader, orderHistory } from './server/sources/report.ts';
import { orderUsage } from './server/usage.ts';

export default defineModule({
  name: 'order',
  title: '订单',
  needs: ['identity', 'system', 'marketplace', 'listing'],
  permissions: {
    'amz:order:view': '查看订单',
    'amz:order:edit': '订单备注与标记',
    'amz:order:ship': '确认发货',
    'amz:review:send': '请求评价',
    'amz:order:export': '导出订单',
    [AMOUNTS]: '查看订单金额',
  },
  menu: {
    sales: [
      {
        title: '订单',
        sort: 10,
        children: [
          {
            title: '订单列表',
            path: '/amazon/sale/order/list',
            component: 'order/OrderList',
            permission: 'amz:order:view',
            sort: 10,
          },
          {
            title: '今日订单',
            path: '/amazon/sale/order/today',
            component: 'order/TodayOrders',
            permission: 'amz:order:view',
            sort: 20,
          },
        ],
      },
    ],
  },
  objects: {
    order: '订单',
  },
  routes,
  lists: { 'order/list': OrderRow, 'order/today': TodayRow },
  tasks: [exportTask],
  extensions: [
    extend(streams, liveOrders),
    extend(reportPlans, orderHistory),
    extend(reportPlans, nightlyOrders),
    extend(reportLoaders, allOrdersLoader),
    extend(orderListLoader, mappedOrders),
    extend(searchProviders, orderSearch),
    extend(usageKinds, orderUsage),
    extend(writeKinds, shipmentKind),
    extend(writeKinds, solicitationKind),
  ],
  on: [onUploadUndone, onWriteEnded, onWriteRetried],
  jobs: [readBackJob],
});
