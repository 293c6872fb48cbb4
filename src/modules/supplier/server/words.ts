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

const STAGE = new RegExp(
  `^(${Object.values(ANCHORS).join('|')})\\s*(?:(\\d{1,3})\\s*天)?\\s*(\\d{1,3}(?:\\.\\d{1,4})?)\\s*%$`,
);

/**
 * Reads terms as `termsText` writes them, e.g. 「下单后 30%，到货后30天 70%」; 「未约定」 and an empty text are none.
 * Undefined where the text says something else; whether the shares add up is looked at where terms are saved.
 */
export function parseTerms(text: string): Stage[] | undefined {
  const bare = text.trim();
  if (bare === '' || bare === '未约定') return [];
  const stages: Stage[] = [];
  for (const part of bare.split(/[，,；;、]/)) {
    const [, title, days, share] = STAGE.exec(part.trim()) ?? [];
    const anchor = Object.keys(ANCHORS).find((key) => ANCHORS[key as Stage['anchor']] === title);
    if (anchor === undefined || share === undefined) return undefined;
    const found = {
      anchor: anchor as Stage['anchor'],
      days: Number(days ?? 0),
      share: new Decimal(share).div(100).toFixed(),
    };
    stages.push(found);
  }
  return stages;
}

/** Whether the shares of terms add up to all of an amount; none do. */
export function termsAddUp(stages: readonly Stage[]): boolean {
  return stages.length === 0 || stages.reduce((sum, { share }) => sum.plus(share), new Decimal(0)).equals(1);
}

const INVOICES: Record<string, string> = { none: '不开票', normal: '普票', special: '专票' };

export function invoiceText(type: string, rate: string): string {
  return type === 'none' ? '不开票' : `${INVOICES[type] ?? type} ${percent(rate)}`;
}
