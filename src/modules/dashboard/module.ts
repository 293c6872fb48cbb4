import { defineModule } from '#kit/server/module.ts';
import { TEMPLATE } from './contract/layout.ts';
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
    'advertising',
    'analysis',
  ],
  permissions: { 'dash:home:view': '查看首页', [TEMPLATE]: '维护首页布局模板' },
  objects: { 'dashboard.layout': '首页布局', 'dashboard.template': '首页布局模板' },
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
