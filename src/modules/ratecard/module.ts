import { defineModule } from '#kit/server/module.ts';
import { VIEW } from './contract/calculator.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'ratecard',
  title: '费率与利润测算',
  needs: ['identity', 'system', 'marketplace', 'listing', 'product', 'finance'],
  permissions: { [VIEW]: '查看利润计算与费率表' },
  menu: {
    finance: [
      {
        title: '利润',
        sort: 20,
        children: [
          {
            title: '利润计算',
            path: '/amazon/profit/calculator',
            component: 'ratecard/Calculator',
            permission: VIEW,
            sort: 40,
          },
          {
            title: 'FBA费用',
            path: '/amazon/profit/fbafee',
            component: 'ratecard/FeeTables',
            permission: VIEW,
            sort: 50,
          },
        ],
      },
    ],
  },
  routes,
});
