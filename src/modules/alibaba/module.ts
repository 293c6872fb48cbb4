import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { billPurchases } from '#modules/finance/server/index.ts';
import { messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { orderTies } from '#modules/purchase/server/index.ts';
import { BIND, CONFIRM, LinkRow, ORDER, TradeRow, VIEW } from './contract/index.ts';
import { purchasesOfBills } from './server/bills.ts';
import { EXPIRY_EVENT } from './server/expiry.ts';
import { routes } from './server/routes.ts';
import { resolveJob, scheduleJob, syncJob } from './server/sync.ts';
import { tradesOfOrder } from './server/ties.ts';

const screen = (title: string, path: string, name: string, sort: number) => ({
  title,
  path,
  component: `alibaba/${name}`,
  permission: VIEW,
  sort,
});

export default defineModule({
  name: 'alibaba',
  title: '1688采购',
  needs: ['identity', 'message', 'marketplace', 'supplier', 'finance', 'product', 'warehouse', 'purchase'],
  permissions: {
    [VIEW]: '查看1688采购',
    [BIND]: '1688账号授权',
    [ORDER]: '1688下单与付款',
    [CONFIRM]: '1688确认收货',
  },
  menu: {
    purchase: [
      {
        title: '1688',
        sort: 20,
        children: [
          screen('1688订单', '/erp/open1688/orders', 'Trades', 10),
          screen('1688商品对应', '/erp/open1688/offers', 'Links', 20),
          screen('1688账号', '/erp/open1688/bind', 'Bind', 30),
        ],
      },
    ],
  },
  objects: {
    'alibaba.buyer': '1688账号',
    'alibaba.link': '1688商品对应',
    'alibaba.trade': '1688订单',
  },
  routes,
  lists: { 'alibaba/links': LinkRow, 'alibaba/trades': TradeRow },
  jobs: [syncJob, resolveJob, scheduleJob],
  crons: [{ pattern: '*/5 * * * *', job: 'alibaba.schedule' }],
  extensions: [
    extend(billPurchases, purchasesOfBills),
    extend(orderTies, tradesOfOrder),
    extend(messageEvents, { event: EXPIRY_EVENT, title: '1688授权到期', group: '采购', channels: ['site'] }),
    extend(rowMoves, { table: 'alibaba.offer_link', title: '1688商品对应', clash: 'target' }),
    extend(rowMoves, { table: 'alibaba.trade', title: '1688订单', clash: { rename: 'out_order_id' } }),
  ],
});
