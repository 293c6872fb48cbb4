import { ratio, sum } from '#kit/contract/decimal.ts';
import type { FigureKey } from './figures.ts';
import type { ProfitRow } from './report.ts';

/** Figures that an income statement puts together under 其它: what has no line of its own. */
export const OTHERS: readonly FigureKey[] = ['refundFee', 'otherFee', 'otherShare', 'reimbursement', 'tax', 'unmapped'];

interface Line {
  title: string;
  /** Figures of the report that it adds up; a line of one figure opens its lines. */
  of: readonly (FigureKey | 'cogs' | 'fees')[];
  /** Sum of lines below or above it. */
  result?: boolean;
  tip?: string;
}

const INCOME: readonly FigureKey[] = ['sales', 'promotion', 'refund'];
const SPENT: readonly FigureKey[] = ['commission', 'fba', 'storageShare', 'ads', ...OTHERS];

/** Lines of an income statement, in order: all of them are sums of figures of the profit report. */
export const STATEMENT = {
  income: { title: '收入合计', of: INCOME, result: true, tip: '销售额 + 促销 + 退款，即净销售额' },
  sales: { title: '销售额', of: ['sales'] },
  promotion: { title: '促销', of: ['promotion'] },
  refund: { title: '退款', of: ['refund'] },
  spent: { title: '支出合计', of: SPENT, result: true, tip: '以下各项之和，赔偿等收入已抵减' },
  commission: { title: '佣金', of: ['commission'] },
  fba: { title: 'FBA费用', of: ['fba'] },
  storage: { title: '仓储费', of: ['storageShare'], tip: '没有 SKU 的仓储费；有 SKU 的在 FBA 费用中' },
  ads: { title: '广告费', of: ['ads'] },
  other: { title: '其它', of: OTHERS, tip: '退款费用、其它费用、其它店铺收支、赔偿、代收税与待归类' },
  net: { title: '平台净额', of: [...INCOME, ...SPENT], result: true, tip: '收入合计 + 支出合计，即 SKU结算' },
  cogs: { title: '采购成本', of: ['cogs'] },
  fees: { title: '自定义费用', of: ['fees'], tip: '费用分摊单计入的费用' },
  profit: { title: '毛利润', of: [...INCOME, ...SPENT, 'cogs', 'fees'], result: true },
} as const satisfies Record<string, Line>;
export type StatementKey = keyof typeof STATEMENT;
export const STATEMENT_KEYS = Object.keys(STATEMENT) as StatementKey[];
/** Lines that say what goods cost: for those who may see costs. */
export const COST_LINES: readonly StatementKey[] = ['cogs', 'fees', 'profit'];

/** Words of a line. */
export const lineOf = (key: StatementKey): Line => STATEMENT[key];

/**
 * Amount of a line of the statement of a row, decimal text in the row's currency. Null where a rate or a cost is not known, or may
 * not be seen; profit without any known cost is the platform net, as in the report.
 */
export function amountOf(row: ProfitRow, key: StatementKey): string | null {
  if (key === 'profit') return row.profit ?? null;
  const amounts = lineOf(key).of.map((figure) => row[figure] ?? null);
  return amounts.some((amount) => amount === null) ? null : sum(amounts.map((amount) => amount ?? '0'));
}

/** Part of a whole; null where either is not known or in another currency, or where the whole is nothing. */
export function shareOf(
  part: { amount: string | null | undefined; currency: string },
  whole: { amount: string | number | null | undefined; currency: unknown },
): string | null {
  if (part.amount == null || whole.amount == null || part.currency !== whole.currency) return null;
  return ratio(part.amount, whole.amount);
}
