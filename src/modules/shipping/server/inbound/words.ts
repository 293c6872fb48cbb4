import type { Problem } from './answers.ts';
import { errorsOf } from './desk.ts';

/** What Amazon's codes mean and what to do, in Chinese. Codes of the Fulfillment Inbound API as published and reported. */
const MEANINGS: Readonly<Record<string, string>> = {
  FBA_INB_0004: '商品缺少包装尺寸，请在卖家后台补充',
  FBA_INB_0006: '平台SKU不存在或不可用',
  FBA_INB_0007: '商品正在危险品审核中，暂不能入库',
  FBA_INB_0181: '剩余保质期不足，入库时须多于105天',
  FBA_INB_0182: '商品没有预处理分类，请设置后重试',
  FBA_INB_0344: '尚未确认配送方案',
  FBA_INB_0364: '装箱方案已过期，需要重新生成',
  FBA_INB_0469: '送达窗口已过期，需要重新生成',
  InternalServerError: '亚马逊内部错误，可稍后重试',
};

/** Beginnings of messages without a code of their own. */
const MESSAGES: readonly [RegExp, string][] = [
  [/Address was unable to be verified/i, '亚马逊无法核实发货地址，请确认地址无误'],
  [/may not be able to produce PCP-LTL/i, '未提供托盘与货运信息，可能没有合作零担报价'],
  [/exceeds the maximum allowed \((\d+)\)/i, '计划总数量超过亚马逊上限 $1 件，请拆分发货单'],
  [/Box weight ([\d.]+) (\w+) exceeds the maximum of ([\d.]+) (\w+)/i, '单箱重量 $1 $2 超过上限 $3 $4'],
  [/did not contain expected items/i, '装箱内容与计划数量不一致'],
  [/placement option is expired/i, '配送方案已过期，请重新生成'],
  [/transportation option is expired/i, '承运报价已过期，请重新生成'],
  [/delivery window is blocked/i, '所选送达窗口已满，请另选'],
  [/has already been shipped/i, '货件已发出，不能取消计划'],
  [/can no longer be voided/i, '已超过可作废时限，承运费用不能退回'],
  [/cancelled inbound plan/i, '计划已在亚马逊取消'],
  [/already cancelled/i, '计划已在亚马逊取消'],
  [/requires contact information/i, '缺少联系人信息，请完善发货地址'],
  [/ready to ship window .* past/i, '备货完成日期已过，请重新选择'],
];

/** The SKU that Amazon names beside a problem. */
const aboutOf = ({ details = '' }: Problem): string => /resource '([^']+)'/.exec(details)?.[1] ?? '';

function meaningOf(problem: Problem): string {
  const known = MEANINGS[problem.code];
  if (known) return known;
  for (const [pattern, words] of MESSAGES) {
    const found = pattern.exec(problem.message);
    if (found) return words.replace(/\$(\d)/g, (_, place: string) => found[Number(place)] ?? '');
  }
  return problem.message.replace(/^(ERROR|WARNING): /, '');
}

/** A problem in Chinese, e.g. 「SKU【A-1】商品没有预处理分类，请设置后重试（FBA_INB_0182）」; Amazon's own words where nobody knows better. */
export function problemWords(problem: Problem): string {
  const sku = aboutOf(problem);
  // The one code for everything that has none says nothing.
  const code = problem.code === 'BadRequest' ? '' : `（${problem.code}）`;
  return `${sku ? `SKU【${sku}】` : ''}${meaningOf(problem)}${code}`;
}

/** What went wrong with an operation, one sentence each, the first few of them. */
export function problemsWords(problems: readonly Problem[], most = 5): string {
  const list = errorsOf(problems);
  const shown = list.slice(0, most).map(problemWords);
  return `${shown.join('；')}${list.length > most ? `；另有 ${list.length - most} 个问题` : ''}`;
}
