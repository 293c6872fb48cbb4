import { defineModule } from '#kit/server/module.ts';
import { AccuracyRow } from './contract/accuracy.ts';
import { EDIT, EXPORT, RUN, VIEW } from './contract/fields.ts';
import { ForecastRow } from './contract/forecast.ts';
import { nightlyJob, runJob } from './server/job.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'forecast',
  title: '销售预测',
  needs: ['identity', 'system', 'marketplace', 'listing', 'order', 'inventory', 'sales', 'analysis'],
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
        ],
      },
    ],
  },
  objects: { 'forecast.item': '销售预测' },
  routes,
  lists: { 'forecast/forecasts': ForecastRow, 'forecast/accuracy': AccuracyRow },
  jobs: [runJob, nightlyJob],
  // After the nightly audit of sales.
  crons: [{ pattern: '40 18 * * *', job: 'forecast.nightly' }],
});
