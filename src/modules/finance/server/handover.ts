import { openDocuments } from '#modules/identity/server/index.ts';

/** What somebody leaves behind who asked for payments, dealt with companies of the group or settles with suppliers. */
export const financeHandovers = [
  openDocuments({
    key: 'finance.requests',
    title: '未付清的请款单',
    table: 'finance.payment_request',
    over: ['paid', 'reversed', 'cancelled'],
  }),
  openDocuments({
    key: 'finance.blocRequests',
    title: '未执行的往来申请',
    table: 'finance.bloc_request',
    over: ['done', 'cancelled'],
  }),
  openDocuments({
    key: 'finance.settlements',
    title: '未请款的供应商结算单',
    table: 'finance.supplier_settlement',
    over: ['requested', 'cancelled'],
  }),
];
