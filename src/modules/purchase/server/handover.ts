import { openDocuments } from '#modules/identity/server/index.ts';

/** What a buyer leaves behind: orders that suppliers still work on, and what hangs on them. */
export const purchaseHandovers = [
  openDocuments({
    key: 'purchase.orders',
    title: '未结束的采购单',
    table: 'purchase.purchase_order',
    over: ['closed', 'void'],
  }),
  openDocuments({
    key: 'purchase.amendments',
    title: '待审核的采购变更单',
    table: 'purchase.amendment',
    over: ['applied', 'rejected'],
  }),
  openDocuments({
    key: 'purchase.returns',
    title: '未结束的采购退货单',
    table: 'purchase.return_order',
    over: ['shipped', 'cancelled'],
  }),
  openDocuments({
    key: 'purchase.exchanges',
    title: '未结束的采购换货单',
    table: 'purchase.exchange_order',
    over: ['done', 'terminated', 'void'],
  }),
  openDocuments({
    key: 'purchase.processes',
    title: '未结束的采购加工单',
    table: 'purchase.process_order',
    over: ['done', 'stopped', 'void'],
  }),
];
