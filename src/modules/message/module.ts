import { defineModule } from '#kit/server/module.ts';
import { AnnouncementRow } from './contract/announcements.ts';
import { MessageRow } from './contract/messages.ts';
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
        ],
      },
    ],
  },
  objects: {
    'message.announcement': '公告',
  },
  routes,
  lists: { 'message/inbox': MessageRow, 'message/announcements': AnnouncementRow },
  on: senders,
  jobs: [expireJob, purgeJob],
  crons: [
    { pattern: '* * * * *', job: 'message.expire' },
    { pattern: '20 19 * * *', job: 'message.purge' },
  ],
});
