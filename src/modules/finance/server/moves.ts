import { extend } from '#kit/server/extension.ts';
import { rowMoves } from '#modules/identity/server/index.ts';

/** What becomes of the money of a company that is taken into another one. */
export const financeMoves = [
  extend(rowMoves, { table: 'finance.cash_account', title: '资金账户', clash: { rename: 'name' } }),
  extend(rowMoves, { table: 'finance.category', title: '收支项', clash: { rename: 'name' } }),
  extend(rowMoves, { table: 'finance.partner', title: '往来单位', clash: { rename: 'name' } }),
  extend(rowMoves, { table: 'finance.payment_request', title: '请款单', clash: { rename: 'number' } }),
  extend(rowMoves, { table: 'finance.bloc_request', title: '往来申请', clash: { rename: 'number' } }),
  extend(rowMoves, { table: 'finance.supplier_settlement', title: '供应商结算单', clash: { rename: 'number' } }),
  extend(rowMoves, { table: 'finance.platform_bill', title: '平台账单', clash: { rename: 'number' } }),
  extend(rowMoves, { table: 'finance.period', clash: 'target' }),
  extend(rowMoves, { table: 'finance.day_rate', clash: 'target' }),
  extend(rowMoves, { table: 'finance.month_rate', clash: 'target' }),
  extend(rowMoves, { table: 'finance.setting', clash: 'target' }),
];
