import { extend } from '#kit/server/extension.ts';
import { defineModule } from '#kit/server/module.ts';
import { streams, writeKinds } from '#modules/marketplace/server/index.ts';
import { AplusRow, EDIT, SUBMIT } from './contract/documents.ts';
import { routes } from './server/routes.ts';
import { aplusStream } from './server/sync/stream.ts';
import { onWriteEnded, onWriteRetried } from './server/write/follow.ts';
import { aplusKind } from './server/write/kind.ts';
import { readBackJob } from './server/write/read-back.ts';

export default defineModule({
  name: 'aplus',
  title: 'A+内容',
  needs: ['identity', 'system', 'marketplace', 'listing', 'publish', 'product'],
  permissions: { [EDIT]: '查看与编辑A+内容', [SUBMIT]: '提交与下线A+内容' },
  menu: {
    sales: [
      {
        title: '商品',
        sort: 20,
        children: [
          {
            title: 'A+内容',
            path: '/amazon/listing/aplus',
            component: 'aplus/Aplus',
            permission: EDIT,
            sort: 12,
          },
        ],
      },
    ],
  },
  objects: { 'aplus.document': 'A+内容' },
  routes,
  lists: { 'aplus/documents': AplusRow },
  jobs: [readBackJob],
  on: [onWriteEnded, onWriteRetried],
  extensions: [extend(streams, aplusStream), extend(writeKinds, aplusKind)],
});
