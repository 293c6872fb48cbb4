import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { localProducts, type PackedSize } from '#modules/product/server/index.ts';
import type { FeeSplit } from '../contract/fields.ts';

const TITLES: Partial<Record<FeeSplit, string>> = { WEIGHT: '重量', VOLUME: '体积', CHARGEABLE: '计费重' };
/** cm³ that a forwarder charges as one kilogram. */
const DIVISOR = 6000;

/** Whether fees are shared by what the product's file says of its measures. */
export const isMeasured = (split: FeeSplit): boolean => TITLES[split] !== undefined;

/**
 * What one piece counts for where fees are shared by measures: kg, cm³, or the chargeable weight, which is the greater of
 * its weight and of its volume over 6000 (handbook of finance E3). 0 where the product's file does not say.
 */
export function measureOf(split: FeeSplit, size: PackedSize | undefined): Decimal {
  const weight = new Decimal(size?.weight ?? 0);
  const volume = new Decimal(size?.volume ?? 0);
  if (split === 'WEIGHT') return weight;
  if (split === 'VOLUME') return volume;
  return weight.isZero() || volume.isZero() ? new Decimal(0) : Decimal.max(weight, volume.div(DIVISOR));
}

/** Why fees cannot be shared by weight or volume: which products have none of it. They would bear nothing. */
export async function unmeasuredWords(ctx: Ctx, products: readonly string[], split: FeeSplit): Promise<string> {
  const known = await localProducts(ctx, [...new Set(products)]);
  const skus = [...known.values()].map(({ sku }) => sku);
  return `${skus.join('、')} 未维护重量或尺寸，无法按${TITLES[split] ?? ''}分摊`;
}
