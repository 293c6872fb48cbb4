import { defineModule } from '#kit/server/module.ts';
import { AnnouncementRow } from './contract/announcements.ts';
import { DeliveryRow } from './contract/deliveries.ts';
import { MessageRow } from './contract/messages.ts';
import { announcedJob } from './server/delivery/announced.ts';
import { deliverJob } from './server/delivery/deliver.ts';
import { documentRoute } from './server/documents.ts';
import { onCompanyErased } from './server/erased.ts';
import { messageMoves } from './server/moves.ts';
import { operatorsJob } from './server/operators.ts';
import { routes } from './server/routes.ts';
import { senders } from './server/senders.ts';
import { expireJob, purgeJob } from './server/tidy.ts';

export default defineModule({
  name: 'message',
  title: '消息',
  needs: ['identity', 'system'],
  permissions: { 'sys:notify:send': '发布与撤回公告' },
  operatorToo: ['sys:notify:send'],
  menu: {
    system: [
      {
        title: '消息',
        sort: 30,
        children: [
          {
            title: '消息中心',
            path: '/sys/message',
            component: 'message/MessageCentre',
            sort: 10,
          },
          {
            title: '公告发布',
            path: '/sys/notify',
            component: 'message/Announcements',
            permission: 'sys:notify:send',
            sort: 20,
          },
          {
            title: '发送记录',
            path: '/sys/delivery',
            component: 'message/Deliveries',
            permission: 'sys:log:view',
            sort: 30,
          },
        ],
      },
    ],
  },
  objects: {
    'message.announcement': '公告',
    'message.delivery': '消息发送',
  },
  routes,
  lists: { 'message/inbox': MessageRow, 'message/announcements': AnnouncementRow, 'message/deliveries': DeliveryRow },
  on: [...senders, onCompanyErased],
  extensions: [
    ...messageMoves,
    documentRoute({ documentType: 'operlog', title: '操作日志', path: () => '/sys/operlog' }),
  ],
  jobs: [expireJob, purgeJob, deliverJob, announcedJob, operatorsJob],
  crons: [
    { pattern: '* * * * *', job: 'message.expire' },
    { pattern: '20 19 * * *', job: 'message.purge' },
  ],
});
