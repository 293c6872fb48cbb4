import { defineModule } from '#kit/server/module.ts';
import { VIEW } from './contract/closing.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'closing',
  title: '月末检查',
  needs: ['identity', 'system'],
  permissions: { [VIEW]: '查看月末检查' },
  menu: {
    finance: [
      {
        title: '利润',
        sort: 20,
        children: [
          {
            title: '月末检查',
            path: '/finance/closing',
            component: 'closing/MonthEnd',
            permission: VIEW,
            sort: 58,
          },
        ],
      },
    ],
  },
  routes,
});
