import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { rowMoves } from '#modules/identity/server/index.ts';
import { todoSources } from '#modules/system/server/index.ts';
import { CONFIG, EDIT, FindingRow, VIEW } from './contract/findings.ts';
import { findingTodos } from './server/act.ts';
import { handlers, lookJob } from './server/look.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'orderwatch',
  title: '异常订单',
  needs: ['identity', 'system', 'marketplace', 'listing', 'order', 'sales', 'settlement'],
  permissions: {
    [VIEW]: '查看异常订单',
    [EDIT]: '处理异常订单',
    [CONFIG]: '设置异常订单规则',
  },
  menu: {
    sales: [
      {
        title: '订单',
        sort: 10,
        children: [
          {
            title: '异常订单',
            path: '/amazon/sale/order/abnormal',
            component: 'orderwatch/Abnormal',
            permission: VIEW,
            sort: 25,
          },
        ],
      },
    ],
  },
  objects: { 'orderwatch.finding': '异常订单', 'orderwatch.rule': '异常订单规则' },
  routes,
  lists: { 'orderwatch/findings': FindingRow },
  jobs: [lookJob],
  on: handlers,
  extensions: [
    extend(todoSources, findingTodos),
    extend(rowMoves, { table: 'orderwatch.rule', title: '异常订单规则', clash: 'target' }),
  ],
});
