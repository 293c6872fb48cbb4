import { defineModule } from '#kit/server/module.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'dashboard',
  title: '首页',
  needs: [
    'identity',
    'system',
    'message',
    'marketplace',
    'listing',
    'inventory',
    'order',
    'sales',
    'settlement',
    'product',
    'finance',
    'profit',
  ],
  permissions: { 'dash:home:view': '查看首页' },
  menu: {
    home: [
      {
        title: '首页',
        path: '/home',
        component: 'dashboard/Home',
        icon: 'home',
        permission: 'dash:home:view',
        sort: 0,
      },
    ],
  },
  routes,
});
