import { openDocuments } from '#modules/identity/server/index.ts';

/** What somebody leaves behind who asked for payments or settles with suppliers. */
export const financeHandovers = [
  openDocuments({
    key: 'finance.requests',
    title: '未付清的请款单',
    table: 'finance.payment_request',
    over: ['paid', 'reversed', 'cancelled'],
  }),
  openDocuments({
    key: 'finance.settlements',
    title: '未请款的供应商结算单',
    table: 'finance.supplier_settlement',
    over: ['requested', 'cancelled'],
  }),
];
