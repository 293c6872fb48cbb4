import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { monthEndLedgers } from '#kit/server/month-end.ts';
import { rowMoves } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { CostLineRow, CostRow, costDocument, EDIT, POST, VIEW } from './contract/document.ts';
import { ItemRow } from './contract/item.ts';
import { costMonthEnd } from './server/month-end.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'costshare',
  title: '费用分摊',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'product', 'finance'],
  permissions: {
    [VIEW]: '查看费用分摊',
    [EDIT]: '维护费用分摊单与费用类型',
    [POST]: '费用分摊单入账、反审与作废',
  },
  menu: {
    finance: [
      {
        title: '利润',
        sort: 20,
        children: [
          {
            title: '费用分摊',
            path: '/finance/costSharing',
            component: 'costshare/CostSharing',
            permission: VIEW,
            sort: 30,
          },
          {
            title: '其他成本',
            path: '/finance/itemFee',
            component: 'costshare/ItemFees',
            permission: VIEW,
            sort: 32,
          },
        ],
      },
    ],
  },
  objects: { [costDocument.name]: '费用分摊单', 'costshare.feeType': '费用类型', 'costshare.shareRule': '分摊规则' },
  routes,
  documents: [costDocument],
  lists: { 'costshare/costs': CostRow, 'costshare/lines': CostLineRow, 'costshare/items': ItemRow },
  extensions: [
    extend(monthEndLedgers, costMonthEnd),
    extend(rowMoves, { table: 'costshare.share_rule', title: '分摊规则', clash: { rename: 'name' } }),
    documentRoute({
      documentType: costDocument.name,
      title: costDocument.title,
      path: (id) => `${costDocument.detail}?id=${id}`,
    }),
  ],
});
