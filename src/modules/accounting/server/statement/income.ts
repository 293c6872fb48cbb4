import { type LineDef, line, named, take, total } from './lines.ts';

/** The line of the net profit. */
export const NET_PROFIT = 32;

/**
 * 利润表 (会小企 02 表), with the numbers of the standard. It reads turnover before it is carried to 本年利润. Details that the
 * chart of the standard has no code for are found by name.
 */
export const INCOME: readonly LineDef[] = [
  line(1, '一、营业收入', take('credit', '5001 5051'), 0),
  line(2, '减：营业成本', take('debit', '5401 5402')),
  line(3, '税金及附加', take('debit', '5403')),
  line(4, '其中：消费税', named('debit', '5403', '消费税'), 2),
  line(5, '营业税', named('debit', '5403', '营业税'), 3),
  line(6, '城市维护建设税', [...named('debit', '5403', '城建税'), ...named('debit', '5403', '城市维护建设税')], 3),
  line(7, '资源税', named('debit', '5403', '资源税'), 3),
  line(8, '土地增值税', named('debit', '5403', '土地增值税'), 3),
  line(
    9,
    '城镇土地使用税、房产税、车船税、印花税',
    ['土地使用税', '房产税', '车船税', '印花税'].flatMap((word) => named('debit', '5403', word)),
    3,
  ),
  line(
    10,
    '教育费附加、矿产资源补偿费、排污费',
    ['教育', '矿产资源补偿费', '排污费'].flatMap((word) => named('debit', '5403', word)),
    3,
  ),
  line(11, '销售费用', take('debit', '5601')),
  line(12, '其中：商品维修费', named('debit', '5601', '维修费'), 2),
  line(13, '广告费和业务宣传费', [...named('debit', '5601', '广告费'), ...named('debit', '5601', '宣传费')], 3),
  line(14, '管理费用', take('debit', '5602')),
  line(15, '其中：开办费', named('debit', '5602', '开办费'), 2),
  line(16, '业务招待费', named('debit', '5602', '招待费'), 3),
  line(17, '研究费用', named('debit', '5602', '研究费'), 3),
  line(18, '财务费用', take('debit', '5603')),
  line(19, '其中：利息费用（收入以“－”号填列）', named('debit', '5603', '利息'), 2),
  line(20, '加：投资收益（损失以“－”号填列）', take('credit', '5111')),
  total(21, '二、营业利润（亏损以“－”号填列）', [1, -2, -3, -11, -14, -18, 20]),
  line(22, '加：营业外收入', take('credit', '5301')),
  line(23, '其中：政府补助', named('credit', '5301', '政府补助'), 2),
  line(24, '减：营业外支出', take('debit', '5711')),
  line(25, '其中：坏账损失', named('debit', '5711', '坏账'), 2),
  line(26, '无法收回的长期债券投资损失', named('debit', '5711', '债券投资损失'), 3),
  line(27, '无法收回的长期股权投资损失', named('debit', '5711', '股权投资损失'), 3),
  line(28, '自然灾害等不可抗力因素造成的损失', named('debit', '5711', '灾害'), 3),
  line(29, '税收滞纳金', named('debit', '5711', '滞纳金'), 3),
  total(30, '三、利润总额（亏损总额以“－”号填列）', [21, 22, -24]),
  line(31, '减：所得税费用', take('debit', '5801')),
  total(NET_PROFIT, '四、净利润（净亏损以“－”号填列）', [30, -31]),
];
