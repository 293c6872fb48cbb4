import { defineModule } from '#kit/server/module.ts';
import { EDIT, EXPORT, VIEW } from './contract/fields.ts';
import { CashItem } from './contract/forecast.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'cashflow',
  title: '现金流预测',
  needs: ['identity', 'system', 'marketplace', 'finance'],
  permissions: {
    [VIEW]: '查看现金流预测',
    [EDIT]: '设置最低安全余额与到账天数',
    [EXPORT]: '导出预计收付',
  },
  menu: {
    finance: [
      {
        title: '资金',
        sort: 30,
        children: [
          {
            title: '现金流预测',
            path: '/finance/cashForecast',
            component: 'cashflow/CashForecast',
            permission: VIEW,
            sort: 36,
          },
        ],
      },
    ],
  },
  objects: { 'cashflow.setting': '现金流预测设置', 'cashflow.forecast': '预计收付' },
  routes,
  lists: { 'cashflow/items': CashItem },
});
