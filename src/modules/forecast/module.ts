import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { messageEvents } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { AccuracyRow } from './contract/accuracy.ts';
import { EDIT, EXPORT, RUN, VIEW } from './contract/fields.ts';
import { ForecastRow } from './contract/forecast.ts';
import { PromotionRow } from './contract/promotions.ts';
import { nightlyJob, runJob } from './server/job.ts';
import { OVERRIDE_OVER } from './server/over.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'forecast',
  title: '销售预测',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'order', 'inventory', 'sales', 'analysis'],
  permissions: {
    [VIEW]: '查看销售预测',
    [EDIT]: '干预预测与设置模型',
    [EXPORT]: '导出销售预测',
    [RUN]: '重新计算预测',
  },
  menu: {
    sales: [
      {
        title: '销售预测',
        sort: 25,
        children: [
          {
            title: '销售预测',
            path: '/amazon/sales/forecast',
            component: 'forecast/Forecasts',
            permission: VIEW,
            sort: 10,
          },
          {
            title: '预测准确率',
            path: '/amazon/sales/forecast/accuracy',
            component: 'forecast/Accuracy',
            permission: VIEW,
            sort: 20,
          },
          {
            title: '促销日历',
            path: '/amazon/sales/promotion',
            component: 'forecast/Promotions',
            permission: VIEW,
            sort: 30,
          },
        ],
      },
    ],
  },
  objects: { 'forecast.item': '销售预测', 'forecast.promotion': '促销活动' },
  routes,
  lists: { 'forecast/forecasts': ForecastRow, 'forecast/accuracy': AccuracyRow, 'forecast/promotions': PromotionRow },
  jobs: [runJob, nightlyJob],
  // After the nightly audit of sales.
  crons: [{ pattern: '40 18 * * *', job: 'forecast.nightly' }],
  extensions: [
    documentRoute({ documentType: 'forecast.item', title: '销售预测', path: () => '/amazon/sales/forecast' }),
    extend(messageEvents, { event: OVERRIDE_OVER, title: '预测干预到期', group: '销售', channels: ['site'] }),
  ],
});
