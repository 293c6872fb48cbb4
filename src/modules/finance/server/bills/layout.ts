/** The sheets of the workbook, by what their titles contain. */
export const SHEETS = {
  orders: '账单明细',
  repayments: '还款记录',
  refunds: '退款记录',
  topups: '充退记录',
} as const;
export type SheetName = keyof typeof SHEETS;

/** Columns of each sheet and the titles that they may have; the first is how the template writes it. */
export const COLUMNS = {
  orders: {
    orderId: ['订单号', '订单编号'],
    paidAt: ['支付时间', '付款时间'],
    name: ['名称', '商品名称', '货品名称'],
    paid: ['支付金额', '付款金额'],
    confirmed: ['确认收货金额'],
    confirmedAt: ['确认收货时间'],
    term: ['账期类型'],
    refunded: ['是否退款', '退款状态'],
    refund: ['退款金额'],
  },
  repayments: {
    at: ['还款时间', '还款日期'],
    method: ['还款方式'],
    kind: ['还款类型'],
    amount: ['还款金额', '金额'],
  },
  refunds: {
    orderId: ['订单号', '订单编号'],
    at: ['退款时间', '退款日期'],
    name: ['名称', '商品名称', '货品名称'],
    paid: ['支付金额', '付款金额'],
    amount: ['退款金额', '金额'],
    kind: ['退款类型'],
    destination: ['退款去向'],
  },
  topups: {
    at: ['充退时间', '充退日期'],
    kind: ['充退类型'],
    reference: ['流水号', '充退流水号'],
    amount: ['充退金额', '金额'],
  },
} as const;

/** Columns without which a sheet cannot be read. */
export const NEEDED: { readonly [S in SheetName]: readonly string[] } = {
  orders: ['orderId', 'confirmed', 'refund'],
  repayments: ['at', 'amount'],
  refunds: ['orderId', 'at', 'amount'],
  topups: ['at', 'amount'],
};

/** What stands in column A of the first sheet before its table; the values are beside it. */
export const HEAD = {
  buyerAccount: ['买家账号', '买家账户'],
  amount: ['入账金额'],
  orderCount: ['订单笔数'],
  statementDate: ['出账日', '出账日期'],
  dueOn: ['还款日', '还款日期', '最后还款日'],
  exportedAt: ['导出时间'],
} as const;
export type HeadName = keyof typeof HEAD;
