import { heading, type LineDef, line, total } from './lines.ts';

/** Subjects that are cash. */
export const CASH = ['1001', '1002', '1012'];

/** What the counter subject does not tell; no line of the standard, and hidden where it is nothing. */
export const UNTOLD = 0;
export const NET = 20;
export const OPENING = 21;
export const CLOSING = 22;

/** Lines of money that goes out: their amounts are what was paid. */
const PAID = [3, 4, 5, 6, 11, 12, 16, 17, 18];
export const isPaid = (no: number): boolean => PAID.includes(no);

/** 现金流量表 (会小企 03 表), with the numbers of the standard. */
export const CASH_FLOW: readonly LineDef[] = [
  heading('一、经营活动产生的现金流量：'),
  line(1, '销售产成品、商品、提供劳务收到的现金', []),
  line(2, '收到其他与经营活动有关的现金', []),
  line(3, '购买原材料、商品、接受劳务支付的现金', []),
  line(4, '支付的职工薪酬', []),
  line(5, '支付的税费', []),
  line(6, '支付其他与经营活动有关的现金', []),
  total(7, '经营活动产生的现金流量净额', [1, 2, -3, -4, -5, -6]),
  heading('二、投资活动产生的现金流量：'),
  line(8, '收回短期投资、长期债券投资和长期股权投资收到的现金', []),
  line(9, '取得投资收益收到的现金', []),
  line(10, '处置固定资产、无形资产和其他非流动资产收回的现金净额', []),
  line(11, '短期投资、长期债券投资和长期股权投资支付的现金', []),
  line(12, '购建固定资产、无形资产和其他非流动资产支付的现金', []),
  total(13, '投资活动产生的现金流量净额', [8, 9, 10, -11, -12]),
  heading('三、筹资活动产生的现金流量：'),
  line(14, '取得借款收到的现金', []),
  line(15, '吸收投资者投资收到的现金', []),
  line(16, '偿还借款本金支付的现金', []),
  line(17, '偿还借款利息支付的现金', []),
  line(18, '分配利润支付的现金', []),
  total(19, '筹资活动产生的现金流量净额', [14, 15, -16, -17, -18]),
  line(UNTOLD, '未归类的现金流量', [], 0),
  total(NET, '四、现金净增加额', [7, 13, 19, UNTOLD]),
  line(OPENING, '加：期初现金余额', []),
  total(CLOSING, '五、期末现金余额', [NET, OPENING]),
];

interface Counter {
  /** Code that counter subjects begin with; the longest that fits counts. */
  prefix: string;
  /** Line of entries on the credit side, for which money came in, and on the debit side, for which it went out. */
  received: number;
  paid: number;
}

const counters = (received: number, paid: number, prefixes: string): Counter[] =>
  prefixes.split(' ').map((prefix) => ({ prefix, received, paid }));

/**
 * Which line money belongs to, by the subject that stands opposite to cash. A red entry lessens the line of its side. Refunds
 * of sales and of purchases lessen what was received and paid for them, as the standard says.
 */
const COUNTERS: readonly Counter[] = [
  ...counters(1, 1, '1121 1122 2203 5001 5051'),
  // Tax on sales is received with them, tax on purchases paid with them; the other subjects are what the office gets.
  ...counters(1, 3, '222101'),
  ...counters(2, 5, '2221 5403 5801'),
  ...counters(3, 3, '1123 1401 1402 1403 1404 1405 1407 1408 1411 1421 2201 2202 4001 4101 4401 4403 5401 5402'),
  ...counters(4, 4, '2211 560108 560201'),
  ...counters(2, 6, '1221 1901 2241 2401 4301 5301 5601 5602 5603 5711'),
  ...counters(8, 11, '1101 1501 1511'),
  ...counters(9, 9, '1131 1132 5111'),
  ...counters(10, 12, '1601 1604 1605 1621 1701 1801'),
  ...counters(10, 10, '1606'),
  ...counters(14, 16, '2001 2501 2701'),
  ...counters(15, 15, '3001 3002'),
  ...counters(17, 17, '2231'),
  ...counters(2, 17, '560303'),
  ...counters(18, 18, '2232 3104'),
];
const LONGEST_FIRST = COUNTERS.toSorted((a, b) => b.prefix.length - a.prefix.length);

/** The line of an entry opposite to cash by its subject's code and side. */
export function lineOf(code: string, side: 'received' | 'paid'): number {
  return LONGEST_FIRST.find(({ prefix }) => code.startsWith(prefix))?.[side] ?? UNTOLD;
}
