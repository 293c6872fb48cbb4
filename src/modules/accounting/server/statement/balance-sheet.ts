import { heading, type LineDef, line, type Rule, take, total } from './lines.ts';

const right = (no: number, title: string, rules: readonly Rule[]) => line(no, title, rules, 1, 'right');

/** Lines of which the others are the sum: all that is owned, and all that it was paid from. */
export const ASSETS = 30;
export const SOURCES = 53;

/**
 * 资产负债表 (会小企 01 表), with the numbers of the standard. Subjects of a customer or supplier who owes on the wrong side
 * stand on the other side. Until a month is closed its profit lies on the 5xxx subjects, and is retained profit all the same.
 */
export const BALANCE_SHEET: readonly LineDef[] = [
  heading('流动资产：'),
  line(1, '货币资金', take('debit', '1001 1002 1012')),
  line(2, '短期投资', take('debit', '1101')),
  line(3, '应收票据', take('debit', '1121')),
  line(4, '应收账款', take('debit-side', '1122 2203')),
  line(5, '预付账款', take('debit-side', '1123 2202')),
  line(6, '应收股利', take('debit', '1131')),
  line(7, '应收利息', take('debit', '1132')),
  line(8, '其他应收款', take('debit-side', '1221 2241')),
  line(9, '存货', take('debit', '1401 1402 1403 1404 1405 1407 1408 1411 1421 4001 4101 4401 4403')),
  line(10, '其中：原材料', take('debit', '1403'), 2),
  line(11, '在产品', take('debit', '4001'), 3),
  line(12, '库存商品', take('debit', '1405'), 3),
  line(13, '周转材料', take('debit', '1411'), 3),
  line(14, '其他流动资产', take('debit', '1901')),
  total(15, '流动资产合计', [1, 2, 3, 4, 5, 6, 7, 8, 9, 14]),
  heading('非流动资产：'),
  line(16, '长期债券投资', take('debit', '1501')),
  line(17, '长期股权投资', take('debit', '1511')),
  line(18, '固定资产原价', take('debit', '1601')),
  line(19, '减：累计折旧', take('credit', '1602')),
  { ...total(20, '固定资产账面价值', [18, -19]), indent: 1 },
  line(21, '在建工程', take('debit', '1604')),
  line(22, '工程物资', take('debit', '1605')),
  line(23, '固定资产清理', take('debit', '1606')),
  line(24, '生产性生物资产', take('debit', '1621 1622')),
  line(25, '无形资产', take('debit', '1701 1702')),
  line(26, '开发支出', take('debit', '4301')),
  line(27, '长期待摊费用', take('debit', '1801')),
  line(28, '其他非流动资产', []),
  total(29, '非流动资产合计', [16, 17, 20, 21, 22, 23, 24, 25, 26, 27, 28]),
  total(ASSETS, '资产总计', [15, 29]),
  heading('流动负债：', 'right'),
  right(31, '短期借款', take('credit', '2001')),
  right(32, '应付票据', take('credit', '2201')),
  right(33, '应付账款', take('credit-side', '2202 1123')),
  right(34, '预收账款', take('credit-side', '2203 1122')),
  right(35, '应付职工薪酬', take('credit', '2211')),
  right(36, '应交税费', take('credit', '2221')),
  right(37, '应付利息', take('credit', '2231')),
  right(38, '应付利润', take('credit', '2232')),
  right(39, '其他应付款', take('credit-side', '2241 1221')),
  right(40, '其他流动负债', []),
  total(41, '流动负债合计', [31, 32, 33, 34, 35, 36, 37, 38, 39, 40], 'right'),
  heading('非流动负债：', 'right'),
  right(42, '长期借款', take('credit', '2501')),
  right(43, '长期应付款', take('credit', '2701')),
  right(44, '递延收益', take('credit', '2401')),
  right(45, '其他非流动负债', []),
  total(46, '非流动负债合计', [42, 43, 44, 45], 'right'),
  total(47, '负债合计', [41, 46], 'right'),
  heading('所有者权益（或股东权益）：', 'right'),
  right(48, '实收资本（或股本）', take('credit', '3001')),
  right(49, '资本公积', take('credit', '3002')),
  right(50, '盈余公积', take('credit', '3101')),
  right(51, '未分配利润', take('credit', '3103 3104 5')),
  total(52, '所有者权益（或股东权益）合计', [48, 49, 50, 51], 'right'),
  total(SOURCES, '负债和所有者权益（或股东权益）总计', [47, 52], 'right'),
];
