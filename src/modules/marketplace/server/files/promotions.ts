import { z } from 'zod';
import { jsonReader } from './json-report.ts';

const Whole = z.int().min(0);
const Amount = z.number().min(0);

const Product = z.object({
  asin: z.string(),
  productName: z.string().nullish(),
  productGlanceViews: Whole.nullish(),
  productUnitsSold: Whole,
  productRevenue: Amount,
  productAmountSpent: Amount.nullish(),
});

const Item = z.object({
  promotionId: z.string().min(1),
  promotionName: z.string(),
  marketplaceId: z.string(),
  unitsSold: Whole,
  revenue: Amount,
  revenueCurrencyCode: z.string(),
  // Of vendors alone; a seller's report has none, and no channel either, whatever the schema says.
  amountSpent: Amount.nullish(),
  startDateTime: z.iso.datetime({ offset: true }),
  endDateTime: z.iso.datetime({ offset: true }),
  createdDateTime: z.iso.datetime({ offset: true }).nullish(),
  type: z.string(),
  status: z.string(),
  creationChannel: z.string().nullish(),
  glanceViews: Whole.nullish(),
  includedProducts: z.array(Product),
});

/** A product of a promotion. Amounts are decimal text in the promotion's currency. */
export interface PromotedProduct {
  asin: string;
  title: string;
  views: number | null;
  units: number;
  sales: string;
  spent: string | null;
}

/** A promotion and what it sold. Amounts are decimal text in `currency`, times ISO instants; null where nothing is told. */
export interface PromotionRow {
  lineNo: number;
  problem: undefined;
  promotionId: string;
  marketplaceId: string;
  name: string;
  type: string;
  status: string;
  channel: string;
  currency: string;
  startAt: string;
  endAt: string;
  createdAt: string | null;
  views: number | null;
  units: number;
  sales: string;
  spent: string | null;
  /** By ASIN, whatever order the report has them in. */
  products: PromotedProduct[];
}

/** Decimal text of a JSON number: its shortest form, which is what the report printed. */
const decimal = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

function productOf(product: z.infer<typeof Product>): PromotedProduct {
  return {
    asin: product.asin,
    title: product.productName ?? '',
    views: product.productGlanceViews ?? null,
    units: product.productUnitsSold,
    sales: String(product.productRevenue),
    spent: decimal(product.productAmountSpent),
  };
}

/**
 * GET_PROMOTION_PERFORMANCE_REPORT: what promotions that began in a period sold until now. When it was made anew (its
 * lastUpdatedDateTime) is passed over: that changes each night, and nothing else need to.
 */
export const promotions = jsonReader<PromotionRow>({
  type: 'GET_PROMOTION_PERFORMANCE_REPORT',
  title: '促销效果报告',
  undated: true,
  shapes: { promotions: Item },
  items: {
    promotions: (item: z.infer<typeof Item>) => ({
      lineNo: 0,
      problem: undefined,
      promotionId: item.promotionId,
      marketplaceId: item.marketplaceId,
      name: item.promotionName,
      type: item.type,
      status: item.status,
      channel: item.creationChannel ?? '',
      currency: item.revenueCurrencyCode,
      startAt: item.startDateTime,
      endAt: item.endDateTime,
      createdAt: item.createdDateTime ?? null,
      views: item.glanceViews ?? null,
      units: item.unitsSold,
      sales: String(item.revenue),
      spent: decimal(item.amountSpent),
      products: item.includedProducts.map(productOf).sort((a, b) => (a.asin < b.asin ? -1 : Number(a.asin > b.asin))),
    }),
  },
});
