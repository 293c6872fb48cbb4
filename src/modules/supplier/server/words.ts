import { Decimal } from '#kit/contract/decimal.ts';
import type { Stage } from '../contract.ts';

const ANCHORS: Record<Stage['anchor'], string> = {
  order: '下单后',
  before_shipment: '发货前',
  receipt: '到货后',
  invoice: '收票后',
  monthly: '月结',
};

const percent = (share: string) => `${new Decimal(share).times(100).toFixed()}%`;

/** Payment terms in a line: 「下单后 30%，到货后 30 天 70%」. */
export function termsText(stages: readonly Stage[]): string {
  if (stages.length === 0) return '未约定';
  return stages
    .map(({ share, anchor, days }) => `${ANCHORS[anchor]}${days > 0 ? `${days}天` : ''} ${percent(share)}`)
    .join('，');
}

const INVOICES: Record<string, string> = { none: '不开票', normal: '普票', special: '专票' };

export function invoiceText(type: string, rate: string): string {
  return type === 'none' ? '不开票' : `${INVOICES[type] ?? type} ${percent(rate)}`;
}
