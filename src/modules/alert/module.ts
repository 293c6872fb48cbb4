import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { messageEvents, rowMoves } from '#modules/identity/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { AlertRow, CONFIG, EDIT, VIEW } from './contract/alerts.ts';
import { ALERT_EVENT, ALERT_KIND } from './server/evaluate.ts';
import { handlers, lookJob, sweepJob } from './server/job.ts';
import { alertKinds, usualKinds } from './server/kinds.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'alert',
  title: '预警中心',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'inventory', 'analysis'],
  permissions: {
    [VIEW]: '查看预警',
    [EDIT]: '静音与指派预警',
    [CONFIG]: '设置预警规则',
  },
  menu: {
    sales: [
      {
        title: '商品',
        sort: 20,
        children: [
          {
            title: '预警中心',
            path: '/amazon/listing/alerts',
            component: 'alert/Alerts',
            permission: VIEW,
            sort: 6,
          },
        ],
      },
    ],
  },
  objects: { 'alert.alert': '预警', 'alert.rule': '预警规则' },
  routes,
  lists: { 'alert/alerts': AlertRow },
  jobs: [lookJob, sweepJob],
  crons: [{ pattern: '17 * * * *', job: 'alert.sweep' }],
  on: handlers,
  extensions: [
    ...usualKinds.map((kind) => extend(alertKinds, kind)),
    extend(messageEvents, { event: ALERT_EVENT, title: '商品预警', group: '商品', channels: ['site'] }),
    documentRoute({
      documentType: ALERT_KIND,
      title: '预警中心',
      path: (code) => `/amazon/listing/alerts?f.kinds=${code}`,
    }),
    extend(rowMoves, { table: 'alert.rule', title: '预警规则', clash: 'target' }),
  ],
});
