import { defineModule } from '#kit/server/module.ts';
import { EDIT, VIEW } from './contract/calculator.ts';
import { EstimateRow } from './contract/estimates.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'ratecard',
  title: '费率与利润测算',
  needs: ['identity', 'system', 'marketplace', 'listing', 'product', 'finance'],
  permissions: { [VIEW]: '查看利润计算、方案与费率表', [EDIT]: '保存测算与维护利润方案' },
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
            title: '测算记录',
            path: '/amazon/profit/estimates',
            component: 'ratecard/Estimates',
            permission: VIEW,
            sort: 42,
          },
          {
            title: '利润方案',
            path: '/amazon/profit/config',
            component: 'ratecard/Plans',
            permission: VIEW,
            sort: 45,
          },
        ],
      },
    ],
  },
  objects: { 'ratecard.plan': '利润方案', 'ratecard.estimate': '利润测算' },
  routes,
  lists: { 'ratecard/estimates': EstimateRow },
});
