import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { messageEvents } from '#modules/identity/server/index.ts';
import { listingEvents } from '#modules/listing/server/index.ts';
import { writeKinds } from '#modules/marketplace/server/index.ts';
import { documentRoute } from '#modules/message/server/index.ts';
import { CATALOG_EXPORT, CATALOG_VIEW } from './contract/catalog.ts';
import { DraftRow, EDIT, SUBMIT } from './contract/draft.ts';
import { contentEvents } from './server/draft/events.ts';
import { onWriteEnded, onWriteRetried } from './server/draft/follow.ts';
import { listingKind } from './server/draft/kind.ts';
import { readBackJob } from './server/draft/read-back.ts';
import { RESOURCE } from './server/draft/row.ts';
import { scheduledJob } from './server/draft/schedule.ts';
import { editTask } from './server/many/edit.ts';
import { submitTask } from './server/many/submit.ts';
import { routes } from './server/routes.ts';

export default defineModule({
  name: 'publish',
  title: '商品刊登',
  needs: ['identity', 'system', 'message', 'marketplace', 'listing', 'product'],
  permissions: {
    [CATALOG_VIEW]: '商品搜索',
    [CATALOG_EXPORT]: '导出商品搜索',
    [EDIT]: '编辑商品刊登',
    [SUBMIT]: '提交商品刊登',
  },
  menu: {
    sales: [
      {
        title: '商品',
        sort: 20,
        children: [
          {
            title: '商品刊登',
            path: '/amazon/listing/edit',
            component: 'publish/Drafts',
            permission: EDIT,
            sort: 12,
          },
          {
            title: '商品搜索',
            path: '/amazon/listing/catalog',
            component: 'publish/Catalog',
            permission: CATALOG_VIEW,
            sort: 13,
          },
        ],
      },
    ],
  },
  objects: { 'publish.draft': '商品刊登', 'publish.catalog': '商品搜索' },
  routes,
  lists: { 'publish/drafts': DraftRow },
  jobs: [readBackJob, scheduledJob],
  tasks: [editTask, submitTask],
  on: [onWriteEnded, onWriteRetried],
  extensions: [
    extend(listingEvents, contentEvents),
    extend(writeKinds, listingKind),
    documentRoute({
      documentType: RESOURCE,
      title: '商品刊登',
      path: (id) => `/amazon/listing/edit/form?id=${id}`,
    }),
    extend(messageEvents, { event: 'publish.notSent', title: '定时提交未成功', group: '商品', channels: ['site'] }),
  ],
});
