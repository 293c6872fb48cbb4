import { Decimal, ratio } from '#kit/contract/decimal.ts';
import type { WaterfallStep } from '#kit/web/charts/index.ts';
import { FIGURES, type FigureKey, NET_SALES } from '../contract/figures.ts';
import type { ProfitRow } from '../contract/report.ts';

/** What a line of the composition opens: a figure of the report, or the purchase cost. */
export type DrillKey = FigureKey | 'cogs' | 'fees';

export interface CompositionLine {
  key: DrillKey;
  title: string;
  note: string;
  amount: string;
  /** Part of the sales, as a ratio; null without sales. */
  share: string | null;
  source: string;
}

/** Figures after the net sales, in the order of the picture. */
const DEDUCTIONS: readonly FigureKey[] = [
  'commission',
  'fba',
  'refundFee',
  'otherFee',
  'storageShare',
  'otherShare',
  'ads',
  'reimbursement',
  'tax',
  'unmapped',
];

const NOTES: Partial<Record<FigureKey, string>> = {
  promotion: '促销折扣与运费冲回',
  commission: '佣金、结算费与数字服务费',
  fba: '配送、入库、移除与退货处理',
  refundFee: '退回佣金减退款管理费',
  otherFee: '折扣券、秒杀等',
  storageShare: '店铺仓储费，按当月净销售额',
  otherShare: '没有 SKU 的店铺收支，按当月净销售额',
  ads: '结算中的广告扣款，按当月净销售额',
  reimbursement: '库存丢失、损坏与费用更正',
  tax: '代收与代扣相抵',
  unmapped: '尚未归类的费用',
};

const SHORT: Partial<Record<FigureKey, string>> = { storageShare: '仓储分摊', otherShare: '其它分摊', fba: 'FBA' };

const isNothing = (amount: string | null): boolean => amount === null || new Decimal(amount).isZero();

/** A step, and the lines that it opens; sums open none. */
export interface ProfitStep extends WaterfallStep {
  opens?: DrillKey;
}

/** From the sales through every deduction to the profit; steps without money are left out. */
export function waterfallOf(row: ProfitRow): ProfitStep[] {
  const change = (key: FigureKey): ProfitStep[] => {
    const amount = row[key];
    if (amount === null || isNothing(amount)) return [];
    return [{ name: SHORT[key] ?? FIGURES[key].title, amount, kind: 'change', opens: key }];
  };
  const costs: ProfitStep[] =
    row.cogs === null || row.cogs === undefined || isNothing(row.cogs)
      ? []
      : [{ name: '采购', amount: row.cogs, kind: 'change', opens: 'cogs' }];
  const steps: ProfitStep[] = [
    { name: '销售额', amount: row.sales ?? '0', kind: 'total', opens: 'sales' },
    ...NET_SALES.filter((key) => key !== 'sales').flatMap(change),
    { name: '净销售额', amount: row.netSales ?? '0', kind: 'total' },
    ...DEDUCTIONS.flatMap(change),
    ...costs,
    ...(row.fees == null || isNothing(row.fees)
      ? []
      : [{ name: '自定义', amount: row.fees, kind: 'change', opens: 'fees' } as const]),
  ];
  const result = row.profit ?? row.platformNet;
  return [...steps, { name: row.profit == null ? 'SKU结算' : '毛利润', amount: result ?? '0', kind: 'result' }];
}

/** Every amount of a row with what it is and where it comes from, largest picture order kept. */
export function compositionOf(row: ProfitRow): CompositionLine[] {
  const keys: readonly FigureKey[] = [...NET_SALES, ...DEDUCTIONS];
  const lines = keys.flatMap((key): CompositionLine[] => {
    const amount = row[key];
    if (amount === null || (isNothing(amount) && key !== 'sales')) return [];
    const shared = FIGURES[key].scope !== 'DIRECT';
    return [
      {
        key,
        title: FIGURES[key].title,
        note: key === 'refund' ? `${row.refundUnits} 件` : key === 'sales' ? `${row.units} 件` : (NOTES[key] ?? ''),
        amount,
        share: ratio(amount, row.sales ?? 0),
        source: shared ? '分摊依据' : '费用行',
      },
    ];
  });
  if (row.fees != null && !isNothing(row.fees)) {
    const share = ratio(row.fees, row.sales ?? 0);
    lines.push({ key: 'fees', title: '自定义费用', note: '费用分摊单', amount: row.fees, share, source: '费用分摊' });
  }
  if (row.cogs === null || row.cogs === undefined) return lines;
  const note = row.costMissing > 0 ? `${row.costMissing} 件缺少采购成本` : '件数 × 当日采购单价';
  const share = ratio(row.cogs, row.sales ?? 0);
  return [...lines, { key: 'cogs', title: '采购成本', note, amount: row.cogs, share, source: '采购单价' }];
}
