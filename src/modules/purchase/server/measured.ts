import type { Ctx } from '#kit/server/context.ts';
import { localProducts } from '#modules/product/server/index.ts';
import type { FeeSplit } from '../contract/fields.ts';

const TITLES: Partial<Record<FeeSplit, string>> = { WEIGHT: '重量', VOLUME: '体积' };

/** Whether fees are shared by what the product's file says of its measures. */
export const isMeasured = (split: FeeSplit): boolean => TITLES[split] !== undefined;

/** Why fees cannot be shared by weight or volume: which products have none of it. They would bear nothing. */
export async function unmeasuredWords(ctx: Ctx, products: readonly string[], split: FeeSplit): Promise<string> {
  const known = await localProducts(ctx, [...new Set(products)]);
  const skus = [...known.values()].map(({ sku }) => sku);
  return `${skus.join('、')} 未维护重量或尺寸，无法按${TITLES[split] ?? ''}分摊`;
}
