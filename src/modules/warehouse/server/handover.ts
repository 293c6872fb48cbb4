import { openDocuments } from '#modules/identity/server/index.ts';

/** What somebody leaves behind who moves goods: the open documents of every kind. */
export const warehouseHandover = openDocuments({
  key: 'warehouse.documents',
  title: '未完成的仓库单据',
  table: 'warehouse.document',
  over: ['done', 'cancelled'],
});
