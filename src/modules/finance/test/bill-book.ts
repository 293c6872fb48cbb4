import ExcelJS from '@protobi/exceljs';

/** A cell as somebody else's program writes it: a number is a numeric cell. */
export type Raw = string | number;

/** A bill workbook of 1688 as its parts. */
export interface Book {
  head: Record<string, Raw>;
  orders: Raw[][];
  repayments?: Raw[][];
  refunds?: Raw[][];
  topups?: Raw[][];
  /** Sheets that are left out. */
  without?: string[];
}

export const ORDER_TITLES = [
  '订单号',
  '支付时间',
  '名称',
  '支付金额',
  '确认收货金额',
  '确认收货时间',
  '账期类型',
  '是否退款',
  '退款金额',
];

/** An order of a bill: what was confirmed, and what was given back of it. */
export const orderRow = (id: Raw, confirmed: string, refund = '-'): Raw[] => [
  id,
  '2026-10-08 09:30:00',
  '不锈钢保温杯',
  confirmed,
  confirmed,
  '2026-10-15 18:00:00',
  '诚e赊',
  refund === '-' ? '否' : '是',
  refund,
];

/** The bytes of a workbook; the first line of each sheet is a heading, as the platform writes it. */
export async function workbookOf(book: Book): Promise<Buffer> {
  const workbook = new ExcelJS.Workbook();
  const add = (title: string, lead: Raw[][], titles: string[], rows: Raw[][]) => {
    if (book.without?.includes(title)) return;
    const sheet = workbook.addWorksheet(title);
    for (const row of [[`1688${title}`], ...lead, [], titles, ...rows]) sheet.addRow(row);
  };
  const labels = Object.entries(book.head).map(([label, value]): Raw[] => [label, value]);
  add('账单明细', labels, ORDER_TITLES, book.orders);
  add('还款记录', [], ['还款时间', '还款方式', '还款类型', '还款金额'], book.repayments ?? []);
  const refundTitles = ['订单号', '退款时间', '名称', '支付金额', '退款金额', '退款类型', '退款去向'];
  add('退款记录', [], refundTitles, book.refunds ?? []);
  add('充退记录', [], ['充退时间', '充退类型', '流水号', '充退金额'], book.topups ?? []);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** The head of a bill of an account and a day. */
export const headOf = (account: string, amount: string, orders: number, day = '2026-10-31'): Book['head'] => ({
  '买家账号：': account,
  '入账金额：': amount,
  '订单笔数：': String(orders),
  '出账日：': day,
  '还款日：': '2026-11-20',
  '导出时间：': '2026-11-01 10:00:00',
});
