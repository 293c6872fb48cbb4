import { defineModule } from '#kit/server/module.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { CostRow, costImport } from './contract.ts';
import { productMoves } from './server/moves.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'product',
  title: '产品',
  needs: ['identity', 'system', 'message', 'marketplace'],
  permissions: {
    'fin:cost:view': '查看采购成本',
    'fin:cost:edit': '修改采购成本',
    'fin:cost:import': '导入采购成本',
    'fin:cost:export': '导出采购成本',
  },
  menu: {
    product: [
      {
        title: '产品成本',
        sort: 20,
        children: [
          {
            title: '采购成本',
            path: '/product/cost',
            component: 'product/CostList',
            permission: 'fin:cost:view',
            sort: 10,
          },
        ],
      },
    ],
  },
  objects: {
    'product.cost': '采购成本',
  },
  routes,
  lists: { 'product/cost': CostRow },
  documents: [costImport],
  extensions: [...productMoves, documentRoute({ documentType: costImport.name, title: '采购成本', path: () => '/product/cost' })],
});
